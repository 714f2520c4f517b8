import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { median, round } from '../statistics.ts';
import { ask, aTalkingAgency, begin, openClient, UNBOUNDED, until } from './scene.ts';

const PEOPLE = 50;
/** An automation begins so often for a conversation in a day. */
const RUNS_OF_EACH = 20;
/**
 * The most runs that resume at once. The path does not measure the speed of all runs at once, which takes a busy
 * machine minutes.
 */
const WOKEN_AT_ONCE = 50;
const RESTARTS = 3;
const REST_MS = 12_000;
const AT_MOST_MB = 1;

/**
 * Measures what a thousand runs that wait for days cost a worker: the memory of one that has started again beside them,
 * against one that started without. The end of each wait then shows that they are all there.
 */
export async function automationsWaiting(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const database = await openClient(machine);
  const api = await machine.startEngine('api', UNBOUNDED);
  try {
    const first = await machine.startEngine('worker', UNBOUNDED);
    const { conversations } = await aTalkingAgency(api.url, database, { people: PEOPLE });
    await ask(api.url, 'PUT', '/api/v1/automations/follow-up-silent-lead', {
      enabled: true,
      params: { afterHours: 72 },
    });
    await first.stop();
    const without = await restingMb(machine);
    const worker = await machine.startEngine('worker', UNBOUNDED);
    const ids: string[] = [];
    for (const conversationId of conversations.flatMap((id) => Array.from({ length: RUNS_OF_EACH }, () => id))) {
      ids.push(await begin(api.url, { automation: 'follow-up-silent-lead', conversationId }));
    }
    await until(async () => ((await countOf(database, `waits_for = 'reply'`)) === ids.length ? true : null));
    await worker.stop();
    const beside = await restingMb(machine);
    const again = await machine.startEngine('worker', UNBOUNDED);
    for (let woken = 0; woken < ids.length; woken += WOKEN_AT_ONCE) {
      const some = ids.slice(woken, woken + WOKEN_AT_ONCE);
      for (const id of some) await ask(api.url, 'POST', `/api/v1/automation-executions/${id}/skip-wait`, {});
      const left = ids.length - woken - some.length;
      await until(async () => ((await countOf(database, `status = 'running'`)) === left ? true : null));
    }
    const survived = await countOf(database, `status = 'completed'`);
    await again.stop();
    const costMb = median(beside) - median(without);
    return [
      {
        path: `memory of a worker for ${ids.length} runs that wait for days`,
        measured: `${round(costMb, 2)} MB; ${survived} of ${ids.length} went on after four restarts`,
        baseline: `${readings(beside)} MB beside them, ${readings(without)} MB without`,
        ratio: null,
        aim: `≤ ${AT_MOST_MB} MB, and all go on`,
        met: costMb <= AT_MOST_MB && survived === ids.length,
      },
    ];
  } finally {
    await api.stop();
    await database.end();
  }
}

/** Starts a worker some times, and reads its memory once it rests. */
async function restingMb(machine: Machine): Promise<number[]> {
  const readings: number[] = [];
  for (let index = 0; index < RESTARTS; index += 1) {
    const worker = await machine.startEngine('worker', UNBOUNDED);
    await pause(REST_MS);
    const status = await readFile(`/proc/${worker.pid}/status`, 'utf8');
    readings.push(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
    await worker.stop();
  }
  return readings;
}

const readings = (of: readonly number[]): string => of.map((mb) => round(mb)).join(', ');

async function countOf(database: Client, where: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*)::int as n from automation_execution where ${where}`,
  );
  return rows[0]?.n ?? 0;
}
