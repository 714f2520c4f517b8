import { createHash } from 'node:crypto';
import type { Tx } from '../../engine/tx.ts';

/** Answers the shard of an endpoint, as the database's `shard_of` does (`shards.sql`). */
export function shardOf(endpointId: string): number {
  return createHash('sha256').update(endpointId).digest().readUInt8(0);
}

/** Wakes the owner of the endpoint's shard after the commit: something of the endpoint may be due. */
export function wakeOwner(tx: Tx, endpointId: string): void {
  tx.wake('delivery', String(shardOf(endpointId)));
}
