/** The skew of a clock against ours, between a least and a most number; negative where that clock is behind. */
export interface ClockSkew {
  atLeastMs: number;
  atMostMs: number;
}

/** Clocks may differ by this, for certain, where "it is not there" is believed. */
const AGREE_WITHIN_MS = 2_000;
/** The header tells whole seconds, so any part of a second may have passed. */
const SECOND_MS = 1_000;

/** Reads the skew from the `Date` of an answer, which was written between these two readings of our clock. */
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

/** Tells an operator of clocks that differ for certain by more than is allowed; undefined where all is well. */
export function clockTroubleOf({ atLeastMs, atMostMs }: ClockSkew): string | undefined {
  if (atMostMs >= -AGREE_WITHIN_MS && atLeastMs <= AGREE_WITHIN_MS) return undefined;
  const seconds = Math.round(Math.abs(atLeastMs + atMostMs) / 2 / SECOND_MS);
  return `its clock is ${seconds} s ${atLeastMs > 0 ? 'ahead of' : 'behind'} the database's: set both by NTP`;
}
