import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { KINDS } from '../kinds.ts';

/** The one source of all tables in the documents. */
export const PUBLISHED = new URL('../../../docs/bench-results.json', import.meta.url);

/** As many earlier readings of a row are kept. */
const KEPT_BEFORE = 3;

const Reading = z.strictObject({
  at: z.string(),
  commit: z.string().nullable(),
  load: z.number(),
  anyway: z.boolean(),
});
const Row = z.object({
  path: z.string(),
  measured: z.string(),
  baseline: z.string(),
  ratio: z.number().nullable(),
  aim: z.string(),
  met: z.boolean(),
  usage: z
    .strictObject({
      each: z.string(),
      cpuMs: z.partialRecord(z.enum(KINDS), z.number()),
      statements: z.number().optional(),
      commits: z.number().optional(),
    })
    .optional(),
});
const Measured = z.object({ results: z.array(Row.extend({ reading: Reading })) });
const PublishedRow = Row.extend({
  /** Null for rows from before 24 November 2026, when the bench did not record its readings. */
  reading: Reading.nullable(),
  /** Earlier readings in short, the oldest first. */
  before: z.array(z.string()),
});
const Published = z.object({ rows: z.array(PublishedRow) });
export type PublishedRow = z.infer<typeof PublishedRow>;

export function publishedRows(): PublishedRow[] {
  return Published.parse(JSON.parse(readFileSync(PUBLISHED, 'utf8'))).rows;
}

/** Adds the rows of a bench's file: a row that is there becomes the last of its earlier readings. */
export function withResults(rows: readonly PublishedRow[], file: string): PublishedRow[] {
  const all = new Map(rows.map((row) => [keyOf(row), row]));
  for (const row of Measured.parse(JSON.parse(readFileSync(file, 'utf8'))).results) {
    const former = all.get(keyOf(row));
    const before = former ? [...former.before, shortOf(former)].slice(-KEPT_BEFORE) : [];
    all.set(keyOf(row), { ...row, before });
  }
  return [...all.values()];
}

/** Rows whose names say the rate that was measured are the same row in each run. */
function keyOf({ path }: { path: string }): string {
  return path.replace(/ at [\d,]+ events\/s$/, '');
}

/** An earlier reading, without its details; with a baseline in its run, the ratio says more than the figure. */
function shortOf({ measured, ratio }: PublishedRow): string {
  return ratio === null ? measured.replace(/ \(.*$/, '') : `${ratio.toFixed(2)} ×`;
}
