import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { emitMessage, openDatabase } from './webhook-ground.ts';
import { WriterTask } from './write-events.ts';
import type { Stream, WriterReport, Written } from './write-events.ts';

/**
 * Writes transactions at fixed rates, however long each takes, so that waiting shows in the times and does not slow
 * down the load.
 */
const POOL = 12;
const WAKEUPS_LEAVE_MS = 200;
const task = WriterTask.parse(workerData);
const database = await openDatabase(task.databaseUrl, POOL);
const written: Written[] = [];
let next = task.firstIndex;

const cpuBefore = process.threadCpuUsage();
const begin = performance.now();
await Promise.all(task.streams.map(write));
// The last wake-ups leave after the last commit.
await pause(WAKEUPS_LEAVE_MS);
await database.close();
const { user, system } = process.threadCpuUsage(cpuBefore);
const report: WriterReport = { written, writerCpuMs: (user + system) / 1_000 };
parentPort?.postMessage(report);

async function write({ tenants, transactionsPerSecond, eventsEach }: Stream): Promise<void> {
  const running: Promise<void>[] = [];
  for (let number = 0; number < transactionsPerSecond * task.seconds; number += 1) {
    const dueIn = begin + (number * 1_000) / transactionsPerSecond - performance.now();
    if (dueIn > 1) await pause(dueIn);
    running.push(commit(tenants[number % tenants.length] ?? 0, eventsEach));
  }
  await Promise.all(running);
}

async function commit(tenant: number, eventsEach: number): Promise<void> {
  const indexes = Array.from({ length: eventsEach }, () => next++);
  await database.transaction((tx) => {
    for (const index of indexes) emitMessage(tx, tenant, index);
    return Promise.resolve();
  });
  const committedAt = performance.timeOrigin + performance.now();
  for (const index of indexes) written.push({ index, tenant, committedAt });
}
