import { describe, expect, test } from '@jest/globals';
import { Clock } from '../../db/clock.ts';

describe('the clock that due times are compared with', () => {
  test('follows the database by the quickest sample, not by one that a new connection made slow', () => {
    const clock = new Clock();
    const now = Date.now();
    clock.discipline([
      { databaseMs: now + 5_000, beforeMs: now - 80, afterMs: now },
      { databaseMs: now + 5_000, beforeMs: now, afterMs: now + 2 },
    ]);
    const aheadMs = clock.now().getTime() - Date.now();
    expect(Math.abs(aheadMs - 4_999)).toBeLessThanOrEqual(2);
  });

  test('stays as it is where the sample cannot tell a difference from none', () => {
    const clock = new Clock();
    const now = Date.now();
    clock.discipline([{ databaseMs: now + 20, beforeMs: now, afterMs: now + 60 }]);
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThanOrEqual(1);
  });
});
