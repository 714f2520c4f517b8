import { sql } from 'kysely';
import { z } from 'zod';
import type { NetworkMessage } from '../../domain/network/network-event.ts';
import type { Scope } from '../../domain/scope.ts';
import { MAX_TEXT_LENGTH } from '../../domain/sending/send.ts';
import { storable } from '../../domain/sending/storable.ts';
import { takeOverByPerson } from '../agent/handover.ts';
import { IdRow } from '../engine/columns.ts';
import { ensureConversation, lockConversation, recordLastMessage } from '../conversations/conversation.ts';
import { markRead } from '../conversations/read-marks.ts';
import { newId } from '../engine/new-id.ts';
import { row, rows, run } from '../engine/rows.ts';
import { takeBackReport } from '../sending/taken-back.ts';
import { findSessionById } from '../sessions/session.ts';
import type { Tx } from '../engine/tx.ts';
import { conversationOf, writeNetworkMessage, occurredAt } from './network-message.ts';

const SENT_KINDS = ['text', 'image', 'video', 'audio', 'document', 'location', 'contact', 'other'] as const;

/** A message that a client of the backend sends by a route of the backend. */
export interface PassthroughSend {
  chatId: string;
  kind: (typeof SENT_KINDS)[number];
  body: string;
  origin: 'api' | 'person';
  keyId: string;
}

/** No answer of the backend is waited for as long as this; then the send counts as lost. */
const CALL_MS = 150_000;
/** An SQL condition: the backend's answer to the noted send `p` is waited for. */
export const PASSES_ON = sql`(p.lost_at is null
  and p.started_at > clock_timestamp() - ${CALL_MS} * interval '1 millisecond')`;
/** An own message that the network shows later than this is not taken for a lost send. */
const LOST_SECONDS = 900;

/**
 * Notes a send before it is passed on, so that nobody takes its echo for a person on the phone. A person's message
 * takes the conversation over, and reads it, as every reply does. Returns the id that the message will have.
 */
export async function notePassthroughSend(
  tx: Tx,
  scope: Scope & { sessionId: string },
  send: PassthroughSend,
): Promise<string> {
  const { origin, kind, body, chatId, keyId } = send;
  const conversation = await ensureConversation(tx, scope, { chatId, asWritten: true });
  if (origin === 'person') {
    await takeOverByPerson(tx, scope, conversation.id, { cause: 'reply', keyId });
    await markRead(tx, conversation.id, 'all');
  }
  const id = newId('msg');
  await run(tx)`
    insert into passthrough_send (id, session_id, conversation_id, origin, kind, body, started_at)
    values (${id}, ${scope.sessionId}, ${conversation.id}, ${origin}, ${kind}, ${body}, clock_timestamp())`;
  return id;
}

const NotedRow = z.object({
  id: z.string(),
  sessionId: z.string(),
  conversationId: z.string(),
  chatId: z.string(),
  origin: z.enum(['api', 'person']),
  kind: z.enum(SENT_KINDS),
  body: z.string(),
});

/** Writes a send that the backend has taken into the inbox. */
export async function recordPassthroughSend(
  tx: Tx,
  id: string,
  sent: { networkId: string; chatId: string | null },
): Promise<void> {
  const there = await row(tx, IdRow)`select conversation_id as id from passthrough_send where id = ${id}`;
  if (!there) return;
  await lockConversation(tx, there.id);
  const noted = await row(tx, NotedRow)`
    delete from passthrough_send p using conversation c where p.id = ${id} and c.id = p.conversation_id
    returning p.id, p.session_id as "sessionId", p.conversation_id as "conversationId", c.chat_id as "chatId", p.origin,
      p.kind, p.body`;
  if (!noted) return;
  const message: NetworkMessage = {
    networkId: sent.networkId,
    chatId: noted.chatId,
    fromMe: true,
    source: 'api',
    kind: noted.kind,
    body: noted.body,
    timestamp: Math.floor(tx.now.getTime() / 1_000),
    ack: null,
    hasMedia: false,
    media: null,
    participant: null,
    pushName: null,
    aliases: [],
    replyToNetworkId: null,
  };
  await writeSent(tx, noted, message);
  await run(tx)`
    delete from parked_own_message where session_id = ${noted.sessionId} and network_id = ${sent.networkId}`;
}

/** Forgets a send that the backend has certainly not taken. */
export async function forgetPassthroughSend(tx: Tx, id: string): Promise<void> {
  await run(tx)`delete from passthrough_send where id = ${id}`;
}

