import { z } from 'zod';
import { EXPORTED } from './tables.ts';
import type { ExportedTable } from './tables.ts';

const TABLES: readonly ExportedTable[] = EXPORTED;

/** One walk through a table. `what` names the parts of the file that it writes. */
export interface ExportStep {
  what: string;
  table: ExportedTable;
  /** Whether only the column is written that leads to rows of the same table. */
  isLater: boolean;
}

/** The walks of an export in their order. Tables that go along with messages have none of their own. */
export const EXPORT_STEPS: readonly ExportStep[] = TABLES.filter(({ walk }) => walk.of !== 'message').flatMap(
  (table) => [
    { what: table.table, table, isLater: false },
    ...(table.later === undefined ? [] : [{ what: `${table.table}.${table.later}`, table, isLater: true }]),
  ],
);

/** The tables that are written with the messages of a page. */
export const WITH_MESSAGES = TABLES.filter(({ walk }) => walk.of === 'message');

/** The possible parts of the file, by their names. */
export const ROWS_OF: ReadonlyMap<string, ExportStep> = new Map([
  ...EXPORT_STEPS.map((step) => [step.what, step] as const),
  ...WITH_MESSAGES.map((table) => [table.table, { what: table.table, table, isLater: false }] as const),
]);

/** Position of an export: behind a row of a walk. `parent` is the row's parent, if the walk goes by parents. */
export const ExportPlace = z.object({
  what: z.string(),
  parent: z.string().nullable(),
  after: z.array(z.string()).nullable(),
});
export type ExportPlace = z.output<typeof ExportPlace>;

const beginOf = ({ what }: ExportStep): ExportPlace => ({ what, parent: null, after: null });

export function firstPlace(): ExportPlace {
  const [first] = EXPORT_STEPS;
  if (first === undefined) throw new Error('Nothing is exported.');
  return beginOf(first);
}

/** Behind all walks: here people whom merges have moved since the begin are written anew. No table has this name. */
export const PEOPLE_PLACE: ExportPlace = { what: 'people', parent: null, after: null };

/** The begin of the walk behind this one. */
export function placeBehind({ what }: ExportStep): ExportPlace {
  const next = EXPORT_STEPS[EXPORT_STEPS.findIndex((step) => step.what === what) + 1];
  return next === undefined ? PEOPLE_PLACE : beginOf(next);
}

export function stepAt({ what }: ExportPlace): ExportStep {
  const step = EXPORT_STEPS.find((each) => each.what === what);
  if (step === undefined) throw new Error(`No export walks through "${what}".`);
  return step;
}
