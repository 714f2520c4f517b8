import { z } from 'zod';
import { one, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const MirrorRow = z.object({ tenantId: z.string().nullable(), endpointId: z.string().nullable() });

/** The readers of a mirror's events: pulls, for these tenants or for all (null), and endpoints. */
export interface Mirrors {
  tenantIds: string[] | null;
  endpointIds: string[];
}

export async function readMirrors(queries: Queries, agencyId: string): Promise<Mirrors> {
  const found = await rows(queries, MirrorRow)`
    select tenant_id as "tenantId", endpoint_id as "endpointId" from mirror
    where agency_id = ${agencyId} order by endpoint_id, tenant_id`;
  const pulled = found.filter(({ endpointId }) => endpointId === null);
  const isForAll = pulled.some(({ tenantId }) => tenantId === null);
  return {
    tenantIds: isForAll ? null : pulled.flatMap(({ tenantId }) => tenantId ?? []),
    endpointIds: [...new Set(found.flatMap(({ endpointId }) => endpointId ?? []))],
  };
}

const Written = z.object({ txid: z.string() });

/**
 * Sets the tenants of which readers who pull mirror the inbox; null for all. The agency's row is locked, so that of two
 * such requests the later one holds. Returns the transaction's number, for {@link isInForce}.
 */
export async function writePulledMirror(
  tx: Tx,
  agencyId: string,
  tenantIds: readonly string[] | null,
): Promise<string> {
  await run(tx)`select 1 from agency where id = ${agencyId} for no key update`;
  await run(tx)`delete from mirror where agency_id = ${agencyId} and endpoint_id is null`;
  await run(tx)`
    insert into mirror (agency_id, tenant_id, messages, conversations)
    select ${agencyId}, t.id, true, true from unnest(${tenantIds ?? [null]}::text[]) as t(id)
    on conflict do nothing`;
  const { txid } = await one(tx, Written)`select pg_current_xact_id()::text as txid`;
  return txid;
}

const InForce = z.object({ isOver: z.boolean() });

/**
 * False while a transaction is open that may have changed something before it could know that it is mirrored; who reads
 * the inbox now would never learn of that.
 */
export async function isInForce(queries: Queries, txid: string): Promise<boolean> {
  const { isOver } = await one(queries, InForce)`
    select pg_snapshot_xmin(pg_current_snapshot()) > ${txid}::xid8 as "isOver"`;
  return isOver;
}
