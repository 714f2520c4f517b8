import { eventually as untilItHolds } from '../../support/eventually.ts';

/** Waits for an answer; fails with `what`. */
export function eventually<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  return untilItHolds(ask, { what });
}
