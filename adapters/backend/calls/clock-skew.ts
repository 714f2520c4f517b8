/** Bounds how far another clock is ahead of ours, from the least to the most; negative when that clock is behind. */
export interface ClockSkew {
  atLeastMs: number;
  atMostMs: number;
}

/**
 * Two clocks count as equal up to this difference. With a larger one "the message is not there" could not be believed.
 */
const AGREE_WITHIN_MS = 2_000;
/** The header tells whole seconds, so its true time may be up to one second later. */
const SECOND_MS = 1_000;

/**
 * Reads the skew from the `Date` of an answer, which the backend wrote between `beforeMs` and `afterMs` of our clock.
 */
export function clockSkewOf(
  date: string | null,
  { beforeMs, afterMs }: { beforeMs: number; afterMs: number },
): ClockSkew | null {
  const toldMs = Date.parse(date ?? '');
  if (Number.isNaN(toldMs)) return null;
  return { atLeastMs: toldMs - afterMs, atMostMs: toldMs + SECOND_MS - beforeMs };
}

export function clocksAgree({ atLeastMs, atMostMs }: ClockSkew): boolean {
  return atLeastMs >= -AGREE_WITHIN_MS && atMostMs <= AGREE_WITHIN_MS;
}

/** Tells an operator that two clocks certainly differ by more than is allowed; undefined when all is well. */
export function clockTroubleOf({ atLeastMs, atMostMs }: ClockSkew): string | undefined {
  if (atMostMs >= -AGREE_WITHIN_MS && atLeastMs <= AGREE_WITHIN_MS) return undefined;
  const seconds = Math.round(Math.abs(atLeastMs + atMostMs) / 2 / SECOND_MS);
  return `its clock is ${seconds} s ${atLeastMs > 0 ? 'ahead of' : 'behind'} the database's: set both by NTP`;
}
