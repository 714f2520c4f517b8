import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { TenantScope } from '../../../domain/scope.ts';
import { one, rows, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import type { ExportedTable } from '../export/tables.ts';
import type { ExportStep } from '../export/walk.ts';
import { withoutDeletedLines } from './kept-lines.ts';
import { addToTaken, countAliases, findTaken, uniteContacts, withTaken } from './meanwhile.ts';
import type { Taken } from './meanwhile.ts';
import type { TableName } from '../tables.ts';

const Column = z.object({ name: z.string() });
const Later = z.looseObject({ id: z.string() });
const Checked = z.object({ count: z.int() });

/** The retention may have marked the tenant meanwhile; the later mark holds. */
const LATER_MARK = sql`(agency_id, tenant_id) do update set kept_since = excluded.kept_since
  where deletion_mark.kept_since < excluded.kept_since`;

/** The importing tenant gives the owner of the rows. */
const OWNER = ['agency_id', 'tenant_id'];

/**
 * Reads lines as rows of the table without writing them. Throws where one is no row; answers the columns that the table
 * of this release does not have. A process of an earlier release writes those that this one leaves out, so they do not
 * count.
 */
export async function checkRows(queries: Queries, step: ExportStep, lines: readonly string[]): Promise<string[]> {
  const unknown = await rows(queries, Column)`
    select distinct k as name from unnest(${[...lines]}::text[]) line, jsonb_object_keys(line::jsonb) k
    where k <> all(${[...(await takenColumns(queries, step)), ...(step.table.without ?? [])]}::text[])`;
  await one(queries, Checked)`
    select count(r)::int as count from unnest(${[...lines]}::text[]) line
      cross join lateral jsonb_populate_record(null::${sql.table(step.table.table)}, line::jsonb) r`;
  return unknown.map(({ name }) => name);
}

/** Writes lines as rows of the tenant, and answers how many were taken. */
export async function writeRows(
  tx: Tx,
  scope: TenantScope,
  { step, lines: read, taken = new Map() }: { step: ExportStep; lines: readonly string[]; taken?: Taken },
): Promise<number> {
  const { table } = step;
  if (table.table === 'tenant') return writeTenant(tx, scope, read);
  const given = await withTaken(tx, read, { taken, columns: talksIn(step) });
  const lines = table.table === 'message' ? await withoutDeletedLines(tx, scope, given) : given;
  if (step.isLater) return writeLater(tx, scope, { table, lines });
  if (table.table === 'message_history') await makePartitions(tx, lines);
  const known = await takenColumns(tx, step);
  const columnsGiven = await rows(tx, Column)`
    select distinct k as name from unnest(${[...lines]}::text[]) line, jsonb_object_keys(line::jsonb) k
    where k = any(${known}::text[]) order by 1`;
  const instead = INSTEAD[table.table] ?? {};
  const owner = (await ownColumns(tx, table)).filter((name) => OWNER.includes(name));
  const columns = [...new Set([...columnsGiven.map(({ name }) => name), ...owner, ...Object.keys(instead)])];
  if (!PEOPLE.has(table.table)) await lockMerged(tx, table, lines);
  const written = await run(tx)`
    insert into ${sql.table(table.table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(columns.map((column) => valueOf(column, { table, scope, instead: instead[column] })))}
    from unnest(${[...lines]}::text[]) with ordinality as l(line, n)
      cross join lateral jsonb_populate_record(null::${sql.table(table.table)}, l.line::jsonb) r
    where ${parentsOf(table, scope)} and ${isKept(tx, table)}
    order by l.n
    on conflict ${table.table === 'deletion_mark' ? LATER_MARK : sql`do nothing`}`;
  if (table.table === 'session') {
    await run(tx)`
      insert into session_sequence (session_id)
      select id from session where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
      on conflict do nothing`;
  }
  return written + (await takeMeanwhile(tx, scope, { table, lines, written }));
}

/**
 * Attaches what the file says of people and conversations to those that were made meanwhile. Returns how many lines
 * more are taken by that.
 */
async function takeMeanwhile(
  tx: Tx,
  scope: TenantScope,
  { table: { table }, lines, written }: { table: ExportedTable; lines: readonly string[]; written: number },
): Promise<number> {
  if (written === lines.length) return 0;
  if (table === 'contact_alias') {
    await uniteContacts(tx, scope, lines);
    return (await countAliases(tx, scope, lines)) - written;
  }
  if (table !== 'conversation') return 0;
  const taken = await findTaken(tx, scope, lines);
  await addToTaken(tx, lines, taken);
  return taken.size;
}

/** The columns in which a line names a conversation that another may have taken the place of. */
function talksIn({ table, isLater }: ExportStep): string[] {
  if (table.table === 'conversation') return isLater ? ['id', 'merged_into'] : [];
  return Object.entries(table.parents ?? {}).flatMap(([column, parent]) => (parent === 'conversation' ? [column] : []));
}

/** The columns of a table that an export writes. */
async function takenColumns(queries: Queries, { table, isLater }: ExportStep): Promise<string[]> {
  const { only, without = [], later, key } = table;
  if (isLater && later !== undefined) return [...key.map(([column]) => column), later];
  if (only !== undefined) return [...only];
  const left = [...OWNER, ...without, ...(later === undefined ? [] : [later])];
  return (await ownColumns(queries, table)).filter((name) => !left.includes(name));
}

async function ownColumns(queries: Queries, { table }: ExportedTable): Promise<string[]> {
  const columns = await rows(queries, Column)`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`;
  return columns.map(({ name }) => name);
}

function valueOf(
  column: string,
  { table, scope, instead }: { table: ExportedTable; scope: TenantScope; instead: string | undefined },
): RawBuilder<unknown> {
  if (column === 'agency_id') return sql`${scope.agencyId}`;
  if (column === 'tenant_id') return sql`${scope.tenantId}`;
  const value = instead === undefined ? sql.ref(`r.${column}`) : expressionOf(instead, scope);
  const linked = table.links?.[column];
  const now = followed(column, table, value);
  return linked === undefined ? now : sql`case when ${isOwn(linked, sql.ref(`r.${column}`), scope)} then ${now} end`;
}

/** Their rows are written as they were: the contacts themselves, and who was taken apart. */
const PEOPLE: ReadonlySet<string> = new Set(['contact', 'contact_merge']);

/**
 * Follows merges: two people of the file may become one while the rest of it is read in. Rows of the merged contact
 * would stay where nobody looks.
 */
function followed(column: string, table: ExportedTable, value: RawBuilder<unknown>): RawBuilder<unknown> {
  const leadsTo = table.parents?.[column] ?? table.links?.[column];
  if (PEOPLE.has(table.table)) return value;
  if (leadsTo === 'contact') return sql`contact_now(${value})`;
  if (leadsTo !== 'conversation') return value;
  return sql`(select conversation_now(c) from conversation c where c.id = ${value})`;
}

/** Keeps merges off the people and conversations to which these rows belong, until the rows are written. */
async function lockMerged(
  tx: Tx,
  { parents = {}, links = {} }: ExportedTable,
  lines: readonly string[],
): Promise<void> {
  const leadsTo = (table: string) => Object.entries({ ...links, ...parents }).find(([, to]) => to === table)?.[0];
  const talk = leadsTo('conversation');
  const contact = leadsTo('contact');
  if (talk !== undefined) {
    await run(tx)`
      select 1 from conversation
      where id in (select line::jsonb->>${talk} from unnest(${[...lines]}::text[]) line) order by id for share`;
  } else if (contact !== undefined) {
    await run(tx)`
      select 1 from contact where id in (select unnest(array[c.id, contact_now(c.id)])
        from unnest(${[...lines]}::text[]) line join contact c on c.id = line::jsonb->>${contact})
      order by id for share`;
  }
}

/** Puts the agency into an expression of `columns.ts`. */
function expressionOf(text: string, { agencyId }: TenantScope): RawBuilder<unknown> {
  const pieces = text.split('$agency').map((piece) => sql.raw(piece));
  return sql`(${sql.join(pieces, sql`${agencyId}::text`)})`;
}

/** A row belongs to rows of the tenant, so that nobody reads rows into what is somebody else's. */
function parentsOf({ parents = {} }: ExportedTable, scope: TenantScope): RawBuilder<unknown> {
  const conditions = Object.entries(parents).map(
    ([column, parent]) => sql`(${sql.ref(`r.${column}`)} is null or ${isOwn(parent, sql.ref(`r.${column}`), scope)})`,
  );
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

function isOwn(table: string, id: RawBuilder<unknown>, { agencyId, tenantId }: TenantScope): RawBuilder<unknown> {
  return sql`exists (select 1 from ${sql.table(table)} o
    where o.id = ${id} and o.agency_id = ${agencyId} and o.tenant_id = ${tenantId})`;
}

/** The agent stays switched off until somebody switches it on here. */
async function writeTenant(tx: Tx, { agencyId, tenantId }: TenantScope, lines: readonly string[]): Promise<number> {
  return run(tx)`
    update tenant t set ai_mode = r.ai_mode, persona = r.persona, settings = r.settings, created_at = r.created_at,
      ai_enabled = false
    from unnest(${[...lines]}::text[]) line cross join lateral jsonb_populate_record(null::tenant, line::jsonb) r
    where t.agency_id = ${agencyId} and t.id = ${tenantId}`;
}

async function writeLater(
  tx: Tx,
  scope: TenantScope,
  { table, lines }: { table: ExportedTable; lines: readonly string[] },
): Promise<number> {
  const { later = '' } = table;
  const isItself = (line: string): boolean => {
    const { id, [later]: into } = Later.parse(JSON.parse(line));
    return id === into;
  };
  // Two that were one already may have one and the same conversation now.
  const themselves = lines.filter(isItself).length;
  const written = await run(tx)`
    update ${sql.table(table.table)} t set ${sql.ref(later)} = ${sql.ref(`r.${later}`)}
    from unnest(${[...lines]}::text[]) line
      cross join lateral jsonb_populate_record(null::${sql.table(table.table)}, line::jsonb) r
    where t.id = r.id and t.agency_id = ${scope.agencyId} and t.tenant_id = ${scope.tenantId}
      and r.id <> ${sql.ref(`r.${later}`)} and ${isOwn(table.table, sql.ref(`r.${later}`), scope)}`;
  return written + themselves;
}

/** Histories are kept for some days only: an older one, and one of the future, has no partition. */
function isKept({ now }: Tx, { table }: ExportedTable): RawBuilder<unknown> {
  if (table !== 'message_history') return sql`true`;
  return sql`r.at::date between ${now}::date - (select keep_days from partition_policy where table_name = ${table})
    and ${now}::date + 1`;
}

async function makePartitions(tx: Tx, lines: readonly string[]): Promise<void> {
  await run(tx)`
    select make_partition(p.table_name, starts, p.period_days) from partition_policy p cross join lateral (
      select distinct day - (day - date '2026-01-05') % p.period_days as starts
      from unnest(${[...lines]}::text[]) line
        cross join lateral (select ((line::jsonb->>'at')::timestamptz)::date as day) d
      where day between ${tx.now}::date - p.keep_days and ${tx.now}::date + 1) s
    where p.table_name = 'message_history'`;
}

/** Values that replace the file's: `r` is its row, `$agency` the importing agency. */
type Instead = Readonly<Record<string, string>>;

/** A file is where its digest says in our own store: what else a row says of its place is not believed. */
const PICTURE = `
  case when r.picture->>'sha256' ~ '^[0-9a-f]{64}$'
    then r.picture || jsonb_build_object('key', $agency || '/' || (r.picture->>'sha256')) end`;

/**
 * State that must not come from another engine: an import must not send, answer or start anything. The former engine
 * may still run.
 */
export const INSTEAD: Readonly<Partial<Record<TableName, Instead>>> = {
  session: {
    status: "'STOPPED'",
    wish: "'stopped'",
    picture: PICTURE,
  },
  contact: { picture: PICTURE },
  message: {
    status: `
      case when r.status in ('scheduled', 'queued') then 'cancelled' when r.status = 'sending' then 'uncertain'
        else r.status end`,
    error_code: `
      case when r.status in ('scheduled', 'queued') then 'imported' when r.status = 'sending' then 'outcome_unknown'
        else r.error_code end`,
    ended_at: `case when r.status in ('scheduled', 'queued', 'sending') then now() else r.ended_at end`,
    media: `
      case when r.media->'stored'->>'sha256' ~ '^[0-9a-f]{64}$' then r.media || jsonb_build_object('url', null,
          'stored', (r.media->'stored') || jsonb_build_object('key', $agency || '/' || (r.media->'stored'->>'sha256')))
        when r.media is not null then (r.media - 'stored') || jsonb_build_object('url', null) end`,
  },
  automation: { enabled: 'false', follows_agency: 'false' },
};
