import { NAME_OF_KIND } from '../kinds.ts';
import { round } from '../statistics.ts';
import { costOf, LINES, rowOf } from './lines.ts';
import { markdown } from './markdown.ts';
import type { PublishedRow } from './published.ts';

const COUNTED = ['api', 'worker', 'postgres', 'temporal', 'sandbox'] as const;
const HEAD = ['Path', 'Measured', 'Limit', 'Ratio', 'Aim', ...COUNTED.map((kind) => NAME_OF_KIND[kind]), 'Statements'];

/** Makes the table that a person reads in a minute; what was not measured says so. */
export function summaryTable(rows: readonly PublishedRow[]): string {
  const cells = LINES.map((line) => {
    const row = rowOf(rows, line.path);
    const usage = costOf(rows, line);
    const costs = [...COUNTED.map((kind) => usage?.cpuMs[kind]), usage?.statements];
    const shown = costs.map((value) => (value === undefined ? '' : `${round(value)}`));
    if (!row) return [line.name, 'not measured', '', '', '', ...shown];
    const met = row.aim === 'published' ? '' : row.met ? ', met' : ', short';
    const ratio = row.ratio === null ? '' : row.ratio.toFixed(2);
    const busy = row.reading?.anyway === true ? ' (`--anyway`)' : '';
    // The details in brackets are in the long table.
    return [line.name, row.measured.replace(/ \(.*$/, '') + busy, row.baseline, ratio, `${row.aim}${met}`, ...shown];
  });
  return markdown([HEAD, ...cells]);
}
