/** A head that is due later than this blocks its lane: what is behind it leaves memory. */
const NEAR_MS = 1_000;

/** A pending delivery, as its row says. */
export interface PendingDelivery {
  id: string;
  lane: string;
  /** Its order among the deliveries of its lane. */
  place: number;
  eventId: string;
  /** The exact text of the column. */
  eventCreatedAt: string;
  attempts: number;
  ladderStep: number;
  nextAttemptAt: Date;
  /** Later deliveries of its lane do not wait for it. */
  outOfOrder: boolean;
}

/** A pending delivery in memory. */
export interface Waiting extends Omit<PendingDelivery, 'nextAttemptAt'> {
  dueAtMs: number;
  /** True from the choice of the delivery until its attempt is recorded. */
  isTaken: boolean;
  /** True when somebody has let it out of its lane while it was taken. */
  isPassed: boolean;
  /** The row as somebody has left it after the attempt was recorded, before this process has heard of the record. */
  newer: PendingDelivery | null;
}

export function toWaiting({ nextAttemptAt, ...row }: PendingDelivery): Waiting {
  return { ...row, dueAtMs: nextAttemptAt.getTime(), isTaken: false, isPassed: false, newer: null };
}

export interface Taken {
  delivery: Waiting;
  /** Set when the delivery is an open breaker's probe: `early` when it was not due yet. */
  probe: 'early' | 'due' | null;
}

/** The next attempt of a taken delivery that is still pending. */
export interface Later {
  dueAtMs: number;
  attempts: number;
  ladderStep: number;
}

/** A delivery that is out of order waits for nothing, so it has a lane of its own, which no lane of an event is. */
export function keyOf({ id, lane, outOfOrder }: Pick<PendingDelivery, 'id' | 'lane' | 'outOfOrder'>): string {
  return outOfOrder ? `\u0000${id}` : lane;
}

/** A page often has again what is known. */
export function isSame(known: Waiting, row: PendingDelivery): boolean {
  return (
    known.place === row.place &&
    known.outOfOrder === row.outOfOrder &&
    known.attempts === row.attempts &&
    known.ladderStep === row.ladderStep &&
    known.dueAtMs === row.nextAttemptAt.getTime()
  );
}

export function isFar(head: Waiting | undefined, nowMs: number): boolean {
  return head !== undefined && head.dueAtMs > nowMs + NEAR_MS;
}
