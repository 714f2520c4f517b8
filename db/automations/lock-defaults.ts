import { sql } from 'kysely';
import { run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

const lockOfDefaults = (agencyId: string) => sql`hashtextextended(${`automation-defaults/${agencyId}`}, 0)`;

/**
 * Serializes changes of an agency's defaults and of the tenants that follow them, or a tenant could miss a change. Each
 * change for all tenants takes this lock first.
 */
export async function lockDefaults(tx: Tx, agencyId: string): Promise<void> {
  await run(tx)`select pg_advisory_xact_lock(${lockOfDefaults(agencyId)})`;
}

/** Keeps what an agency has set for all as it is. Tenants do not wait for each other. */
export async function holdDefaults(tx: Tx, agencyId: string): Promise<void> {
  await run(tx)`select pg_advisory_xact_lock_shared(${lockOfDefaults(agencyId)})`;
}
