import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Clock } from '../../../db/engine/clock.ts';
import { aDatabase } from '../a-database.ts';

const HOUR_MS = 3_600_000;

/** Lets this process's wall clock and its monotonic one go on by so much at once, each by itself. */
function step({ wallMs, monotonicMs }: { wallMs: number; monotonicMs: number }): void {
  const wall = Date.now.bind(Date);
  const monotonic = performance.now.bind(performance);
  jest.spyOn(Date, 'now').mockImplementation(() => wall() + wallMs);
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic() + monotonicMs);
}

/** Both clocks stand still: a machine that pauses between two readings of them makes no difference. */
function stand(): void {
  jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  jest.spyOn(performance, 'now').mockReturnValue(performance.now());
}

describe('the clock that due times are compared with', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('follows the database by the quickest sample, not by one that a new connection made slow', () => {
    stand();
    const clock = new Clock();
    const before = performance.now();
    const now = Date.now();
    clock.discipline([
      { databaseMs: now + 5_000, beforeMs: before - 80, afterMs: before },
      { databaseMs: now + 5_000, beforeMs: before, afterMs: before + 2 },
    ]);
    const aheadMs = clock.now().getTime() - Date.now();
    // The slow sample would say 5,040.
    expect(Math.abs(aheadMs - 4_999)).toBeLessThan(20);
  });

  it('stays as it is where the sample cannot tell a difference from none', () => {
    stand();
    const clock = new Clock();
    const before = performance.now();
    clock.discipline([{ databaseMs: Date.now() + 100, beforeMs: before, afterMs: before + 300 }]);
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(20);
  });

  it.each([HOUR_MS, -HOUR_MS])('does not follow the wall clock, which steps by %i ms', (wallMs) => {
    const clock = new Clock();
    const before = clock.now().getTime();
    step({ wallMs, monotonicMs: 0 });
    // It would be an hour off.
    expect(Math.abs(clock.now().getTime() - before)).toBeLessThan(HOUR_MS / 2);
  });

  it('is read from the database again after the machine has slept, before anybody reads a time from it', async () => {
    const database = await aDatabase();
    try {
      // The database's machine has not slept: to this process it is as if its own clock had stood still.
      step({ wallMs: 0, monotonicMs: -HOUR_MS });
      const { now } = await database.read(async (queries) => queries);
      expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(HOUR_MS / 2);
    } finally {
      await database.close();
    }
  });
});
