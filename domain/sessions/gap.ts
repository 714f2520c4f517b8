import { z } from 'zod';
import { explained } from '../explained.ts';
import { SessionId } from '../ids.ts';

/** For a session with a gap, the supervisor compares it with its backend and fetches the missed messages. */
export const GAP_COMPARISON = 'gap_comparison';

/** Why messages may have been lost. */
export const GAP_CAUSE_TEXTS = {
  engine_down: 'No process of the engine could receive events.',
  session_down: 'The session did not work.',
  backend_restarted: 'The messaging backend was restarted, which loses what it had not yet reported.',
  silence: 'The session reported that it worked, but reported no events.',
  parked_events: 'An event of the messaging backend could not be read or applied.',
  audit: 'A chat that was compared at random showed messages that were missing here.',
} as const;
export const GAP_CAUSES = [
  'engine_down',
  'session_down',
  'backend_restarted',
  'silence',
  'parked_events',
  'audit',
] as const satisfies (keyof typeof GAP_CAUSE_TEXTS)[];
export type GapCause = (typeof GAP_CAUSES)[number];

export const GAP_STATE_TEXTS = {
  open: 'It is in progress, or waits to be compared.',
  comparing: 'Chats are being compared with the messaging backend, or are compared once more later.',
  closed: 'It was compared; `unknown` says what could not be compared.',
} as const;
export const GAP_STATES = ['open', 'comparing', 'closed'] as const satisfies (keyof typeof GAP_STATE_TEXTS)[];
export type GapState = (typeof GAP_STATES)[number];

/** Why something remains unknown. */
export const GAP_UNKNOWN_TEXTS = {
  too_old: 'It began more than a week ago; anything before that was not compared.',
  too_many_chats:
    'More than 500 chats have had messages since then; the chats with the oldest messages were not compared.',
  chat_too_deep: 'A chat has had more than 200 messages since then; the oldest of them were not compared.',
  chat_unreadable: 'The messaging backend did not show the messages of a chat.',
  chats_unlisted: 'The messaging backend did not list the chats.',
  other_account: 'Another account was connected before it could be compared.',
} as const;
export const GAP_UNKNOWNS = [
  'too_old',
  'too_many_chats',
  'chat_too_deep',
  'chat_unreadable',
  'chats_unlisted',
  'other_account',
] as const satisfies (keyof typeof GAP_UNKNOWN_TEXTS)[];
export type GapUnknown = (typeof GAP_UNKNOWNS)[number];

const count = (description: string) => z.int().min(0).meta({ description });
const Time = z.iso.datetime();

export const GapView = z
  .object({
    id: z.string().meta({ description: 'The id of the gap.', examples: ['gap_019a8f3e-8b10-7f12-9c4d-5e6f70819203'] }),
    sessionId: SessionId,
    cause: z.enum(GAP_CAUSES).meta({ description: explained('Why messages may have been lost.', GAP_CAUSE_TEXTS) }),
    from: Time.meta({ description: 'When it began.' }),
    to: Time.nullable().meta({ description: 'When it ended. Null until then.' }),
    state: z.enum(GAP_STATES).meta({ description: explained('The state of the gap.', GAP_STATE_TEXTS) }),
    compared: z
      .object({
        chats: count('How many chats were read.'),
        messages: count('How many of their messages were compared.'),
        at: Time.nullable().meta({ description: 'When chats were last compared. Null until then.' }),
      })
      .meta({ description: 'The data that the engine compared with the messaging backend.' }),
    recovered: z
      .object({
        messages: count('How many messages of contacts were fetched; their events have `recovered`.'),
        own: count('How many messages of the account itself were fetched, which were written on the phone.'),
        revoked: count('How many messages turned out to have been deleted by their senders.'),
        changed: count('How many unreported edits and reactions were found.'),
      })
      .meta({ description: 'Missed messages that were fetched.' }),
    unknown: z.array(z.enum(GAP_UNKNOWNS)).meta({
      description: explained(
        'Data that could not be compared, with the reason. Empty if all was compared.',
        GAP_UNKNOWN_TEXTS,
      ),
    }),
    compareAt: Time.nullable().meta({
      description: 'When it is compared next. Null while it is in progress and once closed.',
    }),
    openedAt: Time.meta({ description: 'When the engine noticed it.' }),
    closedAt: Time.nullable().meta({ description: 'When it was closed. Null until then.' }),
  })
  .meta({
    id: 'Gap',
    description: 'A period in which messages of a session may have been lost, and the result of the comparison.',
  });
