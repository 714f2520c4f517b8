import { z } from 'zod';
import { listChatAddresses } from '../conversations/conversation.ts';
import type { Conversation } from '../conversations/conversation.ts';
import { one } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';
import { LACKS_CONTENT } from './network-message.ts';

/** The reading of a conversation ends in less, also where it waits for its session. */
const ASKED_WITHIN = '1 day';

const Asked = z.object({ isAsked: z.boolean() });

/**
 * Lists the addresses under which the backend is to read a conversation, its own first. If a repair asks for content
 * that is missing, these are all addresses of the contact: after a merge, the row of a message does not say which of
 * them is its own.
 */
export async function listAddressesToRead(queries: Queries, { id, chatId }: Conversation): Promise<string[]> {
  const { isAsked } = await one(queries, Asked)`
    select exists (select 1 from message m where m.conversation_id = ${id} and ${LACKS_CONTENT}
      and m.content_asked_at > ${queries.now}::timestamptz - ${ASKED_WITHIN}::interval) as "isAsked"`;
  if (!isAsked) return [chatId];
  const others = (await listChatAddresses(queries, id)).filter((address) => address !== chatId);
  return [chatId, ...others.toSorted()];
}
