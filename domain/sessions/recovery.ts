import type { SessionWish } from './wish.ts';

/** The facts of a session that the rule needs, right after the supervisor's check. */
export interface SupervisedSession {
  id: string;
  status: string;
  /** Since when it has this status. */
  since: Date;
  wish: SessionWish;
  /** Restarts by the supervisor since the session last worked for a while. */
  restarts: number;
  /** When the engine last started, stopped or restarted it. */
  actedAt: Date | null;
}

/** The next action: restart the session when due, or leave it to a person. */
export type Recovery = { outcome: 'due'; at: Date } | { outcome: 'used_up' } | null;

/**
 * The pauses before a session is brought back: the first is long enough for the backend's own restart, which passes
 * through STOPPED. After the last one, about a day later, a person must see to it.
 */
const PAUSES_MS = [10_000, 60_000, 300_000, 900_000, 3_600_000, 10_800_000, 21_600_000, 21_600_000, 21_600_000];
export const MAX_RESTARTS = PAUSES_MS.length;

/** The statuses that a session does not leave by itself. */
const DOWN: ReadonlySet<string> = new Set(['STOPPED', 'FAILED']);

export function isDown(status: string): boolean {
  return DOWN.has(status);
}

/** After it has worked for this long, a session has come back for good, and its next failure is its first. */
export const STEADY_AFTER_MS = 600_000;

/** Sessions that fail together, as all of a backend do, are brought back within this part of a pause, not at once. */
const SPREAD = 0.5;

/**
 * Decides when a session is brought back that has stopped without anybody's wish, or has failed: nobody has scanned its
 * code, or its account is gone. Null while there is nothing to do.
 */
export function recoveryOf({ id, status, since, wish, restarts, actedAt }: SupervisedSession): Recovery {
  if (wish !== 'running' || !isDown(status)) return null;
  const pauseMs = PAUSES_MS[restarts];
  if (pauseMs === undefined) return { outcome: 'used_up' };
  const from = Math.max(since.getTime(), actedAt?.getTime() ?? 0);
  return { outcome: 'due', at: new Date(from + pauseMs * (1 + SPREAD * placeOf(id))) };
}

/** A number from 0 up to 1 that is always the same for an id and differs between ids. */
export function placeOf(id: string): number {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % 9_973;
  return sum / 9_973;
}
