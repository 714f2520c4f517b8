import type { Session } from '../../db/sessions/session.ts';
import { RECOVERY } from '../../domain/sessions/change.ts';
import type { Deed } from '../../domain/sessions/change.ts';
import { COMPARISON, comparisonOf } from '../../domain/sessions/comparison.ts';
import type { SilenceReason } from '../../domain/sessions/comparison.ts';
import { GAP_COMPARISON } from '../../domain/sessions/gap.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import { recoveryOf } from '../../domain/sessions/recovery.ts';
import type { SessionWish } from '../../domain/sessions/wish.ts';

/** The supervisor's step: an action on its session, or a comparison with its backend. */
export type Step = Deed | typeof COMPARISON | typeof GAP_COMPARISON;

/** The supervisor's next step; times in ISO 8601. */
export interface NextDeed {
  deed: Step;
  at: string;
  inMs: number;
}

/** The wished state of a session, and its supervisor's actions for it. */
export interface Wishes {
  wish: SessionWish;
  asked: string | null;
  acted: string | null;
  actedAt: string | null;
  restarts: number;
  /** Why what was done last has failed, or why the session does not run; releases before did not tell it. */
  lastError?: string | null;
  /** The supervisor has tried as often as it may; a person must see to the session. */
  isUsedUp: boolean;
}

/** The degree of a silent session's silence. */
export interface Silence {
  reason: SilenceReason;
  /** Since when, once that was told. */
  since: string | null;
  comparedAt: string | null;
  restarts: number;
}

export interface Next {
  wishes?: Wishes;
  next?: NextDeed;
  silence?: Silence;
}

/** Says what is to be done to a session, for the answer of a look; nothing for a session that runs as it should. */
export function nextOf(session: Session, now: Date): Next {
  const { wish, asked = null, acted = null, actedAt = null, restarts, lastError = null } = session;
  const isUsedUp = recoveryNow(session)?.outcome === 'used_up';
  const next = stepOf(session, now);
  const silence = silenceOf(session);
  const isWished = next !== null || isUsedUp || wish !== 'running' || acted !== null;
  return {
    ...(isWished && {
      wishes: { wish, asked, acted, actedAt: actedAt?.toISOString() ?? null, restarts, lastError, isUsedUp },
    }),
    ...(silence && { silence }),
    ...(next && {
      next: { deed: next.deed, at: next.at.toISOString(), inMs: Math.max(next.at.getTime() - now.getTime(), 0) },
    }),
  };
}

/** Says what is to be done to a session now; null while there is nothing. */
export function stepNow(session: Session, now: Date): Step | null {
  const next = stepOf(session, now);
  return next !== null && next.at <= now ? next.deed : null;
}

/** Requested acts come first. A session that is down restarts before its comparison. */
function stepOf(session: Session, now: Date): { deed: Step; at: Date } | null {
  if (session.asked) return { deed: session.asked, at: now };
  const recovery = recoveryNow(session);
  if (recovery !== null) return recovery.outcome === 'due' ? { deed: RECOVERY, at: recovery.at } : null;
  const comparison = comparisonOf(comparedOf(session));
  const gap = gapOf(session);
  if (gap !== null && (comparison === null || gap <= comparison)) return { deed: GAP_COMPARISON, at: gap };
  return comparison && { deed: COMPARISON, at: comparison };
}

/** When the next gap of a session that works is to be compared. */
function gapOf({ status, wish, gapsDueAt = null }: Session): Date | null {
  return status === WORKING && wish === 'running' ? gapsDueAt : null;
}

/** Returns the facts of a session that the rules of comparisons need. */
export function comparedOf({
  suspect = null,
  compareAt = null,
  comparedAt = null,
  silentSince = null,
  ...rest
}: Session) {
  return { ...rest, suspect, compareAt, comparedAt, silentSince };
}

function silenceOf({
  suspect = null,
  silentSince = null,
  comparedAt = null,
  silenceRestarts,
}: Session): Silence | null {
  if (suspect === null) return null;
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
  return { reason: suspect, since: iso(silentSince), comparedAt: iso(comparedAt), restarts: silenceRestarts };
}

function recoveryNow({ id, status, statusChangedAt: since, wish, restarts, actedAt = null }: Session) {
  return recoveryOf({ id, status, since, wish, restarts, actedAt });
}
