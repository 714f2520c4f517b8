import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { measure } from '../harness/harness.ts';
import { closedLoop } from '../load.ts';
import type { Post } from '../load.ts';
import type { Machine } from '../machine.ts';
import { median } from '../statistics.ts';

const CONNECTIONS = 16;
const ROUNDS = 3;
const LOOK_EVERY_MS = 50;
const APPLYING_MS = 20_000;

interface Receiving {
  /** The address of a handler with one insert, and that of the engine. */
  bareUrl: string;
  url: string;
  /** A connection to the engine's database. */
  database: Client;
  event: (index: number) => Post;
  seconds: number;
}

/** Measures in turns how a bare insert and the engine store events, and how fast the engine applies what was stored. */
export async function measureReceiving(machine: Machine, { bareUrl, url, database, event, seconds }: Receiving) {
  const load = (forS: number) => ({ connections: CONNECTIONS, seconds: forS });
  const appliedRates: number[] = [];
  const of = await measure(
    machine,
    {
      bare: { each: 'insert', work: (forS) => closedLoop(bareUrl, event, load(forS)) },
      engine: {
        each: 'event',
        work: async (forS) => {
          const received = await closedLoop(url, event, load(forS));
          appliedRates.push(await appliedPerSecond(database));
          return received;
        },
      },
    },
    { seconds, rounds: ROUNDS },
  );
  return { baseline: of('bare'), received: of('engine'), applied: median(appliedRates.slice(-ROUNDS)) };
}

/** Measures how many events are applied each second until nothing waits or the time is over. */
async function appliedPerSecond(database: Client): Promise<number> {
  const [before, startedAt] = [await waiting(database), performance.now()];
  for (;;) {
    await pause(LOOK_EVERY_MS);
    const [left, elapsedMs] = [await waiting(database), performance.now() - startedAt];
    if (left === 0 || elapsedMs > APPLYING_MS) return ((before - left) * 1_000) / elapsedMs;
  }
}

async function waiting(database: Client): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    'select count(*)::int as n from backend_event where applied_at is null and parked_at is null',
  );
  return rows[0]?.n ?? 0;
}
