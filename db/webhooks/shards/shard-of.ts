import { createHash } from 'node:crypto';

/** Answers the shard of an endpoint, as the database's `shard_of` does (`shards.sql`). */
export function shardOf(endpointId: string): number {
  return createHash('sha256').update(endpointId).digest().readUInt8(0);
}

export const SHARDS = 256;
