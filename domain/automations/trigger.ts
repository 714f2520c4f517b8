import { z } from 'zod';
import { MessageStatus } from '../sending/message.ts';
import { InboundKind } from '../sending/message-kind.ts';
import { chosen, hasText, TextFilter, Words } from './text-filter.ts';

export const MAX_MINUTES = 7 * 24 * 60;

/** Whether it must be within the working hours of the tenant's persona, or outside of them. */
const Hours = z.enum(['open', 'closed']);

/** The id or the name of the session in which it must happen; any session when left out. */
const InSession = { session: z.string().min(1).max(100).optional() };

const MessageTrigger = z.strictObject({
  event: z.literal('message'),
  ...InSession,
  text: TextFilter.optional(),
  kinds: z.array(InboundKind).min(1).optional(),
  /** Only the first message of a contact who has not written before. */
  isFirst: z.boolean().optional(),
  /** No message that a run of the same automation takes as the reply it waits for. */
  isReply: z.literal(false).optional(),
  hours: Hours.optional(),
  /** The name of a label that the chat must have. */
  label: z.string().optional(),
  /** The words by which a contact opts out, and in again; it starts with nothing else, and when it changes something. */
  optOut: z.strictObject({ stopWords: Words, startWords: Words }).optional(),
});

const HandoverTrigger = z.strictObject({
  event: z.enum(['conversation.assigned', 'conversation.released']),
  ...InSession,
});

/** A label was put on a chat. */
const LabelTrigger = z.strictObject({
  event: z.literal('conversation.labelled'),
  ...InSession,
  label: z.string(),
});

/** A message that no automation has sent has come to a state. */
const AckTrigger = z.strictObject({ event: z.literal('message.ack'), ...InSession, status: MessageStatus });

const SessionTrigger = z.strictObject({
  event: z.literal('session.status'),
  ...InSession,
  statuses: z.array(z.string()).min(1),
});

/** Nobody has answered what a contact has written last. */
const UnansweredTrigger = z.strictObject({
  event: z.literal('unanswered'),
  ...InSession,
  forMinutes: z.int().min(1).max(MAX_MINUTES),
});

/** The contact has not read what was said last, unless an automation has said it. */
const UnreadTrigger = z.strictObject({
  event: z.literal('unread'),
  ...InSession,
  forMinutes: z.int().min(1).max(MAX_MINUTES),
});

/** The clock of the tenant shows a time, on some days of the week; it has no conversation. */
const ScheduleTrigger = z.strictObject({
  event: z.literal('schedule'),
  /** The hour and minute, as `09:00`. */
  at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  /** 0 is Sunday, 1 Monday, 6 Saturday; every day when left out. */
  days: z.array(z.int().min(0).max(6)).min(1).optional(),
});

const ManualTrigger = z.strictObject({ event: z.literal('request') });

/** Another system posts to the address that the tenant has made for it. */
const WebhookTrigger = z.strictObject({ event: z.literal('webhook') });

/** Starts an automation. A request can start any automation. */
export const Trigger = z.discriminatedUnion('event', [
  MessageTrigger,
  HandoverTrigger,
  LabelTrigger,
  AckTrigger,
  SessionTrigger,
  UnansweredTrigger,
  UnreadTrigger,
  ScheduleTrigger,
  ManualTrigger,
  WebhookTrigger,
]);
export type Trigger = z.infer<typeof Trigger>;

/** The events that start automations, or for which they wait. */
export const TRIGGERING: ReadonlySet<string> = new Set([
  'message',
  'conversation.assigned',
  'conversation.released',
  'conversation.labelled',
  'message.ack',
  'session.status',
] satisfies Trigger['event'][]);

/** The facts of an event that need no query. */
export interface Happening {
  event: string;
  body?: string;
  kind?: string;
  status?: string;
  /** The names of the labels that were put on the chat. */
  labelsAdded?: readonly string[];
}

/** Answers whether a message opts its contact out or in; undefined where the trigger does not ask, null for neither. */
export function optOutOf(trigger: Trigger, body: string): 'out' | 'in' | null | undefined {
  if (trigger.event !== 'message' || trigger.optOut === undefined) return undefined;
  if (chosen(trigger.optOut.stopWords, body) !== null) return 'out';
  return chosen(trigger.optOut.startWords, body) === null ? null : 'in';
}

/** Answers the id or the name of the one session whose events start it; undefined when those of any session do. */
export function sessionOf(trigger: Trigger): string | undefined {
  return 'session' in trigger ? trigger.session : undefined;
}

/** Tells whether an event may start an automation; what the database knows of it is asked later. */
export function matches(trigger: Trigger, happening: Happening): boolean {
  const { event, body = '', kind = '', status = '', labelsAdded = [] } = happening;
  if (trigger.event !== event) return false;
  switch (trigger.event) {
    case 'message':
      return (
        (trigger.kinds === undefined || trigger.kinds.some((each) => each === kind)) &&
        optOutOf(trigger, body) !== null &&
        hasText(trigger.text, body)
      );
    case 'conversation.labelled':
      return chosen(labelsAdded, trigger.label) !== null;
    case 'message.ack':
      return trigger.status === status;
    case 'session.status':
      return trigger.statuses.includes(status);
    default:
      return true;
  }
}
