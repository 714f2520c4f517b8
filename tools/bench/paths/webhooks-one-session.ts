import { sequencedInserts } from '../bare/sequenced-inserts.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { emitMessage, layGround, openDatabase } from '../webhook-ground.ts';

const WRITERS = 16;
const WARM_S = 1;
const MIN_PER_SECOND = 1_000;

/**
 * Measures how many transactions of one event each a single session commits, written by many at once, with no worker.
 * They can only commit one after the other, because the events have numbers without gaps. So can the rows of the
 * baseline.
 */
export async function oneSession(machine: Machine, seconds: number): Promise<Result[]> {
  await machine.newSeries();
  const database = await openDatabase(machine.databaseUrl, WRITERS);
  try {
    await layGround(database, [['http://127.0.0.1:9/events']]);
    let next = 0;
    const perSecond = async (forS: number): Promise<number> => {
      const [first, startedAt] = [next, performance.now()];
      const writer = async (): Promise<void> => {
        while (performance.now() < startedAt + forS * 1_000) {
          const index = next++;
          await database.transaction((tx) => Promise.resolve(emitMessage(tx, 0, index)));
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, writer));
      return ((next - first) * 1_000) / (performance.now() - startedAt);
    };
    await perSecond(WARM_S);
    const bare = await sequencedInserts(machine.databaseUrl, WRITERS, seconds);
    const rate = await perSecond(seconds);
    return [
      {
        path: "one session's transactions of a single event",
        measured: `${round(rate, 0)} /s`,
        baseline: `one row numbered and inserted ${round(bare, 0)} /s`,
        ratio: rate / bare,
        aim: `≥ ${MIN_PER_SECOND} /s`,
        met: rate >= MIN_PER_SECOND,
      },
    ];
  } finally {
    await database.close();
  }
}
