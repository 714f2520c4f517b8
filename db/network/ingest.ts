import { z } from 'zod';
import { chatKind } from '../../domain/network/chat-id.ts';
import { bringsContent, isSeenOnce } from '../../domain/network/missed.ts';
import type {
  NetworkAckEvent,
  NetworkEvent,
  NetworkMessage,
  NetworkMessageEvent,
  NetworkSessionEvent,
  NetworkChatLabelEvent,
  NetworkLabelEvent,
} from '../../domain/network/network-event.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import { reasonOfChange } from '../../domain/sessions/change.ts';
import type { ChangeReason } from '../../domain/sessions/change.ts';
import type { Tx } from '../engine/tx.ts';
import { row, rows } from '../engine/rows.ts';
import { resolveUncertain } from '../sending/open-send.ts';
import { noteTyping } from '../agent/tell-agent.ts';
import { takeParkedAcks } from '../sending/acks/acks.ts';
import type { AckOf } from '../sending/acks/acks.ts';
import { applyAcks } from '../sending/outcome.ts';
import { recordPresence } from '../sending/pace.ts';
import { resumeActions } from '../sending/actions/resume-actions.ts';
import { resumeQueues } from '../sending/promote.ts';
import { endDownGap, openGaps } from '../sessions/gaps.ts';
import { promiseSession } from '../sessions/session-workflow.ts';
import { recordSessionStatus } from '../sessions/session.ts';
import { applyCall } from './notices/call.ts';
import { applyChange } from './changes/change.ts';
import { applyGroup } from './groups/groups.ts';
import { receiveReports } from './held-report.ts';
import { tellArrived } from './inbound.ts';
import type { Arrival } from './inbound.ts';
import { conversationOf, isDeleted, LACKS_CONTENT, LACKS_MARK } from './network-message.ts';
import { insertNotice } from './notices/notice.ts';
import type { EventSession } from './network-message.ts';
import { askAfterReturn } from './phone-questions.ts';
import { fillOwnMessage } from './own-message.ts';
import { parkOwnMessage } from './park-own-message.ts';
import { showOwnMessage } from './show-own-message.ts';
import { tellLabels } from './label-event.ts';
import { recordChatLabel, recordLabels, takeOffDeleted } from '../conversations/labels/labels.ts';

/** `receivedAt` is when the event came, which may be long before it is applied. */
export interface ToldEvent {
  session: EventSession;
  event: NetworkEvent;
  receivedAt: Date | null;
}

/**
 * Applies events to our rows, those of one session in their order, as the second step of the ingest. Every kind of
 * event is safe to apply twice: messages are known by their network id, levels of acks never fall, and an older report
 * of a status never overwrites a newer one.
 *
 * Contacts' messages and acks do not depend on each other, so each session's stretch of them is applied by a few
 * statements, together with those of the other sessions; only their events are emitted in the order in which they came.
 * Any other event is applied alone, between the stretches of its session.
 */
export async function applyNetworkEvents(tx: Tx, told: readonly ToldEvent[]): Promise<void> {
  const news = await withoutKnownEchoes(tx, told);
  let waiting = [...Map.groupBy(news, ({ session }) => session.id).values()];
  while (waiting.length > 0) {
    const stretches = waiting.map((events) => events.slice(0, stretchLength(events)));
    for (const echo of await applyTogether(tx, stretches.flat())) await applyEcho(tx, echo);
    for (const [place, events] of waiting.entries()) {
      const next = events[stretches[place]?.length ?? 0];
      if (next) await applyAlone(tx, next);
    }
    waiting = waiting
      .map((events, place) => events.slice((stretches[place]?.length ?? 0) + 1))
      .filter((events) => events.length > 0);
  }
}

/** Returns how many events at the beginning can be applied together. */
function stretchLength(events: readonly ToldEvent[]): number {
  const end = events.findIndex(({ event }) => !isInbound(event) && !isPlainAck(event));
  return end < 0 ? events.length : end;
}

/** A notice stands in a chat and is nobody's message. */
function isInbound(event: NetworkEvent): event is NetworkMessageEvent {
  return event.kind === 'message' && !event.message.fromMe && event.message.kind !== 'notice';
}

/** True for an ack that only raises its message. */
function isPlainAck(event: NetworkEvent): event is NetworkAckEvent {
  return event.kind === 'ack' && event.level !== -1;
}

