import { sql } from 'kysely';
import { z } from 'zod';
import { statusOfAck } from '../../domain/network/ack.ts';
import type { AckLevel } from '../../domain/network/ack.ts';
import { chatKind, NETWORK_ACCOUNT } from '../../domain/network/chat-id.ts';
import { bringsContent } from '../../domain/network/missed.ts';
import { storedKind } from '../../domain/network/network-event.ts';
import type { NetworkMedia, NetworkMessage } from '../../domain/network/network-event.ts';
import type { EndReason } from '../../domain/sending/reasons.ts';
import type { MessageOrigin } from '../../domain/sending/message.ts';
import { STALE_AFTER_MS } from '../../domain/agent/turn.ts';
import { ensureConversation } from '../conversations/conversation.ts';
import type { ConversationRef } from '../conversations/conversation.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { newId } from '../engine/new-id.ts';
import { withoutDeleted } from '../personal-data/deleted.ts';
import type { Source } from '../personal-data/deleted.ts';
import { row } from '../engine/rows.ts';
import type { Session } from '../sessions/session.ts';
import type { Tx } from '../engine/tx.ts';

/** The facts of a session that an event needs; none of them ever changes. */
export type EventSession = Pick<Session, 'id' | 'agencyId' | 'tenantId' | 'name'>;

/** Says which conversation a message belongs to. */
export function chatOf({ chatId, aliases, pushName, networkId, fromMe }: NetworkMessage) {
  // The addresses of a group's message are a member's, not the chat's. The push name of our own messages is ours, but
  // their addresses are the contact's.
  const direct = chatKind(chatId) !== 'group';
  return {
    chatId,
    networkId,
    ...(direct ? { aliases } : {}),
    ...(direct && !fromMe ? { pushName } : {}),
  };
}

/** True for a message that was deleted: the network tells late of it. */
export async function isDeleted(tx: Tx, session: EventSession, message: NetworkMessage): Promise<boolean> {
  return (await messagesWithoutDeleted(tx, session, [message], 'event')).length === 0;
}

/** Leaves out messages that were deleted, by the one check of all writers. */
export async function messagesWithoutDeleted(
  tx: Tx,
  session: EventSession,
  messages: readonly NetworkMessage[],
  source: Source,
): Promise<NetworkMessage[]> {
  return withoutDeleted(tx, session, messages, {
    source,
    checkedOf: (message) => ({ chatIds: sendersOf(message), at: occurredAt(message, tx.now) }),
  });
}

/** The addresses of the person whom a message is with: in a group, whoever wrote it. */
export function sendersOf({ chatId, participant, aliases }: NetworkMessage): string[] {
  const people = chatKind(chatId) === 'group' ? [participant ?? chatId] : [chatId];
  return [...new Set([...people, ...aliases])];
}

export async function conversationOf(tx: Tx, session: EventSession, message: NetworkMessage): Promise<ConversationRef> {
  const scope = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: session.id };
  return ensureConversation(tx, scope, chatOf(message));
}

/** An SQL condition: the network has shown the message `m`, and not what it says. */
export const LACKS_CONTENT = sql`(not is_sent_by_engine(m.origin) and m.revoked_at is null
  and content_level(m.kind, m.body, m.media, m.content) < 2)`;

/** An SQL condition: the network has shown the message `m`, and not that its file is to be seen once. */
export const LACKS_MARK = sql`(not is_sent_by_engine(m.origin)
  and (not is_seen_once(m.content) or m.media is not null))`;

const Written = z.object({
  id: z.string(),
  conversationId: z.string(),
  contactId: z.string().nullable(),
  isForAgent: z.boolean(),
  parked: z.array(z.string()),
  outcome: z.enum(['new', 'live', 'filled', 'captioned', 'completed', 'marked']),
});

/** `wasChanged`: something was done to the message before it came, which `applyParkedChanges` applies. */
interface WrittenMessage {
  id: string;
  outcome: z.output<typeof Written>['outcome'];
  conversation: ConversationRef;
  isForAgent: boolean;
  wasChanged: boolean;
}

/** The keys of what {@link toColumns} makes. */
export const COLUMN_KEYS = {
  id: true,
  direction: true,
  origin: true,
  kind: true,
  content: true,
  body: true,
  media: true,
  chatId: true,
  participant: true,
  networkId: true,
  replyToNetworkId: true,
  at: true,
  status: true,
  ack: true,
  error: true,
  isOwed: true,
} as const;
/** `receive_messages` alone gives the last two to `write_message`. */
export const columnsJson = jsonParameter(
  { ...COLUMN_KEYS, via: 'optional', isBeingMatched: 'optional', recovered: 'optional', erasedDigests: 'optional' },
  'write_message.p',
  'import_past.p_messages',
);

