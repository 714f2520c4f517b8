import { z } from 'zod';
import { statusOfAck } from '../../domain/network/ack.ts';
import type { AckLevel } from '../../domain/network/ack.ts';
import { chatKind, phoneOfChatId, shownAddress } from '../../domain/network/chat-id.ts';
import type { EndReason } from '../../domain/sending/message.ts';
import { STALE_AFTER_MS } from '../../domain/agent/turn.ts';
import type {
  NetworkEvent,
  NetworkMedia,
  NetworkMessage,
  NetworkSessionEvent,
} from '../../domain/network/network-event.ts';
import { WORKING } from '../../domain/session.ts';
import { findPhones } from '../conversations/contact.ts';
import { ensureConversation, recordLastMessage } from '../conversations/conversation.ts';
import type { ConversationRef } from '../conversations/conversation.ts';
import { IdRow } from '../columns.ts';
import type { Tx } from '../tx.ts';
import { newId } from '../new-id.ts';
import { row } from '../rows.ts';
import { resolveUncertain } from '../sending/open-send.ts';
import { noteTyping, tellAgent } from '../agent/tell-agent.ts';
import { takeParkedAcks } from '../sending/acks/acks.ts';
import { applyAcks } from '../sending/outcome.ts';
import { recordPresence } from '../sending/pace.ts';
import { resumeQueues } from '../sending/promote.ts';
import { promiseSession } from '../sessions/session-workflow.ts';
import { recordSessionStatus } from '../sessions/session.ts';
import { parkOwnMessage } from './park-own-message.ts';
import { applyRevoke, takenBackAt } from './revoke.ts';
import { recordSelected } from './selection.ts';
import type { Session } from '../sessions/session.ts';

/** What applying an event needs of its session: none of it ever changes. */
export type EventSession = Pick<Session, 'id' | 'agencyId' | 'tenantId' | 'name'>;

/** `receivedAt` is when the event came, which may be long before it is applied. */
export interface ToldEvent {
  session: EventSession;
  event: NetworkEvent;
  receivedAt: Date | null;
}

/** Applies events of the network, those of one session in their order. */
export async function applyNetworkEvents(tx: Tx, told: readonly ToldEvent[]): Promise<void> {
  for (const { session, event, receivedAt } of told) await applyNetworkEvent(tx, session, event, receivedAt);
}

/**
 * Applies one event to our rows, as the second step of the ingest. Every kind of event is safe to apply twice: messages
 * are known by their network id, levels of acks never fall, and an older report of a status never overwrites a newer
 * one. `receivedAt` is when the event came, which may be long before it is applied.
 */
export async function applyNetworkEvent(
  tx: Tx,
  session: EventSession,
  event: NetworkEvent,
  receivedAt: Date | null = null,
): Promise<void> {
  switch (event.kind) {
    case 'message':
      await (event.message.fromMe
        ? applyOwnMessage(tx, session, event.message, receivedAt)
        : applyInboundMessage(tx, session, event.message));
      return;
    case 'ack':
      await applyAcks(tx, [{ ...event, sessionId: session.id }]);
      return;
    case 'session':
      await applySessionStatus(tx, session, event);
      return;
    case 'typing':
      await noteTyping(tx, { sessionId: session.id, chatId: event.chatId }, event.isTyping);
      return;
    case 'revoked':
      await applyRevoke(tx, session.id, event.networkId);
      return;
    case 'ignored':
      return;
  }
}