/** Notes that nobody waits for the backend's answer any more: now the network alone can tell what came of it. */
export async function losePassthroughSend(tx: Tx, id: string): Promise<void> {
  await run(tx)`update passthrough_send set lost_at = clock_timestamp() where id = ${id}`;
}

/** Removes lost sends that no message was taken for in time. */
export async function forgetLostPassthroughSends(tx: Tx, limit: number): Promise<number> {
  return run(tx)`
    delete from passthrough_send where id = any(array(select id from passthrough_send
      where coalesce(lost_at, started_at) < clock_timestamp() - ${LOST_SECONDS} * interval '1 second'
      order by started_at limit ${limit}))`;
}

const CandidateRow = NotedRow.extend({ isCalled: z.boolean() });

/**
 * Takes an own message of unknown id for a send that was passed on, if it can be one. `called`: the answer to such a
 * send is still waited for, so the message is looked at again later. A message that a person certainly wrote is none.
 * Needs the conversation's lock.
 */
export async function takeForPassthroughSend(
  tx: Tx,
  sessionId: string,
  conversationId: string,
  message: NetworkMessage,
): Promise<'taken' | 'called' | 'none'> {
  const fitting = await listFitting(tx, sessionId, conversationId, message);
  if (fitting.some(({ isCalled }) => isCalled)) return 'called';
  const [send] = fitting;
  if (!send) return 'none';
  await forgetPassthroughSend(tx, send.id);
  await writeSent(tx, send, message);
  return 'taken';
}

/** True where a send that was passed on may be this own message, so the message is not shown beside it. */
export async function mayBePassthroughSend(tx: Tx, ...own: Parameters<OfOwnMessage>): Promise<boolean> {
  return (await listFitting(tx, ...own)).length > 0;
}

type OfOwnMessage = (sessionId: string, conversationId: string, message: NetworkMessage) => void;

/** Lists the sends that were passed on and that may be this own message, the oldest first. */
async function listFitting(
  tx: Tx,
  ...[sessionId, conversationId, message]: Parameters<OfOwnMessage>
): Promise<z.output<typeof CandidateRow>[]> {
  const candidates = await rows(tx, CandidateRow)`
    select p.id, p.session_id as "sessionId", p.conversation_id as "conversationId",
      c.chat_id as "chatId", p.origin, p.kind, p.body,
      ${PASSES_ON} as "isCalled"
    from passthrough_send p join conversation c on c.id = p.conversation_id join session s on s.id = p.session_id
    where p.session_id = ${sessionId} and conversation_now(c) = ${conversationId}
      and p.started_at > clock_timestamp() - ${LOST_SECONDS} * interval '1 second'
      -- The backend remembers what it has sent until its session starts again.
      and (${message.source !== 'app'} or s.status_changed_at > p.started_at)
    order by p.started_at for update of p`;
  return candidates.filter(({ kind, body }) => fits(message, kind, body));
}

function fits(message: NetworkMessage, kind: string, body: string): boolean {
  // Engines show polls, locations and contacts in words of their own.
  if (kind === 'other' || message.kind === 'other' || kind === 'location' || kind === 'contact') return true;
  // The note of the send holds no more.
  return message.kind === kind && storable(message.body, MAX_TEXT_LENGTH) === body;
}

async function writeSent(tx: Tx, noted: z.output<typeof NotedRow>, message: NetworkMessage): Promise<void> {
  const session = await findSessionById(tx, noted.sessionId);
  if (!session) return;
  const conversation = await conversationOf(tx, session, { ...message, chatId: noted.chatId, aliases: [] });
  const { id, origin, kind, body } = noted;
  const shown = { ...message, kind, body: body === '' ? message.body : body };
  const inserted = await writeNetworkMessage(tx, conversation, shown, origin, { id, via: 'passthrough' });
  if (inserted === null) return;
  await takeBackReport(tx, { messageId: inserted.id, sessionId: noted.sessionId, networkId: message.networkId });
  await run(tx)`
    insert into message_history (message_id, at, status) values (${inserted.id}, ${tx.now}, 'sent')`;
  const at = occurredAt(message, tx.now);
  await recordLastMessage(tx, inserted.conversation.id, {
    id: inserted.id,
    body: shown.body,
    fromMe: true,
    at,
    unread: 0,
  });
}
