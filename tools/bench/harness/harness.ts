import { setTimeout as pause } from 'node:timers/promises';
import { totalCpu } from '../cpu.ts';
import { Meter, REPORTED_MS, statementsOf, usageOfEach } from '../fleet/meter.ts';
import type { Reading, Usage } from '../fleet/meter.ts';
import { untilSettled } from '../fleet/settled.ts';
import { KINDS } from '../kinds.ts';
import type { Machine } from '../machine.ts';
import type { Result, RowUsage } from '../result.ts';
import { median, round } from '../statistics.ts';
import { agree, MAX_WINDOWS } from './agree.ts';
import type { Window } from './agree.ts';

const SETTLED_WITHIN_MS = 20_000;

/** The work of one window. */
export interface Work {
  count: number;
  perSecond: number;
  /** Milliseconds of each unit, if the way measures them. */
  latencies: number[];
  /** The CPU of what does an API process's work inside of the bench. */
  apiMs?: number;
}

/** A way to do some work: the engine's, or a baseline's. */
export interface Way {
  /** The unit, for example "send". */
  each: string;
  /** Works for so long, and returns once everything that the work causes is over. */
  work: (seconds: number) => Promise<Work>;
}

export interface Measured {
  perSecond: number;
  latencies: number[];
  usage: RowUsage;
  /** The machine's load before the warm-up. */
  load: number;
  /** False if for it, or for a way that took turns with it, no two windows of the warm-up agreed. */
  isSteady: boolean;
}

interface Counted extends Work {
  usage: Usage;
}

/**
 * Measures ways that take turns on one machine: waits for a quiet machine, warms up each way until two windows agree,
 * counts rest, then runs `rounds` windows of each. The idle usage in the same time is subtracted.
 */
export async function measure<Name extends string>(
  machine: Machine,
  ways: Readonly<Record<Name, Way>>,
  { seconds, rounds = 3 }: { seconds: number; rounds?: number },
): Promise<(name: Name) => Measured> {
  const meter = await Meter.open(machine);
  try {
    const load = await machine.quiet();
    const all = Object.entries<Way>(ways).map(([name, way]) => ({ name, way, windows: new Array<Counted>() }));
    let isSteady = true;
    for (const { name, way } of all) {
      const isWarm = await warm(machine, way, seconds);
      console.log(`  ${name}: ${isWarm ? 'warm' : 'not steady'}`);
      isSteady &&= isWarm;
    }
    // Work that the warm-up has left is not rest. It would be subtracted from the work.
    await untilSettled(machine, SETTLED_WITHIN_MS);
    const rest = await read(meter, () => pause(seconds * 1_000));
    for (let done = 0; done < rounds; done += 1)
      for (const { way, windows } of all) windows.push(await counted(meter, way, { seconds, rest: rest.between }));
    return (wanted) => {
      const found = all.find(({ name }) => name === wanted);
      if (!found) throw new Error(`"${wanted}" was not measured.`);
      const { way, windows } = found;
      return { ...summed(way.each, windows), load, isSteady };
    };
  } finally {
    await meter.close();
  }
}

/** Makes a row of a measurement: adds its cost and its load, and says if it never became steady. */
export function rowOf({ usage, load, isSteady }: Measured, row: Result): Result {
  const unsteady = isSteady ? '' : ` (not steady after ${MAX_WINDOWS} windows)`;
  return { ...row, measured: row.measured + unsteady, usage, load };
}

/** Returns the CPU of a unit in milliseconds, without the sandbox's. */
export function cpuOfEach({ usage }: Measured): number {
  return round(totalCpu(usage.cpuMs));
}

async function warm(machine: Machine, { work }: Way, seconds: number): Promise<boolean> {
  const windows: Window[] = [];
  while (windows.length < MAX_WINDOWS) {
    const before = machine.cpuMs();
    const { count, perSecond } = await work(seconds);
    const after = machine.cpuMs();
    windows.push({ perSecond, cpuMs: (totalCpu(after) - totalCpu(before)) / count });
    if (agree(windows)) return true;
  }
  return false;
}

async function counted(
  meter: Meter,
  { work }: Way,
  { seconds, rest }: { seconds: number; rest: readonly [Reading, Reading] },
): Promise<Counted> {
  const { value, between } = await read(meter, () => work(seconds));
  return { ...value, usage: usageOfEach(between, rest, value.count) };
}

async function read<T>(
  meter: Meter,
  work: () => Promise<T>,
): Promise<{ value: T; between: readonly [Reading, Reading] }> {
  const from = await meter.read();
  const value = await work();
  await pause(REPORTED_MS);
  return { value, between: [from, await meter.read()] };
}

function summed(each: string, windows: readonly Counted[]): Omit<Measured, 'load' | 'isSteady'> {
  const count = windows.reduce((sum, window) => sum + window.count, 0);
  const mean = (of: (usage: Usage) => number): number =>
    windows.reduce((sum, window) => sum + of(window.usage) * window.count, 0) / count;
  const apiMs = windows.reduce((sum, window) => sum + (window.apiMs ?? 0), 0) / count;
  const cpuMs = Object.fromEntries(KINDS.map((kind) => [kind, mean((usage) => usage.cpuMs[kind])]));
  // A kind that does not run here is left out: a row with `engine` says that API and worker are one process.
  const used = Object.fromEntries(Object.entries(cpuMs).filter(([, ms]) => ms > 0));
  if (apiMs > 0) used['api'] = (used['api'] ?? 0) + apiMs;
  return {
    perSecond: median(windows.map(({ perSecond }) => perSecond)),
    latencies: windows.flatMap(({ latencies }) => latencies),
    usage: { each, cpuMs: used, statements: mean(statementsOf), commits: mean(({ commits }) => commits) },
  };
}