export type GapView = z.infer<typeof GapView>;

/** An older gap is not compared. */
export const MAX_AGE_MS = 7 * 24 * 3_600_000;
/** Messages under way when the gap began were lost with it, and clocks may differ. */
const BEFORE_MS = 5 * 60_000;
/** A message of the last seconds may be one that came after the gap, by a clock that differs. */
const AFTER_MS = 5_000;
/** The network lets nobody edit a message that is older, and what people take back or react to is mostly younger. */
const EDITABLE_MS = 15 * 60_000;

export interface Window {
  from: Date;
  to: Date;
}

/**
 * Between which times the messages of a gap were written. `from` is cut where it is too long ago. A chat in which
 * something was said since `changedSince` may have messages that were changed meanwhile.
 */
export function windowOf(gap: Window, now: Date): Window & { changedSince: Date; isCut: boolean } {
  const oldest = now.getTime() - MAX_AGE_MS;
  return {
    from: new Date(Math.max(gap.from.getTime() - BEFORE_MS, oldest)),
    changedSince: new Date(Math.max(gap.from.getTime() - BEFORE_MS - EDITABLE_MS, oldest)),
    to: new Date(gap.to.getTime() + AFTER_MS),
    isCut: gap.from.getTime() < oldest,
  };
}

/** The result of a pass over the chats of a gap. */
export type Pass =
  /** All chats were compared, but for what is named. */
  | { kind: 'done'; unknown: readonly GapUnknown[] }
  /** Its time was over; it goes on at its cursor. */
  | { kind: 'interrupted'; unknown: readonly GapUnknown[] }
  /** Events that were received wait to be applied, and may be what seems to be missed. */
  | { kind: 'behind' };

export interface Passed {
  passes: number;
  attempts: number;
}

export interface NextPass extends Passed {
  state: GapState;
  /** When the next pass begins, or goes on; null once it is closed. */
  compareAt: Date | null;
  /** The next pass begins at the first chat. */
  begins: boolean;
}

/** A backend that does not list its chats, or not the messages of one, is asked again after these pauses. */
const RETRY_PAUSES_MS = [60_000, 300_000, 900_000, 3_600_000];
const BEHIND_PAUSE_MS = 5_000;
/** The network hands over late what was written while the account was not connected; it is there after this time. */
const SECOND_PASS_MS = 5 * 60_000;
const PASSES: Partial<Record<GapCause, number>> = { session_down: 2, backend_restarted: 2 };
/** Unknowns that may clear when the engine asks the backend again. */
const MAY_PASS: readonly GapUnknown[] = ['chats_unlisted', 'chat_unreadable'];

/** Says what follows from a pass. */
export function afterPass(cause: GapCause, { passes, attempts }: Passed, pass: Pass, now: Date): NextPass {
  const inMs = (ms: number): Date => new Date(now.getTime() + ms);
  if (pass.kind === 'behind') {
    return { state: 'comparing', passes, attempts, compareAt: inMs(BEHIND_PAUSE_MS), begins: false };
  }
  if (pass.kind === 'interrupted') return { state: 'comparing', passes, attempts, compareAt: now, begins: false };
  const retryMs = RETRY_PAUSES_MS[attempts];
  if (retryMs !== undefined && pass.unknown.some((why) => MAY_PASS.includes(why))) {
    return { state: 'comparing', passes, attempts: attempts + 1, compareAt: inMs(retryMs), begins: true };
  }
  const done = passes + 1;
  const isOver = done >= (PASSES[cause] ?? 1);
  return {
    state: isOver ? 'closed' : 'comparing',
    passes: done,
    attempts,
    compareAt: isOver ? null : inMs(SECOND_PASS_MS),
    begins: true,
  };
}
