import { usageText } from '../result.ts';
import { markdown } from './markdown.ts';
import type { PublishedRow } from './published.ts';

const HEAD = ['Path', 'Measured', 'Runs before', 'Baseline', 'Ratio', 'Aim', 'Cost of each', 'Reading'];

/** Makes the table of every row, with the cost of its unit and the circumstances of its reading. */
export function rowsTable(rows: readonly PublishedRow[]): string {
  const cells = rows.map(({ path, measured, before, baseline, ratio, aim, met, usage, reading }) => {
    const judged = aim === 'published' || aim === '' ? aim : `${aim}, ${met ? 'met' : 'short'}`;
    const ratioText = ratio === null ? '' : ratio.toFixed(2);
    return [path, measured, before.join('; '), baseline, ratioText, judged, usageText(usage), readingText(reading)];
  });
  return markdown([HEAD, ...cells]);
}

function readingText(reading: PublishedRow['reading']): string {
  if (reading === null) return '';
  const { at, commit, load, anyway } = reading;
  const busy = anyway ? ', **`--anyway`**' : '';
  return `${at.slice(0, 10)}, ${commit ?? 'no commit'}, load ${load.toFixed(2)}${busy}`;
}
