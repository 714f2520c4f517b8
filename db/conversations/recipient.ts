import { sql } from 'kysely';
import type { Tx } from '../tx.ts';
import { tellMergeHandovers } from './merge-handover.ts';
import type { MergeHandover } from './merge-handover.ts';

/** Whether the network knows the number of a conversation's contact; asked once, because many such questions get an account banned. */
export async function recordOnNetwork(tx: Tx, conversationId: string, onNetwork: boolean): Promise<void> {
  await sql`
    update contact set on_network = ${onNetwork}, checked_at = ${tx.now}
    where id = (select contact_id from conversation where id = ${conversationId})`.execute(tx.sql);
}

/**
 * The network knows the conversation's person under this chat id (Brazil's ninth digit). Contact and conversation take it
 * over (`merge-contacts.sql`); returns the conversation that the messages are in from now on.
 */
export async function adoptChatId(tx: Tx, conversationId: string, chatId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select adopt_chat_id(${conversationId}, ${chatId}) as id`.execute(tx.sql);
  const id = rows[0]?.id ?? conversationId;
  const taken = await sql<{ handovers: MergeHandover[] | null }>`
    select take_merge_handovers(contact_id) as handovers from conversation where id = ${id}`.execute(tx.sql);
  tellMergeHandovers(tx, taken.rows[0]?.handovers ?? []);
  return id;
}
