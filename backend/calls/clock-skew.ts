/** How far a clock is ahead of ours, behind where it is negative: no less than the one and no more than the other. */
export interface ClockSkew {
  atLeastMs: number;
  atMostMs: number;
}

/** What the clocks may differ by, for certain, where "it is not there" is believed. */
const AGREE_WITHIN_MS = 2_000;
/** The header tells whole seconds, of which any part may have passed. */
const SECOND_MS = 1_000;

/** By the `Date` of an answer, which was written between these two readings of our clock. */
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

/** What an operator is told of clocks that differ for certain by more than is allowed; undefined where all is well. */
export function clockTroubleOf({ atLeastMs, atMostMs }: ClockSkew): string | undefined {
  if (atMostMs >= -AGREE_WITHIN_MS && atLeastMs <= AGREE_WITHIN_MS) return undefined;
  const seconds = Math.round(Math.abs(atLeastMs + atMostMs) / 2 / SECOND_MS);
  return `its clock is ${seconds} s ${atLeastMs > 0 ? 'ahead of' : 'behind'} the database's: set both by NTP`;
}