/** Returns the arrivals that turned out to be echoes. */
async function applyTogether(tx: Tx, told: readonly ToldEvent[]): Promise<Arrival[]> {
  const inbound = told.flatMap(({ session, event, receivedAt }) =>
    isInbound(event) ? [{ session, message: event.message, isRecovered: event.isRecovered === true, receivedAt }] : [],
  );
  const acks = told.flatMap(({ session, event }) => (isPlainAck(event) ? [{ ...event, sessionId: session.id }] : []));
  const received = await receiveReports(tx, inbound);
  const arrivals = received.values();
  const nextAck = acks.values();
  const steps = told.map(({ event }) => (isInbound(event) ? arrivals.next().value : nextAck.next().value));
  const tellUntil = async (ack?: AckOf): Promise<void> => {
    for (let step = steps.shift(); step !== undefined && step !== ack; step = steps.shift()) {
      if ('message' in step) await tellArrived(tx, step);
    }
  };
  await applyAcks(tx, acks, tellUntil);
  await tellUntil();
  return received.filter(({ isEcho }) => isEcho);
}

/** A message that this session has sent is an echo, also where the backend tells it as a contact's. */
async function applyEcho(tx: Tx, { session, message }: Arrival): Promise<void> {
  const own: NetworkMessage = { ...message, fromMe: true, participant: null, pushName: null, aliases: [] };
  await applyOwnMessage(tx, session, own, null);
}

async function applyAlone(tx: Tx, { session, event, receivedAt }: ToldEvent): Promise<void> {
  switch (event.kind) {
    case 'message':
      if (await isDeleted(tx, session, event.message)) return;
      if (event.message.kind === 'notice') await insertNotice(tx, session, event.message);
      else await applyOwnMessage(tx, session, event.message, receivedAt);
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
    case 'read':
    case 'edited':
    case 'revoked':
    case 'reaction':
    case 'vote':
      await applyChange(tx, session.id, { change: event, tells: true });
      return;
    case 'call':
      await applyCall(tx, session, event);
      return;
    case 'label':
      await applyLabel(tx, session, event);
      return;
    case 'chat_label':
      await applyChatLabel(tx, session, event);
      return;
    case 'group':
      await applyGroup(tx, session, event);
      return;
    case 'ignored':
      return;
  }
}

const KnownId = z.object({ sessionId: z.string(), networkId: z.string() });

/** Leaves out what changes nothing: echoes of messages that are known, and events that are ignored. */
async function withoutKnownEchoes(tx: Tx, told: readonly ToldEvent[]): Promise<ToldEvent[]> {
  const news = told.filter(({ event }) => event.kind !== 'ignored');
  const echoes = news.filter(
    ({ event }) => event.kind === 'message' && event.message.fromMe && !namesBoth(event.message),
  );
  if (echoes.length === 0) return news;
  const known = await rows(tx, KnownId)`
    select m.session_id as "sessionId", m.network_id as "networkId"
    from jsonb_to_recordset(${JSON.stringify(echoes.map(idsOf))}::jsonb)
      as e("sessionId" text, "networkId" text, brings boolean, marks boolean)
    join message m on m.session_id = e."sessionId" and m.direction in ('in', 'out') and m.network_id = e."networkId"
    where (m.direction = 'out' and m.origin <> 'history' or m.content ? 'notice')
      and not (e.brings and ${LACKS_CONTENT}) and not (e.marks and ${LACKS_MARK})`;
  const knownIds = new Set(known.map(({ sessionId, networkId }) => `${sessionId} ${networkId}`));
  const isKnown = (each: ToldEvent): boolean => {
    const { sessionId, networkId } = idsOf(each);
    return knownIds.has(`${sessionId} ${networkId}`);
  };
  return news.filter((each) => !echoes.includes(each) || !isKnown(each));
}

function idsOf({ session, event }: ToldEvent) {
  const message = event.kind === 'message' ? event.message : null;
  return {
    sessionId: session.id,
    networkId: message?.networkId ?? null,
    brings: message !== null && bringsContent(message),
    marks: message !== null && isSeenOnce(message),
  };
}

/** True for a message that names both addresses of its contact; few messages do. */
function namesBoth({ aliases, chatId }: NetworkMessage): boolean {
  return aliases.length > 0 && chatKind(chatId) !== 'group';
}

