import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createInFlightLimits } from '../../backend/in-flight.ts';
import type { Release } from '../../backend/in-flight.ts';

function must(release: Release | null): Release {
  if (release === null) throw new Error('there was no room');
  return release;
}

describe('in-flight limits', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('a session takes no more than its share, and leaves the rest to others', async () => {
    const limits = createInFlightLimits({ perSession: 2, perBackend: 10 });
    must(await limits.acquire('slow', 0));
    must(await limits.acquire('slow', 0));
    expect(await limits.acquire('slow', 0)).toBeNull();
    expect(await limits.acquire('other', 0)).not.toBeNull();
  });

  test('all sessions together take no more than the backend', async () => {
    const limits = createInFlightLimits({ perSession: 4, perBackend: 2 });
    must(await limits.acquire('a', 0));
    must(await limits.acquire('b', 0));
    expect(await limits.acquire('c', 0)).toBeNull();
  });

  test('those who wait are let in in the order they came', async () => {
    const limits = createInFlightLimits({ perSession: 1, perBackend: 10 });
    const first = must(await limits.acquire('a', 0));
    const order: string[] = [];
    const second = limits.acquire('a', 1_000).then((release) => (order.push('second'), must(release)));
    const third = limits.acquire('a', 1_000).then((release) => (order.push('third'), must(release)));
    first();
    (await second)();
    (await third)();
    expect(order).toEqual(['second', 'third']);
  });

  test('one who waits for a full session does not hold up another session', async () => {
    const limits = createInFlightLimits({ perSession: 1, perBackend: 2 });
    must(await limits.acquire('slow', 0));
    const other = must(await limits.acquire('other', 0));
    const stuck = limits.acquire('slow', 1_000);
    const free = limits.acquire('free', 1_000);
    other();
    expect(await free).not.toBeNull();
    jest.advanceTimersByTime(1_000);
    expect(await stuck).toBeNull();
  });

  test('waiting ends with nothing when there is no room in time, and the place is not given away later', async () => {
    const limits = createInFlightLimits({ perSession: 1, perBackend: 1 });
    const release = must(await limits.acquire('a', 0));
    const late = limits.acquire('a', 50);
    jest.advanceTimersByTime(50);
    expect(await late).toBeNull();
    release();
    expect(limits.current()).toEqual({ inFlight: 0, bytes: 0, waiting: 0, sessions: 0 });
  });

  test('releasing twice frees one place', async () => {
    const limits = createInFlightLimits({ perSession: 2, perBackend: 2 });
    const release = must(await limits.acquire('a', 0));
    must(await limits.acquire('a', 0));
    release();
    release();
    expect(limits.current().inFlight).toBe(1);
  });

  describe('of files', () => {
    const sized = (perSession: number, perBackend: number) =>
      createInFlightLimits({ perSession: 10, perBackend: 20, bytes: { perSession, perBackend } });

    test('no more bytes are in flight than fit, and texts do not wait for them', async () => {
      const limits = sized(100, 100);
      const first = must(await limits.acquire('a', 0, 60));
      expect(await limits.acquire('b', 0, 60)).toBeNull();
      must(await limits.acquire('b', 0, 40));
      must(await limits.acquire('b', 0));
      expect(limits.current()).toMatchObject({ inFlight: 3, bytes: 100 });
      first();
      must(await limits.acquire('c', 0, 60));
    });

    test('one session leaves memory to the others', async () => {
      const limits = sized(50, 100);
      must(await limits.acquire('slow', 0, 50));
      expect(await limits.acquire('slow', 0, 50)).toBeNull();
      must(await limits.acquire('other', 0, 50));
    });

    test('a large one is not overtaken for ever, and what waited behind it goes when it gives up', async () => {
      const limits = sized(100, 100);
      const first = must(await limits.acquire('a', 0, 60));
      const second = must(await limits.acquire('b', 0, 30));
      const large = limits.acquire('c', 1_000, 80);
      expect(await limits.acquire('d', 0, 10)).toBeNull();
      const small = limits.acquire('d', 2_000, 10);
      second();
      expect(limits.current()).toMatchObject({ inFlight: 1, waiting: 2 });
      first();
      must(await large)();
      must(await small)();
      must(await limits.acquire('a', 0, 60));
      const late = limits.acquire('c', 1_000, 80);
      const behind = limits.acquire('d', 2_000, 10);
      jest.advanceTimersByTime(1_000);
      expect(await late).toBeNull();
      must(await behind);
    });

    test('one that is larger than memory goes alone', async () => {
      const limits = sized(50, 100);
      const huge = must(await limits.acquire('a', 0, 500));
      expect(await limits.acquire('b', 0, 1)).toBeNull();
      huge();
      expect(limits.current().bytes).toBe(0);
    });
  });

  test('nothing is left behind after a crowd', async () => {
    const limits = createInFlightLimits({ perSession: 3, perBackend: 5 });
    let peak = 0;
    const crowd = Array.from({ length: 200 }, async (_, index) => {
      const release = must(await limits.acquire(`s${index % 7}`, 60_000));
      peak = Math.max(peak, limits.current().inFlight);
      await Promise.resolve();
      release();
    });
    await Promise.all(crowd);
    expect(peak).toBe(5);
    expect(limits.current()).toEqual({ inFlight: 0, bytes: 0, waiting: 0, sessions: 0 });
    expect(jest.getTimerCount()).toBe(0);
  });
});
