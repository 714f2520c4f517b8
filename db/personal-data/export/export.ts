import { sql } from 'kysely';
import { z } from 'zod';
import type { ExportGone } from '../../../domain/personal-data/export.ts';
import { EXPORT_GONE_TEXTS } from '../../../domain/personal-data/export.ts';
import type { TenantScope } from '../../../domain/scope.ts';
import { IdRow, Timestamp } from '../../engine/columns.ts';
import { newId } from '../../engine/new-id.ts';
import { promise } from '../../promises.ts';
import { row, rows, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { ExportPlace, firstPlace } from './walk.ts';

const GONE = z.enum(Object.keys(EXPORT_GONE_TEXTS) as [ExportGone, ...ExportGone[]]);

const TenantExport = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  place: ExportPlace.nullable(),
  counts: z.record(z.string(), z.int()),
  files: z.int(),
  missingFiles: z.int(),
  parts: z.int(),
  sizeBytes: z.float64(),
  chain: z.string(),
  createdAt: Timestamp,
  endedAt: Timestamp.nullable(),
  expiresAt: Timestamp.nullable(),
  goneReason: GONE.nullable(),
});
export type TenantExport = z.output<typeof TenantExport>;

const COLUMNS = sql`x.id, x.agency_id as "agencyId", x.tenant_id as "tenantId", x.cursor as place, x.counts, x.files,
  x.missing_files as "missingFiles", x.parts, x.size_bytes::float8 as "sizeBytes", x.chain,
  x.created_at as "createdAt", x.ended_at as "endedAt", x.expires_at as "expiresAt", x.gone_reason as "goneReason"`;

/**
 * Begins an export of the tenant and promises its workflow, or answers the one that is under way. Null when there is no
 * such tenant.
 */
export async function beginExport(
  tx: Tx,
  { agencyId, tenantId }: TenantScope,
  keyId: string,
): Promise<{ found: TenantExport; isNew: boolean } | null> {
  // The lock of the tenant lets one of two requests at the same time begin.
  const owner = await row(tx, IdRow)`
    select id from tenant where agency_id = ${agencyId} and id = ${tenantId} for no key update`;
  if (!owner) return null;
  const open = await row(tx, TenantExport)`
    select ${COLUMNS} from tenant_export x
    where x.agency_id = ${agencyId} and x.tenant_id = ${tenantId} and x.ended_at is null and x.gone_reason is null`;
  if (open) return { found: open, isNew: false };
  const id = newId('exp');
  const begun = await row(tx, TenantExport)`
    insert into tenant_export as x (id, agency_id, tenant_id, key_id, cursor, created_at)
    values (${id}, ${agencyId}, ${tenantId}, ${keyId}, ${JSON.stringify(firstPlace())}::jsonb, ${tx.now})
    returning ${COLUMNS}`;
  if (!begun) throw new Error('The export that was just begun is not there.');
  await promise(tx, 'exportTenant', { which: sql`r.id = ${id}` });
  return { found: begun, isNew: true };
}

export async function findExport(queries: Queries, id: string): Promise<TenantExport | null> {
  return (await row(queries, TenantExport)`select ${COLUMNS} from tenant_export x where x.id = ${id}`) ?? null;
}

export async function findExportOf(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  id: string,
): Promise<TenantExport | null> {
  const found = await row(queries, TenantExport)`
    select ${COLUMNS} from tenant_export x
    where x.id = ${id} and x.agency_id = ${agencyId} and x.tenant_id = ${tenantId}`;
  return found ?? null;
}

/** Lists the exports of a tenant, the newest first. */
export async function listExports(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  { before, limit }: { before: string | null; limit: number },
): Promise<TenantExport[]> {
  return rows(queries, TenantExport)`
    select ${COLUMNS} from tenant_export x
    where x.agency_id = ${agencyId} and x.tenant_id = ${tenantId} and (${before}::text is null or x.id < ${before})
    order by x.id desc limit ${limit}`;
}

/** Locks an export that goes on, so that of two executions one writes the next parts. Null when it does not. */
export async function lockExport(tx: Tx, id: string): Promise<TenantExport | null> {
  const found = await row(tx, TenantExport)`
    select ${COLUMNS} from tenant_export x
    where x.id = ${id} and x.ended_at is null and x.gone_reason is null for update`;
  return found ?? null;
}

/** Ends an export: from now on its file can be read, for so many days. */
export async function endExport(tx: Tx, id: string, days: number): Promise<void> {
  await run(tx)`
    update tenant_export set cursor = null, ended_at = ${tx.now},
      expires_at = ${tx.now}::timestamptz + ${days} * interval '1 day'
    where id = ${id} and ended_at is null`;
}

/** Takes back one export; false when there is none that is kept. */
export async function takeBackExport(tx: Tx, { agencyId, tenantId }: TenantScope, id: string): Promise<boolean> {
  const taken = await run(tx)`
    update tenant_export set gone_reason = 'deleted', cursor = null, ended_at = coalesce(ended_at, ${tx.now})
    where id = ${id} and agency_id = ${agencyId} and tenant_id = ${tenantId} and gone_reason is null`;
  return taken > 0;
}
