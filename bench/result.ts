/** One line of the table: the measured value, its baseline and the aim. */
export interface Result {
  path: string;
  /** The measured value with its unit. */
  measured: string;
  baseline: string;
  ratio: number | null;
  aim: string;
  met: boolean;
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
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .join('\n');
}
