import { WORKING } from './session.ts';
import type { SessionWish } from './wish.ts';

/** For a session that seems silent, the supervisor compares it with its backend and fetches the difference. */
export const COMPARISON = 'comparison';

/** Why a session is taken for silent, as its event says. */
export const SILENCE_TEXTS = {
  messages_missed: 'The backend shows messages of contacts that it has not reported to the engine.',
  nothing_heard: 'Nothing has arrived for far longer than is usual for this session at these hours of the week.',
} as const;
export const SILENCE_REASONS = ['messages_missed', 'nothing_heard'] as const satisfies (keyof typeof SILENCE_TEXTS)[];
export type SilenceReason = (typeof SILENCE_REASONS)[number];

/** Why a session is no longer taken for silent, as its event says. */
export const RECOVERED_TEXTS = {
  heard: 'The backend has reported a message again.',
  nothing_missed: 'The backend no longer shows anything that it has not reported, and has not for a while.',
} as const;
export type RecoveredReason = keyof typeof RECOVERED_TEXTS;

/** The facts that decide whether a supervisor compares a session. */
export interface ComparedSession {
  status: string;
  statusChangedAt: Date;
  wish: SessionWish;
  suspect: SilenceReason | null;
  compareAt: Date | null;
  comparedAt: Date | null;
  silentSince: Date | null;
}

/** A look at a session that was not compared for this long compares it, whatever its pattern. */
const COMPARE_AFTER_MS = 5 * 3_600_000;
/**
 * A message that is younger than this may still be on its way here: the backend's retries come with pauses that double,
 * so that what it could not tell while an API was replaced for two minutes comes four minutes late.
 */
export const ON_ITS_WAY_MS = 300_000;
/** The clocks of the network and ours may differ, and what was on its way at the last comparison belongs to this one. */
const OVERLAP_MS = 2 * 60_000 + ON_ITS_WAY_MS;

/** A message missed for longer than this is history: nobody waits for it. */
export const MAX_MISSED_AGE_MS = 48 * 3_600_000;

/** True when a look is to ask the backend whether it shows messages that it has not told of. */
export function isComparisonDue(session: ComparedSession, now: Date): boolean {
  const { status, wish, suspect, compareAt } = session;
  if (status !== WORKING || wish !== 'running' || suspect !== null) return false;
  if (compareAt !== null && compareAt <= now) return true;
  return now.getTime() - lastCompared(session) >= COMPARE_AFTER_MS;
}

/** When a session that is taken for silent is compared; null for any other. */
export function comparisonOf({ status, wish, suspect, compareAt }: ComparedSession): Date | null {
  return status === WORKING && wish === 'running' && suspect !== null ? compareAt : null;
}

/**
 * The time from which on a message that is not here was missed. Messages from before the session began to work are its
 * past, but a restart that ends a silence begins nothing anew.
 */
export function missedSince(session: ComparedSession, now: Date): Date {
  return new Date(Math.max(toldSince(session).getTime() - OVERLAP_MS, now.getTime() - MAX_MISSED_AGE_MS));
}

/** The time from which on a message that only a read of the history has brought was to be told, and was not. */
export function toldSince(session: ComparedSession): Date {
  const { silentSince, comparedAt } = session;
  return silentSince === null ? new Date(lastCompared(session)) : (comparedAt ?? silentSince);
}

function lastCompared({ statusChangedAt, comparedAt }: ComparedSession): number {
  return Math.max(statusChangedAt.getTime(), comparedAt?.getTime() ?? 0);
}

/** The result of a comparison. */
export interface Found {
  suspect: SilenceReason;
  /** When it became suspect, or was to be compared again. */
  suspectAt: Date;
  /** Since when it is told as silent; null when it is not. */
  silentSince: Date | null;
  comparedAt: Date | null;
  heardAt: Date | null;
  /** The messages of contacts that were missed; null when the backend could not say. */
  missed: { count: number; newestAt: Date | null } | null;
  /**
   * Other sessions of its backend were heard when it missed something, so the engine could be reached; or it has none
   * beside it.
   */
  othersHeard: boolean;
  restarts: number;
  restartAt: Date | null;
}

