import { cpuMs } from './cpu.ts';
import type { Kind } from './kinds.ts';
import type { Machine } from './machine.ts';
import type { Arrival, Receivers } from './receivers.ts';
import { layGround, openDatabase } from './webhook-ground.ts';
import { writeEvents } from './write-events.ts';
import type { Stream, Written } from './write-events.ts';

const WARM_S = 2;
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
  /** What the processes have used meanwhile, the writer in the place of an API process. */
  cpuMs: Record<Kind, number>;
}

/**
 * Starts a worker on a new database, writes events beside it and returns their arrivals. The first two seconds are not
 * measured.
 */
export async function underLoad(machine: Machine, receivers: Receivers, load: WebhookLoad): Promise<Loaded> {
  await machine.newDatabase();
  const { databaseUrl } = machine;
  const worker = await machine.startEngine('worker');
  const used = () => ({
    worker: cpuMs(worker.pid),
    postgres: cpuMs(machine.pids.postgres),
    temporal: cpuMs(machine.pids.temporal),
  });
  const database = await openDatabase(databaseUrl, 2);
  try {
    await layGround(database, load.urls, load.abusers);
    const { streams, seconds } = load;
    const run = async (forS: number, firstIndex: number): Promise<Loaded> => {
      receivers.clear(firstIndex);
      const before = used();
      const { written, writerCpuMs } = await writeEvents({ databaseUrl, streams, seconds: forS, firstIndex });
      const expected = written.reduce((sum, { tenant }) => sum + load.expected(tenant), 0);
      await receivers.until(expected, PATIENCE_MS);
      const after = used();
      return {
        written,
        arrivals: [...receivers.arrivals],
        missing: expected - receivers.arrivals.length,
        cpuMs: {
          api: writerCpuMs,
          worker: after.worker - before.worker,
          postgres: after.postgres - before.postgres,
          temporal: after.temporal - before.temporal,
        },
      };
    };
    const { written } = await run(WARM_S, 0);
    return await run(seconds, written.length);
  } finally {
    await database.close();
    await worker.stop();
  }
}