async function applyInboundMessage(tx: Tx, session: EventSession, message: NetworkMessage): Promise<void> {
  const inserted = await insertNetworkMessage(
    tx,
    session,
    await conversationOf(tx, session, message),
    message,
    'network',
  );
  if (inserted === null) return;
  const { id, conversation } = inserted;
  const at = occurredAt(message, tx.now);
  await recordLastMessage(tx, conversation.id, { id, body: message.body, fromMe: false, at, unread: 1 });
  const from = await shownSender(tx, session, message);
  const replyTo = await findByNetworkId(tx, session.id, message.replyToNetworkId);
  tx.emit({
    event: 'message',
    agencyId: session.agencyId,
    tenantId: session.tenantId,
    sessionId: session.id,
    conversationId: conversation.id,
    payload: {
      body: message.body,
      timestamp: message.timestamp,
      from,
      fromKind: from.includes('@') ? 'chat' : 'phone',
      messageId: id,
      conversationId: conversation.id,
      contactId: conversation.contactId,
      chatId: conversation.chatId,
      pushName: message.pushName,
      kind: message.kind,
      hasMedia: message.hasMedia,
      replyTo,
      selected: await recordSelected(tx, id, { conversationId: conversation.id, message, replyTo, at }),
    },
  });
  if (inserted.isForAgent) await tellAgent(tx, conversation.id, id);
}

/**
 * Answers the sender as dashboards see it: the phone under which the network shows the sender, else a phone that the
 * message names besides, else the phone that we know.
 */
async function shownSender(
  tx: Tx,
  session: EventSession,
  { participant, chatId, aliases }: NetworkMessage,
): Promise<string> {
  const sender = participant ?? chatId;
  const told = [sender, ...aliases];
  const known = told.some((address) => phoneOfChatId(address) !== null)
    ? undefined
    : (await findPhones(tx, session, [sender])).get(sender);
  return shownAddress(sender, ...aliases, known);
}

/**
 * Applies a message of our own account. A message whose id we know is an echo. An unknown message may be the echo of a
 * send that is still under way, so it is parked, and `adoptOwnMessage` decides later.
 */
async function applyOwnMessage(
  tx: Tx,
  session: EventSession,
  message: NetworkMessage,
  receivedAt: Date | null,
): Promise<void> {
  const isKnown = (await findByNetworkId(tx, session.id, message.networkId)) !== null;
  // A known echo is worth a look at its contact only when it names both addresses of the contact, because few other
  // messages do.
  const namesBoth = message.aliases.length > 0 && chatKind(message.chatId) !== 'group';
  if (isKnown && !namesBoth) return;
  const conversation = await conversationOf(tx, session, message);
  if (isKnown) return;
  if (await resolveUncertain(tx, session.id, conversation.id, message)) return;
  await parkOwnMessage(tx, session.id, conversation.id, message, receivedAt);
}

export async function conversationOf(tx: Tx, session: EventSession, message: NetworkMessage): Promise<ConversationRef> {
  const scope = { agencyId: session.agencyId, tenantId: session.tenantId, sessionId: session.id };
  const { chatId, aliases, pushName, networkId } = message;
  // The addresses of a group's message are a member's, not the chat's. The push name of our own messages is ours, but
  // their addresses are the contact's.
  const direct = chatKind(chatId) !== 'group';
  return ensureConversation(tx, scope, {
    chatId,
    networkId,
    ...(direct ? { aliases } : {}),
    ...(direct && !message.fromMe ? { pushName } : {}),
  });
}

const Inserted = z.object({
  id: z.string(),
  conversationId: z.string(),
  contactId: z.string().nullable(),
  isForAgent: z.boolean(),
});

/**
 * Writes a message that the network shows; null when we have it already. A message that a read of the history brought
 * before its live event becomes live, because no dashboard has been told of it. Needs the conversation's lock.
 * `isForAgent` is true when the tenant has set the agent up, which must be told of what a contact says.
 */
