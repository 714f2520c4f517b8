import { setTimeout as pause } from 'node:timers/promises';
import type { Child } from '../child.ts';
import type { Machine } from '../machine.ts';
import { Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';
import { layGround, openDatabase } from '../webhook-ground.ts';
import { writeEvents } from '../write-events.ts';

const ENDPOINTS = 10;
const KILLS = 3;
const RATE = 50;
const BEFORE_MS = 3_000;
const AFTER_S = 12;
const PATIENCE_MS = 30_000;
const MAX_S = 2;

/** Kills a busy worker, starts another at once, and measures from that start to the first delivery. */
export async function workerRestart(machine: Machine): Promise<Result[]> {
  const receivers = await Receivers.start(ENDPOINTS);
  try {
    const runs = [];
    for (let kill = 0; kill < KILLS; kill += 1) runs.push(await killOnce(machine, receivers));
    const seconds = median(runs.map(({ firstMs }) => firstMs)) / 1_000;
    const repeated = Math.max(...runs.map(({ repeated: count }) => count));
    const missing = runs.reduce((sum, { missing: count }) => sum + count, 0);
    const all = runs.map(({ firstMs }) => round(firstMs / 1_000)).join(', ');
    return [
      {
        path: 'killed worker: from its restart to the first delivery',
        measured: `${round(seconds)} s (${all}); ${missing} lost, at most ${repeated} repeated`,
        baseline: '',
        ratio: null,
        aim: `≤ ${MAX_S} s, 0 lost`,
        met: seconds <= MAX_S && missing === 0,
      },
    ];
  } finally {
    await receivers.stop();
  }
}

async function killOnce(
  machine: Machine,
  receivers: Receivers,
): Promise<{ firstMs: number; repeated: number; missing: number }> {
  await machine.newSeries();
  const { databaseUrl } = machine;
  const database = await openDatabase(databaseUrl, 2);
  let worker: Child = await machine.startEngine('worker');
  try {
    const tenants = receivers.urls.map((_, index) => index);
    await layGround(
      database,
      receivers.urls.map((url) => [url]),
    );
    receivers.clear();
    const streams = [{ tenants, transactionsPerSecond: RATE, eventsEach: 1 }];
    const seconds = BEFORE_MS / 1_000 + AFTER_S;
    const writing = writeEvents({ databaseUrl, streams, seconds, firstIndex: 0 });
    await pause(BEFORE_MS);
    await worker.kill();
    const startedAt = performance.timeOrigin + performance.now();
    worker = await machine.startEngine('worker');
    const { written } = await writing;
    await receivers.until(written.length, PATIENCE_MS);
    const first = receivers.arrivals.find(({ at }) => at > startedAt);
    return {
      firstMs: (first?.at ?? Infinity) - startedAt,
      repeated: receivers.repeated,
      missing: written.length - receivers.arrivals.length,
    };
  } finally {
    await worker.stop();
    await database.close();
  }
}
