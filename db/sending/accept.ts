import { z } from 'zod';
import { outgoingKindOf, storedKindOf } from '../../domain/sending/content.ts';
import type { EndReason } from '../../domain/sending/reasons.ts';
import { LANES } from '../../domain/sending/message.ts';
import type { MessageOrigin } from '../../domain/sending/message.ts';
import type { Plan } from '../../domain/sending/plan.ts';
import type { Scope } from '../../domain/scope.ts';
import { enginesUnableTo, isNativeOnly } from '../../domain/sending/native/native-kinds.ts';
import type { Part } from '../../domain/sending/parts.ts';
import { currentTrace } from '../../domain/telemetry/tracing.ts';
import type { Tx } from '../engine/tx.ts';
import { FORMER_WAKEUPS } from '../engine/notifications.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { newId } from '../engine/new-id.ts';
import { one, rows } from '../engine/rows.ts';
import { endMessage } from './outcome.ts';
import { PlanOf } from './plan.ts';
import { Promoted, wakePromoted } from './promote.ts';

export interface NewSend {
  /**
   * A session of the tenant, by id or name. When none is named, the conversation's session is used, else the key's,
   * else the tenant's default.
   */
  session?: string | undefined;
  /** The recipient, named in one of three ways; `chatId` is canonical. */
  recipient: { conversationId: string } | { contactId: string } | { chatId: string };
  /** The parts of the request, at least one; each becomes a message. */
  parts: readonly Part[];
  origin: Extract<MessageOrigin, 'api' | 'person' | 'ai'>;
  /** Set when a client of the backend sends by a route of the backend, or when an automation sends. */
  via?: 'passthrough' | 'automation' | undefined;
  /** The epoch in which an automation found the conversation; the claim cancels what it says once a person has it. */
  hands?: number | undefined;
  /**
   * The run that says it; the claim cancels it once a person has ended the run. With `whileSo` the claim also asks
   * whether what began the run is still so.
   */
  ofRun?: { executionId: string; whileSo: boolean } | undefined;
  /** True for what the contact gets although they have opted out, such as the answer to an order. */
  transactional?: boolean | undefined;
  /** True for a message of a broadcast, which goes after everything else and whose ack nobody watches. */
  bulk?: boolean | undefined;
  /** The message that the first part quotes. */
  replyTo?: string | undefined;
  /** The time at which the message becomes due; it goes at once when this is left out or lies in the past. */
  sendAt?: Date | undefined;
  /** The end of the message's waiting time; `afterMs` counts from the time at which it is due. */
  expires: { at: Date } | { afterMs: number };
  resendOf?: string | undefined;
  /** The session that has the message which is forwarded: no other can forward it. */
  forwardsIn?: string | undefined;
  /**
   * The epochs that the agent's turn saw. The claim cancels the message when an epoch has changed, because a person has
   * taken over since.
   */
  fence?: { conversationEpoch: number; tenantEpoch: number; turnId: string } | undefined;
}

const Accepted = z.object({
  outcome: z.literal('accepted'),
  conversationId: z.string(),
  contactId: z.string().nullable(),
  chatId: z.string(),
  platform: z.string().nullable(),
  quotes: z.boolean(),
  sessionId: z.string(),
  promoted: Promoted,
  plan: PlanOf,
});

const Refused = z.enum([
  'no_session',
  'no_contact',
  'no_conversation',
  'no_reply_target',
  'other_session',
  'former_process',
  'turn_has_sent',
]);
export type SendRefused = z.infer<typeof Refused>;

/** The engine behind the session cannot send one of the parts, and nothing was written. */
const Unable = z.object({ outcome: z.literal('not_supported'), platform: z.string() });

/** The answer of `accept_send`. */
export const AcceptAnswer = z.discriminatedUnion('outcome', [
  Accepted,
  Unable,
  z.object({ outcome: Refused }),
  z.object({ outcome: z.literal('opted_out') }),
]);
export type AcceptAnswer = z.output<typeof AcceptAnswer>;

const AnswerRow = z.object({ result: AcceptAnswer });

/** The keys of the argument of `accept_send`; {@link asParameters} makes it. */
export const SEND_KEYS = {
  agencyId: true,
  tenantId: true,
  boundSession: true,
  session: true,
  forwardsIn: true,
  unable: true,
  notBeside: true,
  conversationId: true,
  contactId: true,
  chatId: true,
  conversationEpoch: true,
  tenantEpoch: true,
  turnId: true,
  executionId: true,
  whileSo: true,
  newConversationId: true,
  newContactId: true,
  parts: { messageId: true, kind: true, body: true, content: true, media: true },
  origin: true,
  via: true,
  trace: true,
  lane: true,
  bulk: true,
  transactional: true,
  ifOptedOut: true,
  replyTo: true,
  resendOf: true,
  now: true,
  sendAt: true,
  expiresAfterMs: true,
  expiresAt: true,
} as const;
const sendJson = jsonParameter(SEND_KEYS, 'accept_send.p', 'accept_sends.p_sends');

export interface SendAcceptance {
  outcome: 'accepted';
  /** The first message of the request. */
  messageId: string;
  messages: { messageId: string; kind: Part['kind'] }[];
  conversationId: string;
  contactId: string | null;
  chatId: string;
  /** The engine behind the session, as far as it is known. */
  platform: string | null;
  /** True when the first message quotes another message. */
  quotes: boolean;
  scheduledFor: string | null;
  /** Why the messages have ended already, where they have. */
  ended?: EndReason;
  plan: Plan;
}

export type AcceptOutcome =
  SendAcceptance | { outcome: SendRefused } | { outcome: 'not_supported'; platform: string; kinds: Part['kind'][] };

