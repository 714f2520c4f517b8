import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { acceptSend } from '../../../../db/sending/accept.ts';
import { claimMessage } from '../../../../db/sending/claim.ts';
import { ensureConversation, lockConversation } from '../../../../db/conversations/conversation.ts';
import type { Database } from '../../../../db/engine/database.ts';
import type { Queries, Tx } from '../../../../db/engine/tx.ts';
import { newId } from '../../../../db/engine/new-id.ts';
import { adoptOwnMessage } from '../../../../db/network/own-message.ts';
import { findSessionById } from '../../../../db/sessions/session.ts';
import type { Session } from '../../../../db/sessions/session.ts';
import { listAiInFlight } from '../../../../db/agent/takeover.ts';
import { SCOPE } from '../../a-database.ts';
import { Oracle } from './oracle.ts';

/** The parts that the promise needs. A proof that it can be broken removes one of them. */
export interface Parts {
  claim: typeof claimMessage;
  look: typeof listAiInFlight;
  adopt: typeof adoptOwnMessage;
}

export const REAL: Parts = { claim: claimMessage, look: listAiInFlight, adopt: adoptOwnMessage };

/** A person under two numbers that the network may turn out to know as one, and what is known of what happens to them. */
export interface Scene {
  database: Database;
  sessionId: string;
  session: Session;
  conversationId: string;
  /** The same person's other conversation, until the merge. */
  other: string;
  /** Under hidden ids of the person, once they have written under those alone. */
  hidden: string[];
  oracle: Oracle;
  parts: Parts;
  random: () => number;
}

export const NOBODY_IN_PARTICULAR = { ...SCOPE, sessionId: null };

let people = 0;

/** The two conversations, and so many AI messages in the first one's queue. */
export async function aTakeoverScene(
  database: Database,
  sessionId: string,
  given: { random: () => number; parts: Parts; waiting: number },
): Promise<Scene> {
  people += 1;
  const chatIds = [1, 2].map((number) => `1${String(700_000_000 + people)}${number}@c.us`);
  const oracle = new Oracle();
  const { random, parts } = given;
  return database.transaction(async (tx) => {
    const session = await findSessionById(tx, sessionId);
    if (!session) throw new Error('The session is not there.');
    const [first, second] = [await aConversation(chatIds[0]), await aConversation(chatIds[1])];
    for (let count = 0; count < given.waiting; count += 1) {
      oracle.wrote(await anAiMessage(tx, sessionId, first, await beginTurn(tx, first), 1), oracle.now());
    }
    return { database, sessionId, session, conversationId: first, other: second, hidden: [], oracle, parts, random };

    async function aConversation(chatId = ''): Promise<string> {
      return (await ensureConversation(tx, { ...SCOPE, sessionId }, { chatId })).id;
    }
  });
}

/** Begins a turn for the fence, and returns its epochs. */
export async function beginTurn(tx: Tx, conversationId: string): Promise<string> {
  const id = newId('trn');
  const real = await lockConversation(tx, conversationId);
  await sql`
    insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at,
      conversation_epoch, tenant_epoch)
    select ${id}, c.agency_id, c.tenant_id, c.session_id, c.id, 'msg_0', ${tx.now}::timestamptz, c.epoch, t.ai_epoch
    from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    where c.id = ${real}`.execute(tx.sql);
  return id;
}

/** It has handed off: only its last words bear the epoch of that, as it begins no turn any more. */
export async function isAgentsNoMore(tx: Tx, conversationId: string): Promise<boolean> {
  const { rows } = await sql<{ by: string | null }>`
    select taken_over_by as by from conversation where id = ${conversationId} and mode = 'human_takeover'`.execute(
    tx.sql,
  );
  return rows[0]?.by === 'agent';
}

/** The reply of a turn, as one message or several. */
export async function anAiMessage(
  tx: Tx,
  sessionId: string,
  conversationId: string,
  turnId: string,
  parts: number,
  epoch?: number,
): Promise<string[]> {
  const { rows } = await sql<{ conversationEpoch: number; tenantEpoch: number }>`
    select conversation_epoch as "conversationEpoch", tenant_epoch as "tenantEpoch" from ai_turn where id = ${turnId}`.execute(
    tx.sql,
  );
  const [fence] = rows;
  // A merge has given it back: it is begun again, by somebody else.
  if (!fence) return [];
  const accepted = await acceptSend(
    tx,
    { ...SCOPE, sessionId },
    {
      recipient: { conversationId },
      parts: Array.from({ length: parts }, () => ({ kind: 'text' as const, body: `from the agent ${randomUUID()}` })),
      origin: 'ai',
      expires: { afterMs: 3_600_000 },
      fence: { ...fence, conversationEpoch: epoch ?? fence.conversationEpoch, turnId },
    },
  );
  if (accepted.outcome !== 'accepted') throw new Error(`The message was not accepted: ${accepted.outcome}.`);
  return accepted.messages.map(({ messageId }) => messageId);
}

/** Returns the conversation that now holds the messages. */
export async function rootOf(queries: Queries, conversationId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(merged_into, id) as id from conversation where id = ${conversationId}`.execute(queries.sql);
  return rows[0]?.id ?? conversationId;
}

/** The conversations of the scene's person. */
export function conversationsOf({ conversationId, other, hidden }: Scene): string[] {
  return [conversationId, other, ...hidden];
}

/** Returns the conversations that are now the same one as this. */
export async function listSamePerson(scene: Scene, conversationId: string): Promise<string[]> {
  return scene.database.read(async (queries) => {
    const root = await rootOf(queries, conversationId);
    const same: string[] = [];
    for (const id of conversationsOf(scene)) if ((await rootOf(queries, id)) === root) same.push(id);
    return same;
  });
}

export async function chatIdOf(tx: Tx, conversationId: string): Promise<string> {
  const { rows } = await sql<{
    chatId: string;
  }>`select chat_id as "chatId" from conversation where id = ${conversationId}`.execute(tx.sql);
  return rows[0]?.chatId ?? '';
}

/** Whether the agent may speak in the message's conversation, under the epochs that the message bears. */
export async function fenceHolds(queries: Queries, messageId: string): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`
    select c.epoch = m.conversation_epoch and t.ai_epoch = m.tenant_epoch and (c.mode = 'bot_active' or c.taken_over_by = 'agent')
      and t.ai_enabled and t.ai_mode = 'bot_active' and coalesce((t.persona->>'active')::boolean, true) as holds
    from message m join conversation c on c.id = m.conversation_id
    join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id where m.id = ${messageId}`.execute(queries.sql);
  return rows[0]?.holds === true;
}

/** AI messages that wait in the conversation and that nobody has begun to send. */
export async function listNeverClaimed(queries: Queries, conversationId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.id from message m where m.conversation_id = (select coalesce(merged_into, id) from conversation where id = ${conversationId})
      and m.origin = 'ai' and m.status = 'queued' and m.attempts = 0`.execute(queries.sql);
  return rows.map(({ id }) => id);
}

/** AI messages of the scene in this state, the first of the queue first. */
export async function listAiMessages(scene: Scene, status: 'queued' | 'sending', released: boolean): Promise<string[]> {
  const ids = conversationsOf(scene);
  const { rows } = await scene.database.read((queries) =>
    sql<{ id: string }>`
      select id from message where conversation_id = any(${ids}::text[]) and origin = 'ai' and status = ${status}
        and (released_at is not null or not ${released}) order by lane, chat_seq`.execute(queries.sql),
  );
  return rows.map(({ id }) => id);
}
