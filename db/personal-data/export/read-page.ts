import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { TenantScope } from '../../../domain/scope.ts';
import { IdRow } from '../../engine/columns.ts';
import { rows, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import type { ExportedTable } from './tables.ts';
import { placeBehind, stepAt, WITH_MESSAGES } from './walk.ts';
import type { ExportPlace, ExportStep } from './walk.ts';

/** A page has as many rows, beside those that go along with messages. */
export const PAGE_ROWS = 500;
/** A page looks at the rows of as many others. */
const PARENTS = 100;

/** A file of the store that rows of a page name. */
export const NamedFile = z.object({
  key: z.string(),
  sha256: z.string(),
  sizeBytes: z.number(),
  thumbnailBytes: z.number().nullable(),
});
export type NamedFile = z.output<typeof NamedFile>;

export interface ExportPage {
  /** The rows as lines of JSON, by the table or the walk that they are of. */
  parts: { what: string; lines: string[] }[];
  files: NamedFile[];
  /** The place of the next page; behind the last of all, where people are written anew. */
  next: ExportPlace;
}

const Row = z.object({ line: z.string(), place: z.array(z.string()), parent: z.string().nullable() });

/** The tenant of an export, and its time: later rows are omitted with all that belongs to them. */
export interface ExportScope extends TenantScope {
  createdAt: Date;
}

/** Reads the page of a tenant's rows that follows the place. */
export async function readExportPage(queries: Tx, scope: ExportScope, at: ExportPlace): Promise<ExportPage> {
  // By the average conversation a sort may seem cheaper than the order of the index; in a long one it reads all rows.
  await run(queries)`
    select set_config(name, 'off', true) from unnest('{enable_sort,enable_bitmapscan,enable_seqscan}'::text[]) name`;
  const step = stepAt(at);
  const { found, next } = await (step.table.walk.of === 'tenant'
    ? readOfTenant(queries, scope, step, at)
    : readOfParents(queries, scope, step, at));
  const page = { parts: [{ what: step.what, lines: found.map(({ line }) => line) }], files: [] };
  const behind = next ?? placeBehind(step);
  if (step.isLater) return { ...page, next: behind };
  const ids = found.map(({ place }) => place.at(-1) ?? '');
  const files = await readFiles(queries, step.what, ids);
  if (step.what !== 'message') return { ...page, files, next: behind };
  const parts = [...(await readLateTalks(queries, scope, ids)), ...page.parts, ...(await readAlong(queries, ids))];
  return { parts, files, next: behind };
}

/**
 * Reads the conversations of these messages that were made after the export was asked for: the undoing of a merge gives
 * old messages to one. Without it the messages would belong to nothing in the file.
 */
async function readLateTalks(
  queries: Queries,
  { createdAt }: ExportScope,
  messageIds: readonly string[],
): Promise<ExportPage['parts']> {
  const step = stepAt({ what: 'conversation', parent: null, after: null });
  const late = await rows(queries, Row)`
    select ${lineOf(step)} as line, ${placeOf(step.table)} as place, null as parent from conversation t
    where t.id in (select m.conversation_id from message m where m.id = any(${[...messageIds]}::text[]))
      and t.created_at > ${createdAt}
    order by t.id`;
  return late.length === 0 ? [] : [{ what: step.what, lines: late.map(({ line }) => line) }];
}

interface Found {
  found: z.output<typeof Row>[];
  /** Null at the end of the walk. */
  next: ExportPlace | null;
}

async function readOfTenant(
  queries: Queries,
  scope: ExportScope,
  step: ExportStep,
  place: ExportPlace,
): Promise<Found> {
  const { table } = step;
  // The previous release walked by conversation: its place names none here, and what is read twice is written once.
  const at = place.parent === null ? place : { ...place, parent: null, after: null };
  const found = await rows(queries, Row)`
    select ${lineOf(step)} as line, ${placeOf(table)} as place, null as parent from ${sql.table(table.table)} t
    where ${isOfTenant(table, scope)} and ${wanted(step, scope)}
      and ${isBehind(table, at.after)}
    order by ${keysOf(table)} limit ${PAGE_ROWS}`;
  const last = found.at(-1);
  return { found, next: last && found.length === PAGE_ROWS ? { ...at, after: last.place } : null };
}

function isOfTenant({ table, walk }: ExportedTable, { agencyId, tenantId }: ExportScope): RawBuilder<unknown> {
  if (table === 'tenant') return sql`t.agency_id = ${agencyId} and t.id = ${tenantId}`;
  if (walk.of !== 'tenant' || walk.through === undefined)
    return sql`t.agency_id = ${agencyId} and t.tenant_id = ${tenantId}`;
  return sql`exists (select from ${sql.table(walk.through.table)} o
    where o.id = ${sql.ref(`t.${walk.through.by}`)} and o.agency_id = ${agencyId} and o.tenant_id = ${tenantId})`;
}

/**
 * Reads rows of some of the tenant's sessions, contacts or conversations, one after the other. A place behind the last
 * row of one is one without `after`.
 */
async function readOfParents(queries: Queries, scope: ExportScope, step: ExportStep, at: ExportPlace): Promise<Found> {
  const { table } = step;
  const { walk } = table;
  if (walk.of === 'tenant') throw new Error('These rows are walked through by themselves.');
  if (at.after !== null) return readRestOfOne(queries, scope, step, at);
  const inTime = sql`agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
    and created_at <= ${scope.createdAt} and id > ${at.parent ?? ''}`;
  const parents = await rows(queries, IdRow)`
    select id from ${sql.table(walk.of)} where ${inTime} order by id limit ${PARENTS}`;
  const last = parents.at(-1)?.id ?? null;
  // The rows come in the order of the parents and, for each, of its own rows, because a lateral join with a limit can
  // only be a loop. A sort of all would read every row of all the parents for each page.
  const found = await rows(queries, Row)`
    select r.line, r.place, p.id as parent
    from (select id from ${sql.table(walk.of)} where ${inTime} and id <= ${last ?? ''}
        order by id limit ${PARENTS}) p
      cross join lateral (
        select ${lineOf(step)} as line, ${placeOf(table)} as place from ${sql.table(table.table)} t
        where ${sql.ref(`t.${walk.by}`)} = p.id and ${wanted(step, scope)}
        order by ${keysOf(table)} limit ${PAGE_ROWS}) r
    limit ${PAGE_ROWS}`;
  refuseDisorder(found);
  const lastRow = found.at(-1);
  if (lastRow && found.length === PAGE_ROWS) {
    return { found, next: { ...at, parent: lastRow.parent, after: lastRow.place } };
  }
  return { found, next: parents.length === PARENTS ? { ...at, parent: last, after: null } : null };
}

/** Reads on in one parent alone: beside others its rows would be read from their begin for each page. */
async function readRestOfOne(queries: Queries, scope: ExportScope, step: ExportStep, at: ExportPlace): Promise<Found> {
  const { table } = step;
  const { walk } = table;
  if (walk.of === 'tenant') throw new Error('These rows are walked through by themselves.');
  const found = await rows(queries, Row)`
    select ${lineOf(step)} as line, ${placeOf(table)} as place, ${at.parent} as parent
    from ${sql.table(table.table)} t
    where ${sql.ref(`t.${walk.by}`)} = ${at.parent} and ${wanted(step, scope)} and ${isBehind(table, at.after)}
      and exists (select from ${sql.table(walk.of)}
        where id = ${at.parent} and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId})
    order by ${keysOf(table)} limit ${PAGE_ROWS}`;
  const last = found.at(-1);
  return { found, next: { ...at, after: last && found.length === PAGE_ROWS ? last.place : null } };
}

/** A page goes on behind its last row, so that rows in another order would be left out without a word. */
function refuseDisorder(found: readonly z.output<typeof Row>[]): void {
  const parents = [...new Set(found.map(({ parent }) => parent))];
  const runs = found.filter(({ parent }, index) => parent !== found[index - 1]?.parent);
  if (runs.length !== parents.length) throw new Error('The rows of an export came in disorder.');
}

/** Reads what goes along with these messages. */
async function readAlong(queries: Queries, messageIds: readonly string[]): Promise<ExportPage['parts']> {
  const parts: ExportPage['parts'] = [];
  for (const table of WITH_MESSAGES) {
    const step = { what: table.table, table, isLater: false };
    const found = await rows(queries, Row)`
      select ${lineOf(step)} as line, ${placeOf(table)} as place, t.message_id as parent
      from ${sql.table(table.table)} t where t.message_id = any(${[...messageIds]}::text[])
      order by t.message_id, ${keysOf(table)}`;
    parts.push({ what: table.table, lines: found.map(({ line }) => line) });
  }
  return parts;
}

/** The columns that name the files of a table's rows. */
const FILE_OF: Readonly<Record<string, { file: string; thumbnail: string }>> = {
  message: { file: "t.media->'stored'", thumbnail: "t.media->'thumbnail'->'sizeBytes'" },
  contact: { file: 't.picture', thumbnail: 'null::jsonb' },
  session: { file: 't.picture', thumbnail: 'null::jsonb' },
};

export async function readFiles(queries: Queries, table: string, ids: readonly string[]): Promise<NamedFile[]> {
  const named = FILE_OF[table];
  if (named === undefined || ids.length === 0) return [];
  return rows(queries, NamedFile)`
    select distinct f.file->>'key' as key, f.file->>'sha256' as sha256, (f.file->>'sizeBytes')::float8 as "sizeBytes",
      f.thumbnail::float8 as "thumbnailBytes"
    from ${sql.table(table)} t cross join lateral (
      select ${sql.raw(named.file)} as file, ${sql.raw(named.thumbnail)} as thumbnail) f
    where t.id = any(${[...ids]}::text[]) and f.file->>'key' is not null order by 1`;
}

/** A row as JSON: without whose it is, which the tenant says into which it is read. */
export function lineOf({ table, isLater }: ExportStep): RawBuilder<unknown> {
  const { only, without = [], later, key } = table;
  const named = isLater && later !== undefined ? [...key.map(([column]) => column), later] : only;
  if (named !== undefined) {
    return sql`(select jsonb_object_agg(c.key, c.value) from jsonb_each(to_jsonb(t)) c
      where c.key = any(${[...named]}::text[]))::text`;
  }
  const left = ['agency_id', 'tenant_id', ...without, ...(later === undefined ? [] : [later])];
  return sql`(to_jsonb(t) - ${left}::text[])::text`;
}

/** The tables whose rows say when they were made. */
const DATED: ReadonlySet<string> = new Set([
  'session',
  'contact',
  'conversation',
  'message',
  'memory',
  'note',
  'automation',
]);

/**
 * Omits rows that belong to a later row. Sessions and conversations are checked when a walk passes them, and a contact
 * is looked up for each row.
 */
function wanted({ table, isLater }: Omit<ExportStep, 'what'>, { createdAt }: ExportScope): RawBuilder<unknown> {
  const { parents = {}, walk } = table;
  const people = Object.entries(parents).filter(([, parent]) => parent === 'contact' && walk.of !== 'contact');
  const conditions = [
    ...(DATED.has(table.table) ? [sql`t.created_at <= ${createdAt}`] : []),
    ...conditionsOf({ table, isLater }),
    ...people.map(
      ([column]) => sql`not exists (
        select from contact o where o.id = ${sql.ref(`t.${column}`)} and o.created_at > ${createdAt})`,
    ),
  ];
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** The conditions that a row must meet, whenever it was made. */
export function conditionsOf({ table: { where, later }, isLater }: Omit<ExportStep, 'what'>): RawBuilder<unknown>[] {
  return [
    ...(isLater && later !== undefined ? [sql`${sql.ref(`t.${later}`)} is not null`] : []),
    ...(where === undefined ? [] : [sql.raw(where)]),
  ];
}

const refsOf = ({ key }: ExportedTable): RawBuilder<unknown>[] => key.map(([column]) => sql.ref(`t.${column}`));

const keysOf = (table: ExportedTable): RawBuilder<unknown> => sql.join(refsOf(table));

function placeOf(table: ExportedTable): RawBuilder<unknown> {
  return sql`array[${sql.join(refsOf(table).map((column) => sql`${column}::text`))}]`;
}

function isBehind(table: ExportedTable, after: readonly string[] | null): RawBuilder<unknown> {
  if (after === null) return sql`true`;
  const values = table.key.map(([, type], index) => sql`${after[index] ?? ''}::${sql.raw(type)}`);
  return sql`(${keysOf(table)}) > (${sql.join(values)})`;
}
