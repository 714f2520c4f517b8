import type { Answer } from '../answers.ts';
import type { Begun } from '../execution.ts';
import type { PastEvent } from './past.ts';
import type { DryRunOfOne } from './result.ts';

/** The delivery states that a dry run can assume for its sends. */
export const ASSUMED_ACKS = ['none', 'sent', 'delivered', 'read'] as const;
export type AssumedAck = (typeof ASSUMED_ACKS)[number];

/** A start of a run, with its time. */
export interface DryStart {
  atMs: number;
  begun: Begun;
  /** The contact is out from then on, or in again, where the message says so. */
  isOptedOut: boolean;
}

/** Everything that a definition's code meets in a dry run. */
export interface DryTask {
  definition: string;
  params: Record<string, unknown>;
  texts: Readonly<Record<string, string>>;
  input: Record<string, unknown> | null;
  past: readonly PastEvent[];
  starts: readonly DryStart[];
  /** A message that an earlier run takes as its reply begins none. */
  repliesBeginNone?: boolean;
  /** Whether a person had the conversation before its first event. */
  isWithPerson: boolean;
  contactName: string | null;
  conversationId: string | null;
  language: string;
  timeZone: string;
  acked: AssumedAck;
  /** The text of a stored workflow; an automation in code has none. */
  flow?: { source: string; form: 'json' | 'yaml' };
  /** Assumed answers, by the names of the definition's answers. */
  answers?: Readonly<Record<string, Answer>>;
}

/** Bounds of one dry run, so that no code and no conversation makes it dear. */
export const DRY_RUN_BOUNDS = {
  runs: 20,
  stepsOfRun: 100,
  events: 500,
  /** A run waits no longer in virtual time. */
  virtualMs: 366 * 86_400_000,
} as const;

/** Whether it is within the working hours at a time, and how long until they begin next. */
export type LookAtHours = (atMs: number) => Promise<{ isOpen: boolean; opensInMs: number | null }>;

/** Lets the code of a definition run in virtual time, once for each start. */
export type DryRunner = (task: DryTask, lookAtHours: LookAtHours) => Promise<DryRunOfOne[]>;
