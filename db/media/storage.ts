import { z } from 'zod';
import type { Limits } from '../../domain/tenants/limits.ts';
import type { StorageOwner } from '../../domain/tenants/storage.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/** A message names its file within this time of the hold. */
const HELD_SECONDS = 3_600;
/** One request adds up at most this many notes; the clean-up takes the rest. */
const FOLDED_BY_REQUEST = 2_000;
/** One clean-up transaction holds the locks of at most this many agencies. */
const AGENCIES = 20;

/** A file that is about to be put into the store. */
export interface Reservation {
  id: string;
  scope: TenantScope;
  key: string;
  sizeBytes: number;
  /** Present for a file that its client names later. */
  upload?: { maker: string; mimeType: string; keptSeconds: number };
}

const Full = z.object({ full: z.enum(['tenant', 'agency']).nullable() });

/** Sets the bytes of a file aside. Returns whose ceiling leaves no room for them, or null. Safe to repeat. */
export async function reserveStorage(tx: Tx, { id, scope, key, sizeBytes, upload }: Reservation) {
  const { full } = await one(tx, Full)`
    select reserve_storage(${id}, ${scope.agencyId}, ${scope.tenantId}, ${key}, ${sizeBytes}, ${upload?.maker ?? null},
      ${upload?.mimeType ?? null}, ${tx.now}, ${upload?.keptSeconds ?? HELD_SECONDS},
      ${FOLDED_BY_REQUEST}) as full`;
  return full satisfies StorageOwner | null;
}

/** Gives back what was set aside for a file that did not come. */
export async function releaseStorage(tx: Tx, id: string): Promise<void> {
  await run(tx)`delete from file_hold where id = ${id}`;
}

/** Tells whose ceiling leaves no room at all, or null. */
export async function findFullStorage(tx: Tx, { agencyId, tenantId }: TenantScope) {
  await run(tx)`select fold_storage(${agencyId}, ${FOLDED_BY_REQUEST})`;
  const { full } = await one(tx, Full)`
    select storage_full(${agencyId}, ${tenantId}) as full`;
  return full satisfies StorageOwner | null;
}

/** Forgets holds and uploads whose time is over, `limit` at most; returns how many. */
export async function expireHolds(tx: Tx, limit: number): Promise<number> {
  return run(tx)`
    delete from file_hold where id = any(array(select id from file_hold
      where held_until < ${tx.now} order by held_until limit ${limit} for update skip locked))`;
}

const Count = z.object({ count: z.int() });

/** Adds up what was noted of files, `limit` notes of each agency at most; returns how many notes there were. */
export async function addUpStorage(tx: Tx, limit: number): Promise<number> {
  return (await one(tx, Count)`select fold_all_storage(${AGENCIES}, ${limit}) as count`).count;
}

const Use = z.object({
  usedBytes: z.number(),
  limitBytes: z.number(),
  waitingUploadBytes: z.number(),
  exportBytes: z.number(),
});
export type StorageUse = z.output<typeof Use>;

/** Reads what a tenant stores, under which ceiling, with all that was noted until now. */
export async function readStorageUse(tx: Tx, { agencyId, tenantId }: TenantScope): Promise<StorageUse> {
  await run(tx)`select fold_storage(${agencyId}, ${FOLDED_BY_REQUEST})`;
  return one(tx, Use)`
    select coalesce((select size_bytes from storage_use where agency_id = ${agencyId} and tenant_id = ${tenantId}), 0)
        ::float8 as "usedBytes", c.tenant_bytes::float8 as "limitBytes",
      (select coalesce(sum(size_bytes), 0)::float8 from file_hold
        where agency_id = ${agencyId} and tenant_id = ${tenantId} and maker is not null and ended_at is null)
        as "waitingUploadBytes",
      (select coalesce(sum(size_bytes), 0)::float8 from tenant_export
        where agency_id = ${agencyId} and tenant_id = ${tenantId} and gone_reason is null) as "exportBytes"
    from storage_ceilings_of(${agencyId}) c`;
}

const Bytes = z.object({ bytes: z.number() });

/** Reads what the tenants of an agency store together, as far as it is added up. */
export async function readAgencyStorage(queries: Queries, agencyId: string): Promise<number> {
  const found = await row(queries, Bytes)`
    select size_bytes::float8 as bytes from storage_use where agency_id = ${agencyId} and tenant_id = ''`;
  return found?.bytes ?? 0;
}

const AgencyUse = z.object({ agencyId: z.string(), bytes: z.number(), share: z.number() });
export type AgencyStorage = z.output<typeof AgencyUse>;

/** Lists what agencies store, and the share of the ceiling that the agency or its fullest tenant has used. */
export async function listStorage(queries: Queries): Promise<AgencyStorage[]> {
  return rows(queries, AgencyUse)`
    select u.agency_id as "agencyId", max(u.size_bytes) filter (where u.tenant_id = '')::float8 as bytes,
      coalesce(max(u.size_bytes / nullif(case when u.tenant_id = '' then c.agency_bytes else c.tenant_bytes end,
        0)::float8), 0)::float8 as share
    from storage_use u cross join lateral storage_ceilings_of(u.agency_id) c
    group by u.agency_id having max(u.size_bytes) filter (where u.tenant_id = '') is not null order by u.agency_id`;
}

/** Every process writes the engine's ceilings at its start: the functions of the database use them. */
export async function writeStorageCeiling(
  tx: Tx,
  limits: Pick<Limits, 'storageBytes' | 'tenantStorageBytes'>,
): Promise<void> {
  const { storageBytes, tenantStorageBytes } = limits;
  await run(tx)`
    update storage_ceiling set tenant_bytes = ${tenantStorageBytes}, agency_bytes = ${storageBytes}
    where (tenant_bytes, agency_bytes) is distinct from (${tenantStorageBytes}::bigint, ${storageBytes}::bigint)`;
}