/** Nothing was written, because the contact has opted out; see {@link acceptSend}. */
interface OptedOut {
  outcome: 'opted_out';
}

/** A request, and whose it is. */
export interface ScopedSend {
  scope: Scope;
  send: NewSend;
  /** The trace of the request, kept with its messages; undefined where nobody traces. */
  trace?: string | undefined;
}

/** A request that shares a statement with others waits at most this long for a lock; then it is accepted alone. */
const SHARED_LOCK_WAIT_MS = 50;

/**
 * Accepts one request in a transaction; see {@link acceptSends}. A message to a contact who has opted out ends at once.
 */
export async function acceptSend(tx: Tx, scope: Scope, send: NewSend): Promise<AcceptOutcome> {
  const [outcome] = await acceptSends(tx, [{ scope, send, trace: currentTrace() }]);
  if (!outcome) throw new Error('The statement has not answered.');
  if (outcome.outcome !== 'opted_out') return outcome;
  const parameters = { ...asParameters(tx, { scope, send }), ifOptedOut: 'end' };
  const { result } = await one(tx, AnswerRow)`
    select accept_send(${sendJson(parameters)}::jsonb) as result`;
  const accepted = outcomeOf(tx, parameters, result);
  if (accepted.outcome === 'opted_out') throw new Error('It was to be accepted all the same.');
  if (accepted.outcome !== 'accepted') return accepted;
  // The first message is the head of the queue, so that it ends last.
  for (const { messageId } of accepted.messages.toReversed()) {
    await endMessage(tx, messageId, { status: 'failed', reason: 'opted_out', detail: null });
  }
  return { ...accepted, ended: 'opted_out' };
}

/**
 * Accepts requests: writes the recipients, the rows, their places in the queues and the history, and promises the
 * delivery of the heads. One statement does all of it (`accept_sends` in `accept.sql`). A single statement is a
 * transaction even without one around it, so what is answered 2xx is never lost.
 */
export async function acceptSends(tx: Tx, requests: readonly ScopedSend[]): Promise<(AcceptOutcome | OptedOut)[]> {
  const asked = requests.map((request) => asParameters(tx, request));
  const answers = await rows(tx, AnswerRow)`
    select accept_sends(${sendJson(asked)}::jsonb, ${SHARED_LOCK_WAIT_MS}) as result`;
  return asked.map((parameters, index) => {
    const answer = answers[index];
    if (!answer) throw new Error('The statement has not answered every request.');
    return outcomeOf(tx, parameters, answer.result);
  });
}

export type SendParameters = ReturnType<typeof asParameters>;

/** Makes the argument of `accept_send`. */
export function asParameters(tx: Tx, { scope, send, trace }: ScopedSend) {
  const sendAt = send.sendAt && send.sendAt > tx.now ? send.sendAt : undefined;
  const { expires } = send;
  // A person who answers in a dashboard knows whom they answer; the backend's own routes are programs' as well.
  const transactional = send.transactional === true || (send.origin === 'person' && send.via !== 'passthrough');
  const kinds = send.parts.map(({ kind }) => kind);
  return {
    agencyId: scope.agencyId,
    tenantId: scope.tenantId,
    boundSession: scope.sessionId,
    session: send.session ?? ('conversationId' in send.recipient ? undefined : send.forwardsIn),
    forwardsIn: send.forwardsIn,
    // Such a kind is refused where the session's engine cannot send it, and while a process of the former release is
    // connected, which would send its words alone.
    ...(kinds.some(isNativeOnly) ? { unable: enginesUnableTo(kinds), notBeside: FORMER_WAKEUPS } : {}),
    ...send.recipient,
    ...send.fence,
    ...(send.hands === undefined ? {} : { conversationEpoch: send.hands }),
    ...(send.ofRun === undefined ? {} : send.ofRun),
    newConversationId: newId('cnv'),
    newContactId: newId('con'),
    parts: send.parts.map(({ kind, ...part }) => ({ messageId: newId('msg'), ...part, kind: storedKindOf(kind) })),
    origin: send.origin,
    via: send.via,
    trace,
    lane: send.origin === 'api' ? LANES.bulk : LANES.reply,
    bulk: send.bulk ?? false,
    ...(transactional ? { transactional } : { ifOptedOut: 'refuse' }),
    replyTo: send.replyTo,
    resendOf: send.resendOf,
    now: tx.now,
    sendAt,
    expiresAfterMs: 'at' in expires ? undefined : expires.afterMs,
    expiresAt: 'at' in expires ? expires.at : new Date((sendAt ?? tx.now).getTime() + expires.afterMs),
  };
}

/** Turns the answer of `accept_send` into ours, and wakes whoever goes on with the messages. */
export function outcomeOf(
  tx: Tx,
  { parts, sendAt }: Pick<SendParameters, 'parts' | 'sendAt'>,
  result: AcceptAnswer,
): AcceptOutcome | OptedOut {
  if (result.outcome === 'not_supported') {
    return { ...result, kinds: parts.map(({ kind, content }) => sentKind(kind, content)) };
  }
  if (result.outcome !== 'accepted') return result;
  const { promoted, sessionId, ...where } = result;
  const [first] = parts;
  if (!first) throw new Error('A send has at least one part.');
  if (sendAt) tx.wake('schedule');
  wakePromoted(tx, promoted, sessionId);
  return {
    ...where,
    messageId: first.messageId,
    messages: parts.map(({ messageId, kind, content }) => ({ messageId, kind: sentKind(kind, content) })),
    scheduledFor: sendAt?.toISOString() ?? null,
  };
}

function sentKind(kind: string, content: Part['content']): Part['kind'] {
  const sent = outgoingKindOf(kind, content);
  if (sent === null) throw new Error(`A ${kind} is nothing that we send.`);
  return sent;
}
