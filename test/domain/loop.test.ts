import { describe, expect, it } from '@jest/globals';
import { Bell, Loop, pauseFor } from '../../domain/loop.ts';

/** Longer than any test, so that only a ring or a stop can end the wait. */
const HOUR = 3_600_000;

describe('a bell', () => {
  it('ends a wait, and also the next one when it rings while nobody waits', async () => {
    const bell = new Bell();
    const waiting = bell.wait(HOUR);
    bell.ring();
    expect(await waiting).toBe(true);
    bell.ring();
    bell.ring();
    expect(await bell.wait(HOUR)).toBe(true);
  });

  it('counts rings before a wait once, and none that were hushed', async () => {
    const bell = new Bell();
    bell.ring();
    bell.ring();
    await bell.wait();
    expect(await bell.wait(1)).toBe(false);
    bell.ring();
    bell.hush();
    expect(await bell.wait(1)).toBe(false);
  });
});

describe('a pause', () => {
  it('ends with the signal', async () => {
    const stop = new AbortController();
    const paused = pauseFor(HOUR, stop.signal);
    stop.abort();
    await paused;
    await pauseFor(HOUR, stop.signal);
  });
});

describe('a loop', () => {
  const none = { failed: () => undefined, afterFailureMs: 0 };

  it('repeats its round at once, or after a ring when the round says how long to wait', async () => {
    const rounds: PromiseWithResolvers<number | void>[] = [];
    const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const loop = new Loop({
      ...none,
      round: () => {
        begun[rounds.length]?.resolve();
        const round = Promise.withResolvers<number | void>();
        rounds.push(round);
        return round.promise;
      },
    }).start();
    await begun[0]?.promise;
    rounds[0]?.resolve();
    await begun[1]?.promise;
    // A ring during a round is not lost.
    loop.ring();
    rounds[1]?.resolve(HOUR);
    await begun[2]?.promise;
    const stopped = loop.stop();
    rounds[2]?.resolve(HOUR);
    await stopped;
    expect(rounds).toHaveLength(3);
  });

  it('begins with the first ring when it starts with a wait', async () => {
    const begun = Promise.withResolvers<void>();
    let rounds = 0;
    const loop = new Loop({
      ...none,
      round: async () => {
        rounds += 1;
        begun.resolve();
        return Infinity;
      },
    }).start(Infinity);
    await pauseFor(1, new AbortController().signal);
    expect(rounds).toBe(0);
    loop.ring();
    await begun.promise;
    await loop.stop();
    expect(rounds).toBe(1);
  });

  it('reports a failed round and continues after its pause, which a stop ends', async () => {
    const failures: unknown[] = [];
    const failed = Promise.withResolvers<void>();
    const loop = new Loop({
      round: async () => {
        throw new Error('It fails.');
      },
      failed: (error) => {
        failures.push(error);
        if (failures.length === 1) failed.resolve();
      },
      afterFailureMs: HOUR,
    }).start();
    await failed.promise;
    loop.ring();
    await loop.stop();
    expect(failures).toEqual([new Error('It fails.')]);
  });

  it('gives each round the signal that ends with it', async () => {
    const waits = Promise.withResolvers<void>();
    const loop = new Loop({
      ...none,
      round: async (stop) => {
        waits.resolve();
        await pauseFor(HOUR, stop);
      },
    }).start();
    await waits.promise;
    await loop.stop();
    expect(loop.isStopping).toBe(true);
  });
});