/**
 * Writes a message that the network shows (`write-message.sql`); null when a row has all of it already. Needs the
 * conversation's lock.
 * `isForAgent` is true when the tenant has set the agent up. `passed` names what is known of a send of ours that a
 * route of the backend has made, or says that a message of the phone may still turn out to be a send.
 */
export async function writeNetworkMessage(
  tx: Tx,
  conversation: ConversationRef,
  message: NetworkMessage,
  origin: Exclude<MessageOrigin, 'ai'>,
  passed: { id?: string; via?: 'passthrough'; isBeingMatched?: true } = {},
): Promise<WrittenMessage | null> {
  const columns = { ...toColumns(message, origin, tx.now), ...passed };
  const written = await row(tx, Written)`
    select id, conversation_id as "conversationId", contact_id as "contactId", is_for_agent as "isForAgent",
      parked, outcome
    from write_message(${conversation.id}, ${columnsJson(columns)}::jsonb, ${tx.now})`;
  if (!written) return null;
  const { id, outcome, conversationId, contactId, isForAgent, parked } = written;
  return {
    id,
    outcome,
    conversation: { id: conversationId, chatId: conversation.chatId, contactId },
    isForAgent,
    wasChanged: parked.length > 0,
  };
}

/** Returns the columns of a message for `write_message`. */
export function toColumns(message: NetworkMessage, origin: Exclude<MessageOrigin, 'ai'>, now: Date) {
  const { level, status, error } = message.fromMe ? ownState(message.ack) : RECEIVED;
  const at = occurredAt(message, now);
  const { chatId, kind, body, participant, networkId, replyToNetworkId } = message;
  return {
    id: newId('msg'),
    direction: message.fromMe ? 'out' : 'in',
    origin,
    kind: storedKind(kind),
    content: message.content ?? null,
    body,
    media: fileOf(message),
    chatId,
    participant,
    networkId,
    replyToNetworkId,
    at,
    status,
    ack: level,
    error,
    isOwed:
      !message.fromMe &&
      origin === 'network' &&
      saysSomething(message) &&
      at.getTime() >= now.getTime() - STALE_AFTER_MS,
  };
}

/** True for a message in which somebody has said something; `unsaid` of `agent.sql` decides it for the agent. */
function saysSomething(message: NetworkMessage): boolean {
  return !isNotice(message) && bringsContent(message) && message.chatId !== NETWORK_ACCOUNT;
}

/** True for what nobody wrote: the network's own notices, and calls. */
export function isNotice({ kind }: NetworkMessage): boolean {
  return kind === 'notice' || kind === 'call';
}

const RECEIVED = { level: null, status: 'received', error: null };
/** Answers what is known of a message's file: one whose file was not read still shows that it has one. */
export function fileOf({ media, hasMedia }: NetworkMessage): NetworkMedia | null {
  return media ?? (hasMedia ? UNREAD_FILE : null);
}

const UNREAD_FILE: NetworkMedia = { url: null, mimeType: null, fileName: null, error: null };

/**
 * Answers the state of an own message that the engine has not sent. A message that still waits on the phone (0) counts
 * as sent, like a send that the backend has taken. Without a level the network shows the message, so its server has the
 * message.
 */
function ownState(ack: AckLevel | null): { level: AckLevel; status: string; error: EndReason | null } {
  const level = ack ?? 1;
  if (level === -1) return { level, status: 'failed', error: 'network_error' };
  return { level, status: statusOfAck(level) ?? 'sent', error: null };
}

/**
 * Answers the time of a message; a live message is put at the end of its second. The network tells whole seconds and
 * our times are finer, so an answer would otherwise stand before the message that it answers. A time to come would put
 * the message first in each list until then, so it counts as now, and so does none.
 */
export function occurredAt(message: NetworkMessage, now: Date): Date {
  const startsMs = toldSeconds(message, now) * 1_000;
  return new Date(Math.max(startsMs, Math.min(startsMs + 999, now.getTime())));
}

/** The time of a message in Unix seconds, as dashboards see it. */
export function toldSeconds({ timestamp }: NetworkMessage, now: Date): number {
  const nowS = Math.floor(now.getTime() / 1_000);
  return timestamp <= 0 ? nowS : Math.min(timestamp, nowS);
}
