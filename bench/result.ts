import type { Kind } from './kinds.ts';

/** One line of the table: the measured value, its baseline and the aim. */
export interface Result {
  path: string;
  /** The measured value with its unit. */
  measured: string;
  baseline: string;
  ratio: number | null;
  aim: string;
  met: boolean;
  /** The CPU time of one message, event or second, in milliseconds by the kind of process, where the path counts it. */
  cpuMs?: Record<Kind, number>;
}

export function table(results: readonly Result[]): string {
  const head = ['path', 'measured', 'baseline', 'ratio', 'aim', ''];
  const rows = results.map((result) => [
    result.path,
    result.measured,
    result.baseline,
    result.ratio === null ? '' : result.ratio.toFixed(2),
    result.aim,
    result.met ? 'met' : 'SHORT',
  ]);
  return columns([head, ...rows]);
}

/** Sets rows of cells in columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
