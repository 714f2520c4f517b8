import type { Session } from '../../db/sessions/session.ts';
import { RECOVERY } from '../../domain/sessions/change.ts';
import type { Deed } from '../../domain/sessions/change.ts';
import { recoveryOf } from '../../domain/sessions/recovery.ts';
import type { SessionWish } from '../../domain/sessions/wish.ts';

/** What a supervisor does next at the backend; times in ISO 8601. */
export interface NextDeed {
  deed: Deed;
  at: string;
  inMs: number;
}

/** What is wanted of a session, and what its supervisor has done about it. */
export interface Wishes {
  wish: SessionWish;
  asked: string | null;
  acted: string | null;
  actedAt: string | null;
  restarts: number;
  /** The supervisor has tried as often as it may; a person must see to the session. */
  isUsedUp: boolean;
}

/** Says what is to be done to a session, for the answer of a look; nothing for a session that runs as it should. */
export function nextOf(session: Session, now: Date): { wishes?: Wishes; next?: NextDeed } {
  const { wish, asked = null, acted = null, actedAt = null, restarts } = session;
  const recovery = recoveryNow(session);
  const isUsedUp = recovery?.outcome === 'used_up';
  const next: { deed: Deed; at: Date } | null = asked
    ? { deed: asked, at: now }
    : recovery?.outcome === 'due'
      ? { deed: RECOVERY, at: recovery.at }
      : null;
  if (next === null && !isUsedUp && wish === 'running' && acted === null) return {};
  return {
    wishes: { wish, asked, acted, actedAt: actedAt?.toISOString() ?? null, restarts, isUsedUp },
    ...(next && {
      next: { deed: next.deed, at: next.at.toISOString(), inMs: Math.max(next.at.getTime() - now.getTime(), 0) },
    }),
  };
}

/** Says what is to be done to a session now; null while there is nothing. */
export function deedNow(session: Session, now: Date): Deed | null {
  if (session.asked) return session.asked;
  const recovery = recoveryNow(session);
  return recovery?.outcome === 'due' && recovery.at <= now ? RECOVERY : null;
}

function recoveryNow({ id, status, statusChangedAt: since, wish, restarts, actedAt = null }: Session) {
  return recoveryOf({ id, status, since, wish, restarts, actedAt });
}
