import type { BREAKER_STATES, ORDERINGS } from '../endpoint.ts';

/** How an endpoint may be attempted now. */
export interface Pace {
  /** False while the endpoint is not active or its agency is suspended. */
  isOpen: boolean;
  ordering: (typeof ORDERINGS)[number];
  concurrency: number;
  ratePerSecond: number | null;
  breaker: (typeof BREAKER_STATES)[number];
  probeAt: Date | null;
  /** The attempts at a time to which failures have slowed the endpoint. */
  slowedTo: number | null;
  throttledUntil: Date | null;
  /** A drain of a former release has the endpoint until then. */
  formerUntil: Date | null;
}

/** The attempts of an endpoint that are under way. */
export interface UnderWay {
  posting: number;
  /** Answered, and not recorded yet. */
  unrecorded: number;
  /** Of the unrecorded, those that failed. */
  failed: number;
}

/** Until when the endpoint gets nothing; null when it may get something now, infinite until somebody decides. */
export function restsUntilMs(pace: Pace, nowMs: number): number | null {
  if (!pace.isOpen) return Infinity;
  const until = Math.max(
    pace.throttledUntil?.getTime() ?? 0,
    pace.formerUntil?.getTime() ?? 0,
    pace.breaker === 'open' ? (pace.probeAt?.getTime() ?? 0) : 0,
  );
  return until > nowMs ? until : null;
}

/**
 * How many more attempts may begin now. After a failure the record says first how the endpoint goes on. While the
 * endpoint does not do well, so does the record of each success.
 */
export function roomOf(pace: Pace, { posting, unrecorded, failed }: UnderWay): number {
  if (failed > 0) return 0;
  const doesWell = pace.breaker === 'closed' && pace.slowedTo === null;
  return Math.max(0, atOnce(pace) - posting - (doesWell ? 0 : unrecorded));
}

function atOnce({ breaker, ordering, concurrency, slowedTo }: Pace): number {
  if (breaker === 'open' || ordering === 'fifo') return 1;
  return Math.min(concurrency, slowedTo ?? concurrency);
}

/** Unused slots are saved up for this long only, so that an idle endpoint gets no burst. */
const SAVED_MS = 100;

/** The slots that a rate gives, one after the other. */
export class RateSlots {
  #nextAtMs = 0;

  /** Takes a slot. Answers null when it has one, else when the next one comes. */
  take(ratePerSecond: number | null, nowMs: number): number | null {
    if (ratePerSecond === null) return null;
    const slotMs = Math.max(this.#nextAtMs, nowMs - SAVED_MS);
    if (slotMs > nowMs) return slotMs;
    this.#nextAtMs = slotMs + 1_000 / ratePerSecond;
    return null;
  }
}
