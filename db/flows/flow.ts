import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { Timestamp } from '../engine/columns.ts';
import { newId } from '../engine/new-id.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** An agency has at most this many workflows. Its lists of definitions parse all of them. */
export const MAX_FLOWS = 500;

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

const CountRow = z.object({ flows: z.int() });

/** Stores a new workflow. Null for an agency that has enough. */
export async function createFlow(
  tx: Tx,
  agencyId: string,
  { keyId, ...text }: FlowText & { keyId: string },
): Promise<FlowRow | null> {
  const { flows } = await one(tx, CountRow)`
    select count(*)::int as flows from flow where agency_id = ${agencyId} and deleted_at is null`;
  if (flows >= MAX_FLOWS) return null;
  const id = newId('flw');
  await run(tx)`
    insert into flow (id, agency_id, version, created_at, updated_at)
    values (${id}, ${agencyId}, 1, ${tx.now}, ${tx.now})`;
  await writeVersion(tx, { id, version: 1, keyId, ...text });
  return requireFlow(tx, agencyId, id);
}

/** Stores the next version of a workflow that the caller has locked. */
export async function addVersion(
  tx: Tx,
  { id, agencyId, version }: Pick<FlowRow, 'id' | 'agencyId' | 'version'>,
  text: FlowText & { keyId: string },
): Promise<FlowRow> {
  await writeVersion(tx, { id, version: version + 1, ...text });
  await run(tx)`update flow set version = ${version + 1}, updated_at = ${tx.now} where id = ${id}`;
  return requireFlow(tx, agencyId, id);
}

/** Deletes a workflow. Its versions stay for the runs that have begun. */
export async function deleteFlow(tx: Tx, id: string, { runsFinish }: { runsFinish: boolean }): Promise<void> {
  await run(tx)`update flow set deleted_at = ${tx.now}, runs_finish = ${runsFinish} where id = ${id}`;
}

async function writeVersion(
  tx: Tx,
  { id, version, title, form, source, keyId }: FlowText & { id: string; version: number; keyId: string },
): Promise<void> {
  await run(tx)`
    insert into flow_version (flow_id, version, title, form, source, created_at, key_id)
    values (${id}, ${version}, ${title}, ${form}, ${source}, ${tx.now}, ${keyId})`;
}

async function requireFlow(tx: Tx, agencyId: string, id: string): Promise<FlowRow> {
  const found = await findFlow(tx, agencyId, id);
  if (!found) throw new Error('The workflow was there a moment ago.');
  return found;
}
