import { perSecond } from './arrivals.ts';
import { measure } from './harness/harness.ts';
import type { Measured, Way } from './harness/harness.ts';
import type { Machine } from './machine.ts';
import type { Arrival, Receivers } from './receivers.ts';
import { layGround, openDatabase } from './webhook-ground.ts';
import { writeEvents } from './write-events.ts';
import type { Stream, Written } from './write-events.ts';

const PATIENCE_MS = 30_000;

export interface WebhookLoad {
  /** The URLs of the endpoints of each tenant. */
  urls: readonly (readonly string[])[];
  /** The URLs of another agency's tenants, whose indexes are -1, -2 and so on. */
  abusers?: readonly (readonly string[])[];
  streams: Stream[];
  seconds: number;
  /** Returns how many arrivals an event of the tenant should have at these receivers. */
  expected(tenant: number): number;
}

export interface Loaded {
  written: Written[];
  arrivals: Arrival[];
  /** The number of arrivals that did not come within the patience. */
  missing: number;
  /** The cost of an event, with the writer in the place of an API process. */
  measured: Measured;
}

/**
 * Starts a worker in a new series, writes events beside it until two windows agree, and returns the arrivals of one
 * more window.
 */
export async function underLoad(machine: Machine, receivers: Receivers, load: WebhookLoad): Promise<Loaded> {
  await machine.newSeries();
  const { databaseUrl } = machine;
  const worker = await machine.startEngine('worker');
  const database = await openDatabase(databaseUrl, 2);
  try {
    await layGround(database, load.urls, load.abusers);
    const { streams, seconds } = load;
    const all: Omit<Loaded, 'measured'>[] = [];
    let firstIndex = 0;
    const work: Way['work'] = async (forS) => {
      receivers.clear(firstIndex);
      const { written, writerCpuMs } = await writeEvents({ databaseUrl, streams, seconds: forS, firstIndex });
      firstIndex += written.length;
      const expected = written.reduce((sum, { tenant }) => sum + load.expected(tenant), 0);
      await receivers.until(expected, PATIENCE_MS);
      const arrivals = [...receivers.arrivals];
      all.push({ written, arrivals, missing: expected - arrivals.length });
      return {
        count: written.length,
        perSecond: perSecond(arrivals.map(({ at }) => at)),
        latencies: [],
        apiMs: writerCpuMs,
      };
    };
    const of = await measure(machine, { events: { each: 'event', work } }, { seconds, rounds: 1 });
    const last = all.at(-1);
    if (!last) throw new Error('Nothing was measured.');
    return { ...last, measured: of('events') };
  } finally {
    await database.close();
    await worker.stop();
  }
}
