import { z } from 'zod';
import { ADOPT_AFTER_MS } from '../../domain/agent/turn.ts';
import { cut } from '../../domain/cut.ts';
import { chatKind } from '../../domain/network/chat-id.ts';
import { kindWith, NetworkMessage } from '../../domain/network/network-event.ts';
import { mayBeEchoOf } from '../../domain/sending/echo.ts';
import { lockConversation, MAX_LINE_LENGTH } from '../conversations/conversation.ts';
import type { ConversationRef } from '../conversations/conversation.ts';
import type { Database } from '../engine/database.ts';
import { row, rows, run } from '../engine/rows.ts';
import { listOpenSends } from '../sending/open-send.ts';
import { findSessionById } from '../sessions/session.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { conversationOf, occurredAt, writeNetworkMessage } from './network-message.ts';
import { mayBePassthroughSend } from './passthrough-send.ts';

/** True while a send whose call goes on may be this own message of unknown id. */
export async function isSendUnderWay(
  queries: Queries,
  sessionId: string,
  conversationId: string,
  message: NetworkMessage,
): Promise<boolean> {
  const sends = await listOpenSends(queries, sessionId, 'under_way');
  return sends.some((send) => mayBeEchoOf(message, conversationId, send));
}

/**
 * Shows a parked own message in the inbox before it is known who wrote it, unless a send explains it: that send shows
 * the same words already. Until `adoptOwnMessage` has decided, it causes no event, no takeover and no change of what is
 * unread, and the agent does not read it. Needs the conversation's lock.
 */
export async function showOwnMessage(
  tx: Tx,
  sessionId: string,
  conversation: ConversationRef,
  message: NetworkMessage,
): Promise<void> {
  if (await isExplained(tx, sessionId, conversation.id, message)) return;
  if (await mayBePassthroughSend(tx, sessionId, conversation.id, message)) return;
  const shown = await writeNetworkMessage(tx, conversation, message, 'phone', { isBeingMatched: true });
  if (shown === null) return;
  const at = occurredAt(message, tx.now);
  await run(tx)`
    update parked_own_message set shown_id = ${shown.id}, attempts = 0, error = null
    where session_id = ${sessionId} and network_id = ${message.networkId}`;
  await run(tx)`
    update conversation set last_message_id = ${shown.id}, last_message_body = ${cut(message.body, MAX_LINE_LENGTH)},
      last_message_from_me = true, last_message_at = ${at}
    where id = ${shown.conversation.id} and coalesce(last_message_at <= ${at}, true)`;
  tx.wake('changed');
}

/**
 * True while a send under way shows the same already. A hidden id may be that of any contact, so what came under one is
 * compared with the sends to all chats.
 */
async function isExplained(
  queries: Queries,
  sessionId: string,
  conversationId: string,
  message: NetworkMessage,
): Promise<boolean> {
  const sends = await listOpenSends(queries, sessionId, 'under_way');
  const isHidden = chatKind(message.chatId) === 'lid';
  return sends.some((send) => mayBeEchoOf(message, isHidden ? send.conversationId : conversationId, send));
}

/** A send under way ends within this time as a rule, so a message that it may be is rarely looked at again. */
const SHOWN_AFTER_MS = 1_000;

const Hidden = z.object({ sessionId: z.string(), networkId: z.string(), conversationId: z.string() });
type Hidden = z.output<typeof Hidden>;
const HiddenMessage = z.object({
  message: NetworkMessage.transform((message) => ({ ...message, kind: kindWith(message.kind, message.content) }))
    .nullable()
    .catch(null),
});

/**
 * Shows own messages that a send explained when they came, and that none explains any more. One that differs from its
 * schema is left to `adoptOwnMessage`, which notes the failure. One that cannot be shown holds up no other: the answer
 * names it, its row has the error, and it is tried again behind the others until `adoptOwnMessage` decides.
 */
export async function showUnexplained(
  database: Pick<Database, 'read' | 'transaction'>,
  { limit, stop }: { limit: number; stop?: AbortSignal },
): Promise<{ sessionId: string; error: unknown }[]> {
  const failures: { sessionId: string; error: unknown }[] = [];
  const hidden = await database.read((queries) => listHidden(queries, limit));
  for (const parked of hidden) {
    if (stop?.aborted === true) break;
    try {
      await database.transaction((tx) => showHidden(tx, parked));
    } catch (error) {
      const name = error instanceof Error ? error.name : 'unknown';
      await database.transaction((tx) => noteNotShown(tx, parked, name));
      failures.push({ sessionId: parked.sessionId, error });
    }
  }
  return failures;
}

async function showHidden(tx: Tx, { sessionId, networkId, conversationId }: Hidden): Promise<void> {
  await lockConversation(tx, conversationId);
  const found = await row(tx, HiddenMessage)`
    select p.message from parked_own_message p
    where p.session_id = ${sessionId} and p.network_id = ${networkId} and not is_held(p) for update`;
  const message = found?.message;
  const session = message && (await findSessionById(tx, sessionId));
  if (!session) return;
  await showOwnMessage(tx, sessionId, await conversationOf(tx, session, message), message);
}

/** Counts as one attempt, however often it fails: the pauses of `adoptOwnMessage` grow with its own. */
async function noteNotShown(tx: Tx, { sessionId, networkId }: Hidden, error: string): Promise<void> {
  await run(tx)`
    update parked_own_message set attempts = greatest(attempts, 1), error = ${error.slice(0, 500)}
    where session_id = ${sessionId} and network_id = ${networkId}`;
}

/** A send of the conversation that goes on has explained the message as it came, so that is not asked again. */
async function listHidden(queries: Queries, limit: number): Promise<Hidden[]> {
  return rows(queries, Hidden)`
    select p.session_id as "sessionId", p.network_id as "networkId", p.conversation_id as "conversationId"
    from parked_own_message p
    where p.parked_at between clock_timestamp() - ${ADOPT_AFTER_MS} * interval '1 millisecond'
        and clock_timestamp() - ${SHOWN_AFTER_MS} * interval '1 millisecond'
      and not is_held(p) and p.shown_id is null
      and not exists (select 1 from message s
        where s.conversation_id = p.conversation_id and s.status = 'sending')
      and not exists (select 1 from message m
        where m.session_id = p.session_id and m.direction = 'out' and m.network_id = p.network_id)
    order by p.attempts > 0, p.parked_at limit ${limit}`;
}