/**
 * Applies a message of our own account. A message whose id we know is an echo, unless a read of the history alone has
 * brought it, which does not say who wrote it. An unknown message may be the echo of a send that is still under way, so
 * it is parked, and `adoptOwnMessage` decides later. The inbox shows it meanwhile.
 */
async function applyOwnMessage(
  tx: Tx,
  session: EventSession,
  message: NetworkMessage,
  receivedAt: Date | null,
): Promise<void> {
  const known = await findByNetworkId(tx, session.id, message.networkId);
  const fills =
    (known?.lacksContent === true && bringsContent(message)) ||
    (known?.lacksMark === true && !known.isContacts && isSeenOnce(message));
  // A known echo is worth a look at its contact only when it names both of the contact's addresses.
  if (known !== undefined && !fills && !namesBoth(message) && !known.isContacts) return;
  const conversation = await conversationOf(tx, session, message);
  // An earlier report named the contact as its writer. It may be a send whose answer never came, and nothing else.
  if (known?.isContacts === true && !fills) await resolveUncertain(tx, session.id, conversation.id, message);
  if (fills) await fillOwnMessage(tx, conversation, message);
  if (known !== undefined) return;
  if (await resolveUncertain(tx, session.id, conversation.id, message)) return;
  const isNews = await parkOwnMessage(tx, session.id, conversation.id, message, { event: { receivedAt } });
  if (isNews) await showOwnMessage(tx, session.id, conversation, message);
}

const KnownOwn = z.object({ lacksContent: z.boolean(), lacksMark: z.boolean(), isContacts: z.boolean() });

async function findByNetworkId(
  tx: Tx,
  sessionId: string,
  networkId: string,
): Promise<z.output<typeof KnownOwn> | undefined> {
  return row(tx, KnownOwn)`
    select ${LACKS_CONTENT} as "lacksContent", ${LACKS_MARK} as "lacksMark",
      (m.direction = 'in' and not is_notice(m.content)) as "isContacts"
    from message m
    where m.session_id = ${sessionId} and m.direction in ('in', 'out') and m.network_id = ${networkId}
      and m.origin <> 'history'
    order by m.direction desc limit 1`;
}

/**
 * Applies acks that were parked in the moment in which another transaction recorded their message and looked for them,
 * so neither saw the other. It also applies acks of messages that were adopted since.
 */
export async function applyOverlookedAcks(tx: Tx, limit: number): Promise<void> {
  await applyAcks(tx, await takeParkedAcks(tx, limit));
}

/** `reason` is why the session has another status, where the caller knows better than the two statuses tell. */
export async function applySessionStatus(
  tx: Tx,
  session: EventSession,
  seen: NetworkSessionEvent,
  reason?: ChangeReason,
): Promise<void> {
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
      reason: reason ?? reasonOfChange({ ...changed, status: seen.status }, tx.now),
      since: tx.now.toISOString(),
      timestamp: Math.floor(tx.now.getTime() / 1_000),
    },
  });
  if (changed.previous === WORKING) await openGaps(tx, [session.id], { cause: 'session_down', from: tx.now, to: null });
  if (seen.status === WORKING) {
    await endDownGap(tx, session.id);
    await resumeQueues(tx, session.id);
    await resumeActions(tx, session.id);
    await askAfterReturn(tx, session.id);
  }
  // The session's pace comes after the conversations in the order of locks.
  await recordPresence(tx, session.id, seen.status === WORKING);
  await promiseSession(tx, session.id, 'statusChanged');
}

/** Applies that a label of the account was made, changed or deleted. Safe to repeat. */
async function applyLabel(tx: Tx, session: EventSession, event: NetworkLabelEvent): Promise<void> {
  const { label, isDeleted, at } = event;
  await recordLabels(tx, session.id, [{ ...label, isDeleted }], new Date(at));
  if (isDeleted) await takeOffDeleted(tx, session.id, label.id);
}

/** Applies that a label was put on a chat or taken off it. Safe to repeat. */
async function applyChatLabel(tx: Tx, session: EventSession, event: NetworkChatLabelEvent): Promise<void> {
  const { agencyId, tenantId, id: sessionId } = session;
  const { chatId, label, at } = event;
  const place = { agencyId, tenantId, sessionId, chatId };
  if (label && event.isSet) await recordLabels(tx, sessionId, [label], new Date(at));
  if (await recordChatLabel(tx, place, event, new Date(at)))
    await tellLabels(tx, place, event.isSet ? [event.labelId] : []);
}
