/**
 * The depth of property tests. `npm test` tries a few seeds and orders; `npm run faults` tries all of them, by this
 * variable. A test that imports this file is one of those that `npm run faults` runs.
 */
const isDeep = process.env['TEST_DEPTH'] === 'all';

/** Returns how many seeds, runs or schedules to try. */
export function howMany({ few, all }: { few: number; all: number }): number {
  return isDeep ? all : few;
}

/** Returns the cases to try: all of them, or `few` that lie evenly in the list, the first and the last among them. */
export function someOf<T>(cases: readonly T[], few: number): T[] {
  return isDeep ? [...cases] : evenly(cases, few);
}

/** Returns at most `count` cases that lie evenly in the list, the first and the last among them. */
export function evenly<T>(cases: readonly T[], count: number): T[] {
  if (cases.length <= count) return [...cases];
  const step = (cases.length - 1) / Math.max(1, count - 1);
  const chosen = new Set(Array.from({ length: count }, (_, nth) => Math.round(nth * step)));
  return cases.filter((_, index) => chosen.has(index));
}