/** The consequence of a comparison. */
export interface Verdict {
  /** It is to be told as silent, unless it was. */
  isSilent: boolean;
  recovered: RecoveredReason | null;
  restarts: boolean;
  /** When it is compared again; null when it is not taken for silent any more. */
  compareAt: Date | null;
}

const NOTHING_WRONG: Verdict = { isSilent: false, recovered: null, restarts: false, compareAt: null };

/** The pauses before a silent session is restarted again; after the last one a person must see to it. */
const RESTART_PAUSES_MS = [0, 600_000, 3_600_000, 21_600_000];
export const MAX_SILENCE_RESTARTS = RESTART_PAUSES_MS.length;
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 6 * 3_600_000;
/** While messages are missed, the comparisons are how they come in, and a backend that cannot say is asked again. */
const MAX_PAUSE_WHILE_MISSED_MS = 15 * 60_000;
/** After a restart, a session of which nothing is missed for this long is quiet, and not silent. */
const CALM_AFTER_MS = { messages_missed: 3_600_000, nothing_heard: 24 * 3_600_000 } as const;

/** Says what follows from a comparison of a session that is taken for silent. */
export function verdictOf(found: Found, now: Date): Verdict {
  const { suspect, silentSince, heardAt, missed } = found;
  const isMissed = missed !== null && missed.count > 0;
  const wasSilent = silentSince !== null;
  const hears = heardAt !== null && heardAt > hearsAgainFrom(found);
  if (!wasSilent && !found.othersHeard) return isAnyMissed({ hears, found }) ? askAgain(now) : NOTHING_WRONG;
  const isSilent = wasSilent || isMissed || (suspect === 'nothing_heard' && !hears);
  if (!isSilent && (missed !== null || hears)) return NOTHING_WRONG;
  if (hears) return { isSilent, recovered: 'heard', restarts: false, compareAt: null };
  if (isCalm(found, now)) return { isSilent, recovered: 'nothing_missed', restarts: false, compareAt: null };
  const restarts = isSilent && (isMissed || found.restartAt === null) && isRestartDue(found, now);
  const pause = restarts || (!wasSilent && missed !== null) ? FIRST_PAUSE_MS : pauseMs(found, now);
  return { isSilent, recovered: null, restarts, compareAt: new Date(now.getTime() + pause) };
}

/**
 * If no session received anything, the engine itself may be unreachable, and restarts fix nothing. The engine fetches
 * the missed messages and asks the backend again.
 */
function askAgain(now: Date): Verdict {
  return { ...NOTHING_WRONG, compareAt: new Date(now.getTime() + MAX_PAUSE_WHILE_MISSED_MS) };
}

function isAnyMissed({ hears, found: { suspect, missed } }: { hears: boolean; found: Found }): boolean {
  return !hears && (missed === null || missed.count > 0 || suspect === 'nothing_heard');
}

/** A message received before this time does not prove that the session receives again. */
function hearsAgainFrom({ silentSince, comparedAt, suspectAt, missed }: Found): Date {
  if (silentSince !== null) return comparedAt ?? silentSince;
  // It may have been asked again since, and its quiet had lasted for hours when it became suspect.
  return missed?.newestAt ?? new Date(suspectAt.getTime() - MAX_PAUSE_WHILE_MISSED_MS);
}

function isCalm({ suspect, silentSince, missed, restartAt }: Found, now: Date): boolean {
  if (silentSince === null || missed === null || missed.count > 0 || restartAt === null) return false;
  return now.getTime() - restartAt.getTime() >= CALM_AFTER_MS[suspect];
}

function isRestartDue({ restarts, restartAt }: Found, now: Date): boolean {
  const pause = RESTART_PAUSES_MS[restarts];
  return pause !== undefined && (restartAt === null || now.getTime() - restartAt.getTime() >= pause);
}

/** The pauses between comparisons grow with the silence. */
function pauseMs({ silentSince, restartAt, missed }: Found, now: Date): number {
  if (missed === null) return MAX_PAUSE_WHILE_MISSED_MS;
  const since = restartAt ?? silentSince ?? now;
  const most = missed.count > 0 ? MAX_PAUSE_WHILE_MISSED_MS : MAX_PAUSE_MS;
  return Math.min(Math.max(now.getTime() - since.getTime(), FIRST_PAUSE_MS), most);
}
