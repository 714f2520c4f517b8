import { z } from 'zod';
import { STALE_AFTER_MS, TYPING_LASTS_MS } from '../../domain/agent/turn.ts';
import { row, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { returnToAgent } from './settle-owed.ts';
import { newId } from '../engine/new-id.ts';

/** The answer of `tell_agent`. */
export const Told = z.enum(['none', 'silent', 'waiting', 'wake', 'return_due']);
const ToldRow = z.object({ told: Told });

/**
 * Tells the agent of a live inbound message (`agent.sql`). If it is known that the agent says nothing to the message, a
 * turn records that at once. Otherwise the agent is woken, unless it was woken for an earlier message and has not begun
 * to answer. Needs the conversation's lock.
 */
export async function tellAgent(tx: Tx, conversationId: string, messageId: string): Promise<void> {
  const found = await row(tx, ToldRow)`
    select tell_agent(${conversationId}, ${messageId}, ${newId('trn')}, ${tx.now},
      ${STALE_AFTER_MS} * interval '1 millisecond') as told`;
  const told = found?.told;
  if (told === 'return_due' && (await returnToAgent(tx, conversationId))) {
    await tellAgent(tx, conversationId, messageId);
  }
  if (told === 'wake') tx.wake('dispatch');
}

/**
 * Notes that a contact types or has stopped. This is a hint, and matters only while a message of the contact waits for
 * its turn.
 */
export async function noteTyping(
  tx: Tx,
  chat: { sessionId: string; chatId: string },
  isTyping: boolean,
): Promise<void> {
  const until = new Date(tx.now.getTime() + (isTyping ? TYPING_LASTS_MS : 0));
  await run(tx)`
    update conversation c set typing_until = ${until},
      typing_at = case when ${isTyping} then ${tx.now}::timestamptz else typing_at end
    where c.id in (
      select k.id from conversation k where k.session_id = ${chat.sessionId} and k.chat_id = ${chat.chatId}
      union
      select k.id from contact_alias l join session s on s.id = ${chat.sessionId}
      join conversation k on k.contact_id = l.contact_id and k.session_id = s.id
      where l.chat_id = ${chat.chatId} and l.agency_id = s.agency_id and l.tenant_id = s.tenant_id)
      and c.mode = 'bot_active' and (${isTyping} or c.typing_until > ${tx.now})
      and exists (select 1 from message m where m.conversation_id = c.id and m.awaits_turn)`;
}
