import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { automationOfFlow } from '../../domain/automations/name.ts';
import type { FlowOutline, Param } from '../../domain/flows/index.ts';
import { Timestamp } from '../engine/columns.ts';
import { newId } from '../engine/new-id.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** An agency has at most this many workflows, and definitions of this many bytes in all. */
export const FLOWS_OF_AGENCY = { count: 500, bytes: 64 * 1_048_576 } as const;
/** A workflow keeps this many old versions, of this many bytes in all. A run keeps the version that it needs. */
const OLD_VERSIONS = { count: 99, bytes: 4 * 1_048_576 };

export const FLOW_FORMS = ['json', 'yaml'] as const;

const FlowRow = z.object({
  id: z.string(),
  agencyId: z.string(),
  version: z.int(),
  title: z.string(),
  form: z.enum(FLOW_FORMS),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type FlowRow = z.output<typeof FlowRow>;

const COLUMNS = sql`f.id, f.agency_id as "agencyId", f.version, v.title, v.form, f.created_at as "createdAt",
  f.updated_at as "updatedAt"`;
const CURRENT = sql`flow f join flow_version v on v.flow_id = f.id and v.version = f.version`;

/** The definition of a workflow as its agency writes it. */
export interface FlowText {
  title: string;
  form: (typeof FLOW_FORMS)[number];
  source: string;
  /** If omitted, readers parse the source. */
  outline?: FlowOutline | undefined;
}

/** Lists an agency's workflows, the oldest first. */
export async function listFlows(
  queries: Queries,
  agencyId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<FlowRow[]> {
  return rows(queries, FlowRow)`
    select ${COLUMNS} from ${CURRENT}
    where f.agency_id = ${agencyId} and f.deleted_at is null and f.id > ${after ?? ''} order by f.id limit ${limit}`;
}

export async function findFlow(queries: Queries, agencyId: string, id: string): Promise<FlowRow | undefined> {
  return foundFlow(queries, agencyId, id, sql``);
}

/** Finds a workflow that is about to be changed. Nobody else changes it until the transaction ends. */
export async function lockFlow(tx: Tx, agencyId: string, id: string): Promise<FlowRow | undefined> {
  return foundFlow(tx, agencyId, id, sql`for update of f`);
}

function foundFlow(
  queries: Pick<Queries, 'sql'>,
  agencyId: string,
  id: string,
  lock: RawBuilder<unknown>,
): Promise<FlowRow | undefined> {
  return row(queries, FlowRow)`
    select ${COLUMNS} from ${CURRENT}
    where f.id = ${id} and f.agency_id = ${agencyId} and f.deleted_at is null ${lock}`;
}

const SourceRow = z.object({ form: z.enum(FLOW_FORMS), source: z.string() });
export type FlowSource = z.output<typeof SourceRow>;

/** Reads the text of a version. Runs need it although the workflow is deleted. */
export async function readSource(
  queries: Pick<Queries, 'sql'>,
  id: string,
  version: number,
): Promise<FlowSource | undefined> {
  return row(queries, SourceRow)`
    select form, source from flow_version where flow_id = ${id} and version = ${version}`;
}

const OutlineRow = z.object({
  id: z.string(),
  version: z.int(),
  title: z.string(),
  /** Null in versions that were stored without them. */
  summary: z.string().nullable(),
  params: z.custom<readonly Param[]>((value) => Array.isArray(value)).nullable(),
  triggerTemplate: z.json().nullable(),
});
export type OutlineRow = z.output<typeof OutlineRow>;

/** Lists the outlines of an agency's workflows, or that of one of them. */
export async function listOutlines(queries: Queries, agencyId: string, id?: string): Promise<OutlineRow[]> {
  return rows(queries, OutlineRow)`
    select f.id, f.version, v.title, v.summary, v.params, v.trigger as "triggerTemplate" from ${CURRENT}
    where f.agency_id = ${agencyId} and f.deleted_at is null and (${id ?? null}::text is null or f.id = ${id ?? null})
    order by f.id limit ${FLOWS_OF_AGENCY.count}`;
}

const VersionRow = z.object({
  version: z.int(),
  title: z.string(),
  createdAt: Timestamp,
  keyId: z.string().nullable(),
});
export type FlowVersionRow = z.output<typeof VersionRow>;

/** Lists the versions of a workflow, the newest first. */
export async function listVersions(queries: Queries, id: string, limit: number): Promise<FlowVersionRow[]> {
  return rows(queries, VersionRow)`
    select version, title, created_at as "createdAt", key_id as "keyId" from flow_version
    where flow_id = ${id} order by version desc limit ${limit}`;
}

const StoredRow = z.object({ flows: z.int(), bytes: z.coerce.number() });

/** Tells whether an agency may have this text, as a new workflow or as the next version of `id`. */
export async function hasRoom(
  queries: Queries,
  agencyId: string,
  { source, id = null }: { source: string; id?: string | null },
): Promise<boolean> {
  const { flows, bytes } = await one(queries, StoredRow)`
    select count(*)::int as flows, coalesce(sum(octet_length(v.source)), 0) as bytes from ${CURRENT}
    where f.agency_id = ${agencyId} and f.deleted_at is null and f.id is distinct from ${id}`;
  return flows < FLOWS_OF_AGENCY.count && bytes + Buffer.byteLength(source) <= FLOWS_OF_AGENCY.bytes;
}

/** Stores a new workflow. Null for an agency that has enough. */
export async function createFlow(
  tx: Tx,
  agencyId: string,
  { keyId, ...text }: FlowText & { keyId: string },
): Promise<FlowRow | null> {
  if (!(await hasRoom(tx, agencyId, text))) return null;
  const id = newId('flw');
  await run(tx)`
    insert into flow (id, agency_id, version, created_at, updated_at)
    values (${id}, ${agencyId}, 1, ${tx.now}, ${tx.now})`;
  await writeVersion(tx, { id, version: 1, keyId, ...text });
  return requireFlow(tx, agencyId, id);
}

/** Stores the next version of a workflow that the caller has locked, and deletes versions that are too old. */
export async function addVersion(
  tx: Tx,
  { id, agencyId, version }: Pick<FlowRow, 'id' | 'agencyId' | 'version'>,
  text: FlowText & { keyId: string },
): Promise<FlowRow> {
  await writeVersion(tx, { id, version: version + 1, ...text });
  await run(tx)`update flow set version = ${version + 1}, updated_at = ${tx.now} where id = ${id}`;
  await deleteVersions(tx, id, OLD_VERSIONS);
  return requireFlow(tx, agencyId, id);
}

/** Deletes a workflow and its addresses. The versions of runs in progress stay. */
export async function deleteFlow(tx: Tx, id: string, { runsFinish }: { runsFinish: boolean }): Promise<void> {
  await run(tx)`update flow set deleted_at = ${tx.now}, runs_finish = ${runsFinish} where id = ${id}`;
  await run(tx)`
    delete from flow_hook h using flow f
    where f.id = ${id} and h.agency_id = f.agency_id and h.automation = ${automationOfFlow(id)}`;
  await deleteVersions(tx, id, { count: 0, bytes: 0 });
}

/** Deletes the rows of workflows that were deleted, once no run needs them. Returns how many. */
export async function forgetFlows(tx: Tx, before: Date, limit: number): Promise<number> {
  return run(tx)`
    delete from flow where id = any(array(select f.id from flow f
      where f.deleted_at < ${before} and not exists (select 1 from automation_execution e
        where e.agency_id = f.agency_id and e.status = 'running' and e.definition = 'flow-' || substr(f.id, 5))
      limit ${limit}))`;
}

/** Deletes versions but the newest, the current one of a workflow that exists, and those of runs in progress. */
async function deleteVersions(tx: Tx, id: string, { count, bytes }: { count: number; bytes: number }): Promise<void> {
  await run(tx)`
    delete from flow_version v using (
      select o.version, row_number() over newest as place, sum(octet_length(o.source)) over newest as bytes
      from flow f join flow_version o on o.flow_id = f.id and (o.version < f.version or f.deleted_at is not null)
      where f.id = ${id} window newest as (order by o.version desc)
    ) old
    where v.flow_id = ${id} and v.version = old.version and (old.place > ${count} or old.bytes > ${bytes})
      and v.version not in (select e.definition_version from flow f join automation_execution e
        on e.agency_id = f.agency_id and e.status = 'running' and e.definition = ${automationOfFlow(id)}
          and e.definition_version is not null
        where f.id = ${id})`;
}

async function writeVersion(
  tx: Tx,
  { id, version, title, form, source, outline, keyId }: FlowText & { id: string; version: number; keyId: string },
): Promise<void> {
  const { summary = null, params = null, triggerTemplate = null } = outline ?? {};
  await run(tx)`
    insert into flow_version (flow_id, version, title, form, source, summary, params, trigger, created_at, key_id)
    values (${id}, ${version}, ${title}, ${form}, ${source}, ${summary}, ${jsonOrNull(params)}::jsonb,
      ${jsonOrNull(triggerTemplate)}::jsonb, ${tx.now}, ${keyId})`;
}

const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

async function requireFlow(tx: Tx, agencyId: string, id: string): Promise<FlowRow> {
  const found = await findFlow(tx, agencyId, id);
  if (!found) throw new Error('The workflow was there a moment ago.');
  return found;
}
