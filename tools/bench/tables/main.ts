import { readFileSync, writeFileSync } from 'node:fs';
import { PUBLISHED, publishedRows, withResults } from './published.ts';
import type { PublishedRow } from './published.ts';
import { rowsTable } from './rows.ts';
import { agentScalingTable, millionsOfACore, scalingTable } from './scaling.ts';
import { summaryTable } from './summary.ts';

/** Text that is made from the results, by the page and the name in the comments around it. */
const MADE: readonly { page: string; name: string; make: (rows: readonly PublishedRow[]) => string }[] = [
  { page: 'docs/evaluate/performance.md', name: 'summary', make: summaryTable },
  { page: 'docs/reference/benchmarks.md', name: 'every row', make: rowsTable },
  { page: 'docs/operate/scale.md', name: 'ten million messages', make: scalingTable },
  { page: 'docs/operate/scale.md', name: 'with the agent', make: agentScalingTable },
  {
    page: 'docs/evaluate/performance.md',
    name: 'one core',
    make: (rows) =>
      `In our measurements each processor core carries about ${millionsOfACore(rows)} million messages a day, without the AI agent's own.`,
  },
];
const END = '<!-- end of what is made -->';

export const PAGES = [...new Set(MADE.map(({ page }) => page))];

/** Returns a page with its tables made from the rows. Text around them stays. */
export function pageWithTables(page: string, text: string, rows: readonly PublishedRow[]): string {
  return MADE.filter((made) => made.page === page).reduce((before, { name, make }) => {
    const begin = `<!-- made by npm run bench-tables: ${name} -->`;
    const from = before.indexOf(begin) + begin.length;
    const to = before.indexOf(END, from);
    if (from < begin.length || to < 0) throw new Error(`${page} has no place for "${name}".`);
    return `${before.slice(0, from)}\n\n${make(rows)}\n\n${before.slice(to)}`;
  }, text);
}

/** `npm run bench-tables -- a.json b.json` adds results of the bench first; without files it only makes the tables. */
if (import.meta.main) {
  const rows = process.argv.slice(2).reduce(withResults, publishedRows());
  writeFileSync(PUBLISHED, `${JSON.stringify({ rows }, null, 2)}\n`);
  for (const page of PAGES) {
    const path = new URL(`../../../${page}`, import.meta.url);
    writeFileSync(path, pageWithTables(page, readFileSync(path, 'utf8'), rows));
  }
}
