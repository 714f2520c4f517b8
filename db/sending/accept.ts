import { z } from 'zod';
import { LANES } from '../../domain/sending/message.ts';
import type { MessageOrigin } from '../../domain/sending/message.ts';
import type { NetworkMedia } from '../../domain/network/network-event.ts';
import type { Plan } from '../../domain/sending/plan.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Part } from '../../domain/sending/parts.ts';
import type { Tx } from '../tx.ts';
import { newId } from '../new-id.ts';
import { rows } from '../rows.ts';
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
  /** The parts of the request, at least one; each becomes a message. A file may be in the store already. */
  parts: readonly (Part & { media?: NetworkMedia })[];
  origin: Extract<MessageOrigin, 'api' | 'person' | 'ai'>;
  /** Set when a client of the backend sends by a route of the backend. */
  via?: 'passthrough' | undefined;
  /** True for a message of a broadcast, which goes after everything else and whose ack nobody watches. */
  bulk?: boolean | undefined;
  /** The message that the first part quotes. */
  replyTo?: string | undefined;
  /** The time at which the message becomes due; it goes at once when this is left out or lies in the past. */
  sendAt?: Date | undefined;
  /** The end of the message's waiting time; `afterMs` counts from the time at which it is due. */
  expires: { at: Date } | { afterMs: number };
  resendOf?: string | undefined;
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

const Refused = z.enum(['no_session', 'no_contact', 'no_conversation', 'no_reply_target', 'turn_has_sent']);
export type SendRefused = z.infer<typeof Refused>;

/** The answer of `accept_send`. */
export const AcceptAnswer = z.discriminatedUnion('outcome', [Accepted, z.object({ outcome: Refused })]);
export type AcceptAnswer = z.output<typeof AcceptAnswer>;

const AnswerRow = z.object({ result: AcceptAnswer });

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
  plan: Plan;
}

export type AcceptOutcome = SendAcceptance | { outcome: SendRefused };

/** A request, and whose it is. */
export interface ScopedSend {
  scope: Scope;
  send: NewSend;
}

/** A request that shares a statement with others waits at most this long for a lock; then it is accepted alone. */
const SHARED_LOCK_WAIT_MS = 50;

/** Accepts one request; see {@link acceptSends}. */
export async function acceptSend(tx: Tx, scope: Scope, send: NewSend): Promise<AcceptOutcome> {
  const [outcome] = await acceptSends(tx, [{ scope, send }]);
  if (!outcome) throw new Error('The statement has not answered.');
  return outcome;
}

/**
 * Accepts requests: writes the recipients, the rows, their places in the queues and the history, and promises the
 * delivery of the heads. One statement does all of it (`accept_sends` in `accept.sql`). A single statement is a
 * transaction even without one around it, so what is answered 2xx is never lost.
 */
export async function acceptSends(tx: Tx, requests: readonly ScopedSend[]): Promise<AcceptOutcome[]> {
  const asked = requests.map((request) => asParameters(tx, request));
  const answers = await rows(tx, AnswerRow)`
    select accept_sends(${JSON.stringify(asked)}::jsonb, ${SHARED_LOCK_WAIT_MS}) as result`;
  return asked.map((parameters, index) => {
    const answer = answers[index];
    if (!answer) throw new Error('The statement has not answered every request.');
    return outcomeOf(tx, parameters, answer.result);
  });
}

export type SendParameters = ReturnType<typeof asParameters>;

/** Makes the argument of `accept_send`. */
export function asParameters(tx: Tx, { scope, send }: ScopedSend) {
  const sendAt = send.sendAt && send.sendAt > tx.now ? send.sendAt : undefined;
  const { expires } = send;
  return {
    agencyId: scope.agencyId,
    tenantId: scope.tenantId,
    boundSession: scope.sessionId,
    session: send.session,
    ...send.recipient,
    ...send.fence,
    newConversationId: newId('cnv'),
    newContactId: newId('con'),
    parts: send.parts.map((part) => ({ messageId: newId('msg'), ...part })),
    origin: send.origin,
    via: send.via,
    lane: send.origin === 'api' ? LANES.bulk : LANES.reply,
    bulk: send.bulk ?? false,
    replyTo: send.replyTo,
    resendOf: send.resendOf,
    now: tx.now,
    sendAt,
    expiresAfterMs: 'at' in expires ? undefined : expires.afterMs,
    expiresAt: 'at' in expires ? expires.at : new Date((sendAt ?? tx.now).getTime() + expires.afterMs),
  };
}

/** Turns the answer of `accept_send` into ours, and wakes whoever goes on with the messages. */
export function outcomeOf(tx: Tx, { parts, sendAt }: SendParameters, result: AcceptAnswer): AcceptOutcome {
  if (result.outcome !== 'accepted') return result;
  const { promoted, sessionId, ...where } = result;
  const [first] = parts;
  if (!first) throw new Error('A send has at least one part.');
  if (sendAt) tx.wake('schedule');
  wakePromoted(tx, promoted, sessionId);
  return {
    ...where,
    messageId: first.messageId,
    messages: parts.map(({ messageId, kind }) => ({ messageId, kind })),
    scheduledFor: sendAt?.toISOString() ?? null,
  };
}
