import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { BatchTurns } from '../../loops/batch-turns.ts';

const LOOPS = 3;

interface Asked {
  size: number;
  isFull?: boolean;
  takesMs: number;
}

/** Runs three loops that lease these batches in their order. Tells how many were handed over at each look. */
async function leased(...asked: Asked[]): Promise<{ underWay: number[]; sizes: number[] }> {
  const turns = new BatchTurns();
  const underWay: number[] = [];
  const sizes: number[] = [];
  let now = 0;
  const loop = async (): Promise<void> => {
    const goesOn = await turns.round(async () => {
      const next = asked.shift();
      if (!next) return undefined;
      underWay.push(now);
      sizes.push(turns.sizeOf(next.size));
      const handOver = async (): Promise<void> => {
        now += 1;
        await pause(next.takesMs);
        now -= 1;
      };
      return { size: sizes.at(-1) ?? 0, isFull: next.isFull ?? false, handOver };
    });
    if (goesOn) await loop();
  };
  await Promise.all(Array.from({ length: LOOPS }, loop));
  return { underWay, sizes };
}

const batches = (count: number, batch: Asked): Asked[] => Array.from({ length: count }, () => batch);

describe('the turns of batches', () => {
  it('let each look wait until the large batch before it is handed over', async () => {
    const { underWay } = await leased(...batches(6, { size: 20, takesMs: 30 }));
    expect(underWay).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('let a look wait for a batch that is full, however small', async () => {
    const { underWay } = await leased(...batches(6, { size: 1, isFull: true, takesMs: 30 }));
    expect(underWay).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('let a look go on soon behind a small batch, also behind one that follows a large batch', async () => {
    const { underWay } = await leased({ size: 20, takesMs: 10 }, ...batches(3, { size: 1, takesMs: 150 }));
    expect(underWay).toEqual([0, 0, 1, 2]);
  });

  it('let a look go on after 200 ms behind a large batch, with a small one beside two', async () => {
    const { underWay, sizes } = await leased(...batches(3, { size: 20, takesMs: 1_000 }));
    expect(underWay).toEqual([0, 1, 2]);
    expect(sizes).toEqual([20, 20, 4]);
  });

  it('go on after a batch that fails, which its own round reports', async () => {
    const turns = new BatchTurns();
    const failing = async () => ({ size: 1, isFull: false, handOver: () => Promise.reject(new Error('no')) });
    await expect(turns.round(failing)).rejects.toThrow('no');
    await expect(turns.round(async () => undefined)).resolves.toBe(false);
  });
});
