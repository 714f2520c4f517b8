import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { one } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const Usage = z.object({ files: z.int(), sizeBytes: z.int() });

/** Reads what the files of a tenant's messages take. Each change was counted when it was made: no message is read. */
export async function readMediaUsage(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
): Promise<z.output<typeof Usage>> {
  return one(queries, Usage)`
    select coalesce(sum(files), 0)::float8 as files, coalesce(sum(size_bytes), 0)::float8 as "sizeBytes"
    from media_usage where agency_id = ${agencyId} and tenant_id = ${tenantId}`;
}

const Count = z.object({ count: z.int() });

/** Adds up what was counted, for `limit` tenants at most; returns how many. */
export async function addUpMediaUsage(tx: Tx, limit: number): Promise<number> {
  const { count } = await one(tx, Count)`select add_up_media_usage(${limit}) as count`;
  return count;
}
