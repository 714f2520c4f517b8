import { KINDS, NAME_OF_KIND } from './kinds.ts';
import type { CpuMs } from './kinds.ts';
import { round } from './statistics.ts';

/** One line of the table: the measured value, its baseline and the aim. */
export interface Result {
  path: string;
  /** The measured value with its unit. */
  measured: string;
  baseline: string;
  ratio: number | null;
  aim: string;
  met: boolean;
  /** The cost of one unit; the runner adds the whole path's cost to a row without it. */
  usage?: RowUsage;
  /** Set by a row whose loops began later than its path. */
  load?: number;
}

/** The cost of one unit of work, or of a whole path with its preparation. */
export interface RowUsage {
  /** The unit, for example "send"; "path" is everything that the row's path did. */
  each: string;
  cpuMs: CpuMs;
  statements?: number | undefined;
  commits?: number | undefined;
}

/** The circumstances of a row's measurement. */
export interface Reading {
  at: string;
  /** Null outside of a git repository. */
  commit: string | null;
  /** The machine's load average of one minute before the row's loops began. */
  load: number;
  /** True with `--anyway`: the machine may have been busy, so the figures compare with nothing. */
  anyway: boolean;
}

export type Read = Result & { reading: Reading };

export function table(results: readonly Read[]): string {
  const head = ['path', 'measured', 'baseline', 'ratio', 'aim', '', 'load', 'cost'];
  const rows = results.map((result) => [
    result.path,
    result.measured,
    result.baseline,
    result.ratio === null ? '' : result.ratio.toFixed(2),
    result.aim,
    result.met ? 'met' : 'SHORT',
    `${result.reading.load.toFixed(2)}${result.reading.anyway ? ' ANYWAY' : ''}`,
    usageText(result.usage),
  ]);
  return columns([head, ...rows]);
}

/** Describes the cost of a unit, kinds that used nothing left out; empty without a cost. */
export function usageText(usage: RowUsage | undefined): string {
  if (usage === undefined) return '';
  const cpu = KINDS.flatMap((kind) => {
    const ms = round(usage.cpuMs[kind] ?? 0);
    return ms === 0 ? [] : [`${NAME_OF_KIND[kind]} ${ms}`];
  });
  const counts = [
    ...(usage.statements === undefined ? [] : [`${round(usage.statements)} statements`]),
    ...(usage.commits === undefined ? [] : [`${round(usage.commits)} commits`]),
  ];
  return `${usage.each}: ${[`${cpu.join(', ') || 0} ms of CPU`, ...counts].join('; ')}`;
}

/** Sets rows of cells in columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
