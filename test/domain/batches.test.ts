import { describe, expect, it } from '@jest/globals';
import { Batches, Requests } from '../../domain/batches.ts';

/** Lets all that is ready run. */
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('batches', () => {
  /** Batches whose runs the test ends. */
  function held({ most = 3, atOnce = 1, size }: { most?: number; atOnce?: number; size?: number } = {}) {
    const runs: (readonly number[])[] = [];
    const ends: (() => void)[] = [];
    const batches = new Batches<number>({
      most,
      atOnce,
      ...(size === undefined ? {} : { size: { most: size, of: (item) => item } }),
      run(batch) {
        runs.push(batch);
        return new Promise((resolve) => void ends.push(resolve));
      },
    });
    return { batches, runs, ends };
  }

  it('take what comes in a turn together, and what comes meanwhile as the next one', async () => {
    const { batches, runs, ends } = held();
    for (const item of [1, 2]) batches.add(item);
    await settle();
    for (const item of [3, 4, 5, 6, 3]) batches.add(item);
    expect(runs).toEqual([[1, 2]]);
    expect(batches.isIdle).toBe(false);
    for (let batch = 0; batch < 3; batch += 1) {
      ends[batch]?.();
      await settle();
    }
    expect(runs).toEqual([[1, 2], [3, 4, 5], [6]]);
    expect(batches.isIdle).toBe(true);
  });

  it('run side by side, each of its own items', async () => {
    const { batches, runs } = held({ most: 2, atOnce: 2 });
    for (const item of [1, 2, 3, 4, 5]) batches.add(item);
    await settle();
    expect(runs).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('end before their size is too large, and a larger item goes alone', async () => {
    const { batches, runs, ends } = held({ most: 10, size: 10 });
    for (const item of [20, 4, 5, 6]) batches.add(item);
    for (let batch = 0; batch < 3; batch += 1) {
      await settle();
      ends[batch]?.();
    }
    await settle();
    expect(runs).toEqual([[20], [4, 5], [6]]);
  });

  it('begin only when they are asked, and take items that were put back first', async () => {
    const { batches, runs, ends } = held({ most: 10 });
    for (const item of [1, 2]) batches.hold(item);
    await settle();
    expect(runs).toEqual([]);
    batches.putBack([7]);
    batches.remove((item) => item === 2);
    batches.begin();
    await settle();
    expect(runs).toEqual([[7, 1]]);
    ends[0]?.();
    await settle();
    expect(batches.isIdle).toBe(true);
  });
});

describe('requests', () => {
  const refused = new Error('It is refused.');

  function doubling({ inOrder = false }: { inOrder?: boolean } = {}) {
    const calls: (readonly number[])[] = [];
    const requests = new Requests<number, number>({
      most: 10,
      inOrder,
      hadNoEffect: (error) => error === refused,
      async forAll(inputs) {
        calls.push(inputs);
        await settle();
        if (inputs.includes(13)) throw refused;
        if (inputs.includes(99)) throw new Error('The connection is lost.');
        return inputs.map((input) => input * 2);
      },
    });
    return { requests, calls };
  }
  const statuses = async (asked: Promise<number>[]): Promise<string[]> =>
    (await Promise.allSettled(asked)).map(({ status }) => status);

  it('are answered each, and go together', async () => {
    const { requests, calls } = doubling();
    expect(await Promise.all([1, 2, 3].map((input) => requests.run(input)))).toEqual([2, 4, 6]);
    expect(calls).toEqual([[1, 2, 3]]);
  });

  it.each([false, true])('go alone after an error without effect, in their order: %s', async (inOrder) => {
    const { requests, calls } = doubling({ inOrder });
    const asked = [1, 13, 3].map((input) => requests.run(input));
    expect(await statuses(asked)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(calls).toEqual([[1, 13, 3], [1], [13], [3]]);
  });

  it('fail together after an error that may have had an effect', async () => {
    const { requests, calls } = doubling();
    expect(await statuses([1, 99].map((input) => requests.run(input)))).toEqual(['rejected', 'rejected']);
    expect(calls).toEqual([[1, 99]]);
  });
});
