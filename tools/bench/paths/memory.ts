import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';

const REST_MS = 15_000;
const AT_MOST_MB = 300;

/**
 * Measures the memory of an idle engine in one process, without PostgreSQL, Temporal and the sandbox, which are other
 * processes here.
 */
export async function memory(machine: Machine): Promise<Result[]> {
  await machine.newSeries();
  const engine = await machine.startEngine('all');
  try {
    await pause(REST_MS);
    const status = await readFile(`/proc/${engine.pid}/status`, 'utf8');
    const residentMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
    return [
      {
        path: 'memory of the one-process engine at rest',
        measured: `${round(residentMb, 0)} MB resident`,
        baseline: '',
        ratio: null,
        aim: `≤ ${AT_MOST_MB} MB`,
        met: residentMb <= AT_MOST_MB,
      },
    ];
  } finally {
    await engine.stop();
  }
}
