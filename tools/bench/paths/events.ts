import { setTimeout as pause } from 'node:timers/promises';
import { anAgency } from '../agency.ts';
import { BareWorkflows } from '../bare-workflows.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { Sink } from '../sink.ts';
import { median, percentile, round } from '../statistics.ts';

const BUSY_EVENTS = 200;
const BUSY_EVERY_MS = 40;
const IDLE_EVENTS = 8;
/** Longer than a drain lingers, so that each event wakes a new drain. */
const IDLE_EVERY_MS = 4_000;

/** Measures from the beginning of an event's transaction to its arrival at a dashboard. */
export async function events(machine: Machine): Promise<Result[]> {
  const one = await measure(machine, ['all'], true);
  const split = await measure(machine, ['worker', 'api'], false);
  const floors = await BareWorkflows.start(machine.temporalAddress);
  try {
    const floor = await floors.signalToActivity(20);
    const idleRatio = median(one.idle) / median(floor);
    return [
      busyLine('event to dashboard, busy, one process', one.busy, 10),
      busyLine('event to dashboard, busy, api and worker apart', split.busy, 25),
      {
        path: 'event to dashboard, idle, one process',
        measured: `p50 ${round(median(one.idle))} ms (${one.idle.length})`,
        baseline: `bare signal to activity p50 ${round(median(floor))} ms`,
        ratio: idleRatio,
        aim: '≤ 1.5',
        met: idleRatio <= 1.5,
      },
    ];
  } finally {
    await floors.stop();
  }
}

function busyLine(path: string, samples: number[], atMostMs: number): Result {
  const p50 = median(samples);
  return {
    path,
    measured: `p50 ${round(p50)} ms, p95 ${round(percentile(samples, 0.95))} ms (${samples.length})`,
    baseline: '',
    ratio: null,
    aim: `p50 ≤ ${atMostMs} ms`,
    met: p50 <= atMostMs,
  };
}

async function measure(
  machine: Machine,
  halves: ('all' | 'api' | 'worker')[],
  withIdle: boolean,
): Promise<{ busy: number[]; idle: number[] }> {
  await machine.newSeries();
  const sink = await Sink.start();
  const engines = [];
  for (const half of halves) engines.push(await machine.startEngine(half));
  try {
    const url = engines[0]?.url ?? '';
    const { name } = await anAgency(url, { dashboardUrl: sink.url, working: true });
    const inbound = (index: number): Promise<unknown> =>
      machine.sandbox('POST', `/sessions/${name}/inbound`, {
        from: `1555200${1_000 + (index % 50)}`,
        text: `hi ${index}`,
      });
    for (let index = 0; index < 20; index += 1) await inbound(index);
    await pause(1_000);
    sink.agesMs.length = 0;
    for (let index = 0; index < BUSY_EVENTS; index += 1) {
      await inbound(index);
      await pause(BUSY_EVERY_MS);
    }
    await pause(1_000);
    const busy = sink.agesMs.splice(0);
    for (let index = 0; withIdle && index < IDLE_EVENTS; index += 1) {
      await pause(IDLE_EVERY_MS);
      await inbound(index);
    }
    await pause(1_000);
    return { busy, idle: sink.agesMs.splice(0) };
  } finally {
    for (const engine of engines.toReversed()) await engine.stop();
    await sink.stop();
  }
}
