const MAX_YEARS = 10;
const MAX_MS = MAX_YEARS * 366 * 86_400_000;

/**
 * Refuses a time that a step cannot wait, before the step begins: `Infinity` and `NaN` would become null on their way to
 * the database, which would be taken for a wait that is over.
 */
export function requireWaitTime(step: string, ms: number): void {
  if (ms >= 0 && ms <= MAX_MS) return;
  throw new Error(`${step} cannot wait ${ms} ms: give a number of milliseconds from 0 to ${MAX_YEARS} years.`);
}
