import type { BREAKER_STATES, ORDERINGS } from '../endpoint.ts';

/** The pace at which an endpoint may be attempted now. */
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
  /** Failures among the unrecorded attempts. */
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
 * Returns how many more attempts may begin now. After a failure, the engine records it before the next attempt. While
 * the endpoint fails, the engine also records each success first.
 */
export function roomOf(pace: Pace, { posting, unrecorded, failed }: UnderWay): number {
  if (failed > 0) return 0;
  return Math.max(0, atOnce(pace) - posting - (doesWell(pace) ? 0 : unrecorded));
}

/** False while what comes of each attempt decides how many are made. */
export function doesWell({ breaker, slowedTo }: Pace): boolean {
  return breaker === 'closed' && slowedTo === null;
}

function atOnce({ breaker, ordering, concurrency, slowedTo }: Pace): number {
  if (breaker === 'open' || ordering === 'fifo') return 1;
  return Math.min(concurrency, slowedTo ?? concurrency);
}

/** An unused connection is open for about so long, because both sides close it after some seconds. */
const OPEN_FOR_MS = 4_000;
/** A request waits for an open connection within these bounds before it opens another. */
const WAIT_MS = { least: 3, most: 100 };

/**
 * Estimates how many connections to the endpoint are open. A fast receiver needs few, and opening one costs both sides
 * more than a request. So a request waits for an open one as long as opening another would take. Its wait is then at
 * most twice the minimum, for every receiver.
 */
export class Connections {
  #open = 0;
  #openedAtMs = -Infinity;
  #usedAtMs = -Infinity;
  #waitMs = WAIT_MS.least;

  /** Takes in how long it took to open a connection. */
  opened(tookMs: number): void {
    this.#waitMs = Math.min(WAIT_MS.most, Math.max(WAIT_MS.least, tookMs));
  }

  /** Answers null when one more request may begin beside those under way, else when it may open a connection. */
  opensAtMs(posting: number, nowMs: number): number | null {
    if (posting < this.#openAt(nowMs) || posting === 0) return null;
    const atMs = this.#openedAtMs + this.#waitMs;
    return atMs > nowMs ? atMs : null;
  }

  /** Takes in that one more request begins beside those under way. */
  use(posting: number, nowMs: number): void {
    this.#open = this.#openAt(nowMs);
    this.#usedAtMs = nowMs;
    if (posting < this.#open) return;
    this.#open = posting + 1;
    this.#openedAtMs = nowMs;
  }

  #openAt(nowMs: number): number {
    return nowMs - this.#usedAtMs > OPEN_FOR_MS ? 0 : this.#open;
  }
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