export async function insertNetworkMessage(
  tx: Tx,
  session: EventSession,
  conversation: ConversationRef,
  message: NetworkMessage,
  origin: 'network' | 'phone' | 'history',
): Promise<{ id: string; conversation: ConversationRef; isForAgent: boolean } | null> {
  const { level, status, error } = message.fromMe ? ownState(message.ack) : RECEIVED;
  // A message whose file was not read still shows that it has a file.
  const media = message.media ?? (message.hasMedia ? UNREAD_FILE : null);
  const at = occurredAt(message, tx.now);
  const isOwed = !message.fromMe && origin === 'network' && at.getTime() >= tx.now.getTime() - STALE_AFTER_MS;
  const inserted = await row(tx, Inserted)`
    insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
      body, media, participant, network_id, reply_to_network_id, occurred_at, status, ack, error_code, awaits_turn,
      created_at, updated_at, revoked_at)
    select ${newId('msg')}, ${session.agencyId}, ${session.tenantId}, ${session.id}, c.id, c.contact_id,
      ${message.fromMe ? 'out' : 'in'}, ${origin}, ${message.kind}, ${message.body},
      ${media && JSON.stringify(media)}::jsonb, ${message.participant}, ${message.networkId},
      ${message.replyToNetworkId}, ${at}::timestamptz, ${status}, ${level}::smallint, ${error},
      -- This is a guess, because the tenant is not locked; \`tell_agent\` decides under its locks.
      ${isOwed} and agent_is_set_up(t) and agent_silence(c, t, is_suspended(a.status)) is null,
      ${tx.now}::timestamptz, ${tx.now}::timestamptz,
      ${takenBackAt(session.id, message.networkId)}
    from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    join agency a on a.id = c.agency_id where c.id = ${conversation.id}
    on conflict (network_id, session_id, direction) where network_id is not null
    do update set origin = excluded.origin, created_at = excluded.created_at, updated_at = excluded.updated_at,
      media = coalesce(excluded.media, message.media)
      where message.origin = 'history' and excluded.origin = 'network'
    returning id, conversation_id as "conversationId", contact_id as "contactId",
      (select agent_is_set_up(t) from tenant t
      where t.agency_id = message.agency_id and t.id = message.tenant_id) as "isForAgent"`;
  if (!inserted) return null;
  const { id, conversationId, contactId, isForAgent } = inserted;
  return { id, conversation: { id: conversationId, chatId: conversation.chatId, contactId }, isForAgent };
}

const RECEIVED = { level: null, status: 'received', error: null };
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
 * our times are finer, so an answer would otherwise stand before the message that it answers.
 */
export function occurredAt(message: NetworkMessage, now: Date): Date {
  const startsMs = message.timestamp * 1_000;
  return new Date(Math.max(startsMs, Math.min(startsMs + 999, now.getTime())));
}

async function findByNetworkId(tx: Tx, sessionId: string, networkId: string | null): Promise<string | null> {
  if (networkId === null) return null;
  const known = await row(tx, IdRow)`
    select id from message where session_id = ${sessionId} and direction in ('in', 'out') and network_id = ${networkId}
    limit 1`;
  return known?.id ?? null;
}

/**
 * Applies acks that were parked in the moment in which another transaction recorded their message and looked for them,
 * so neither saw the other. It also applies acks of messages that were adopted since.
 */
export async function applyOverlookedAcks(tx: Tx, limit: number): Promise<void> {
  await applyAcks(tx, await takeParkedAcks(tx, limit));
}

export async function applySessionStatus(tx: Tx, session: EventSession, seen: NetworkSessionEvent): Promise<void> {
  const at = new Date(seen.at);
  const changed = await recordSessionStatus(tx, session.id, {
    status: seen.status,
    at,
    account: seen.me,
    platform: seen.platform,
  });
  if (!changed) return;
  tx.emit({
    event: 'session.status',
    agencyId: session.agencyId,
    tenantId: session.tenantId,
    sessionId: session.id,
    conversationId: null,
    payload: {
      sessionId: session.id,
      name: session.name,
      status: seen.status,
      previousStatus: changed.previous,
      timestamp: Math.floor(tx.now.getTime() / 1_000),
    },
  });
  if (seen.status === WORKING) await resumeQueues(tx, session.id);
  // The session's pace comes after the conversations in the order of locks.
  await recordPresence(tx, session.id, seen.status === WORKING);
  await promiseSession(tx, session.id, 'statusChanged');
}
