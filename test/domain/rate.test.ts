import { expect, it } from '@jest/globals';
import { Levels } from '../../domain/rate.ts';

it('a name takes a burst, and waits until units have returned; other names are not affected', () => {
  let nowMs = 0;
  const levels = new Levels({ perMinute: 60, burst: 2 }, () => nowMs);
  expect([levels.take('one'), levels.take('one'), levels.take('one')]).toEqual([0, 0, 1_000]);
  expect(levels.take('other')).toBe(0);
  nowMs += 1_000;
  expect([levels.take('one'), levels.take('one')]).toEqual([0, 1_000]);
});

it('a cost above the burst takes all units, and without units a minute there is no bound', () => {
  const levels = new Levels({ perMinute: 60, burst: 2 }, () => 0);
  expect([levels.take('one', 5), levels.take('one')]).toEqual([0, 1_000]);
  const unbounded = new Levels({ perMinute: 0, burst: 0 }, () => 0);
  expect([unbounded.take('one'), unbounded.take('one')]).toEqual([0, 0]);
});
