import type { Result } from '../result.ts';
import { markdown } from './markdown.ts';

/** Rows whose names say the rate that was measured are the same row in each run. */
const rowOf = ({ path }: Result): string => path.replace(/ at [\d,]+ events\/s$/, '');

/** Makes the table of every row: the last reading, and what the runs before it have measured. */
export function rowsTable(results: readonly Result[]): string {
  const rows = [...Map.groupBy(results, rowOf).values()].map((readings) => {
    const { path, measured, baseline, ratio, aim, met } = readings.at(-1) ?? NONE;
    const before = readings.slice(0, -1).map((each) => shortOf(each));
    const judged = aim === 'published' || aim === '' ? aim : `${aim}, ${met ? 'met' : 'short'}`;
    return [path, measured, before.join('; '), baseline, ratio === null ? '' : ratio.toFixed(2), judged];
  });
  return markdown([['Path', 'Measured', 'Runs before', 'Baseline', 'Ratio', 'Aim'], ...rows]);
}

/** An earlier reading, without its details; with a baseline in its run, the ratio says more than the figure. */
function shortOf({ measured, ratio }: Result): string {
  return ratio === null ? measured.replace(/ \(.*$/, '') : `${ratio.toFixed(2)} ×`;
}

const NONE: Result = { path: '', measured: '', baseline: '', ratio: null, aim: '', met: true };
