import { z } from 'zod';
import { one, run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';

const ShardLease = z.object({ shard: z.int(), token: z.string() });
/** A shard that a process has, and the token under which it writes outcomes. */
export type ShardLease = z.output<typeof ShardLease>;

const KeptRow = z.object({
  kept: z.object({
    held: z.array(ShardLease),
    /** Shards that no live process has. */
    free: z.array(z.int()),
    /** The live processes, this one among them. */
    workers: z.array(z.string()),
  }),
});
export type KeptShards = z.output<typeof KeptRow>['kept'];

export interface ShardsAsked {
  workerId: string;
  /** The number of this process, whose advisory lock it holds (`db/engine/wakeups.ts`). */
  process: string;
  /** Shards to take if no live process has them. */
  wants: readonly number[];
  givesBack: readonly number[];
  /** The remaining time of the lease of this process and all its shards. */
  leaseMs: number;
}

/**
 * Renews the lease of a process, gives back and takes shards, in one statement (`shards.sql`). `sending` is called when
 * there is a connection for it, which many others may have waited for.
 */
export async function keepShards(
  tx: Tx,
  { workerId, process, wants, givesBack, leaseMs }: ShardsAsked,
  sending?: () => void,
): Promise<KeptShards> {
  const { kept } = await tx.sql.connection().execute((connection) => {
    sending?.();
    return one({ sql: connection }, KeptRow)`
      select keep_shards(${workerId}, ${process}::bigint, ${wants}::smallint[], ${givesBack}::smallint[],
        ${leaseMs}) as kept`;
  });
  if (givesBack.length > 0) tx.wake('shards');
  return kept;
}

/** Gives back all shards of a process that ends, and wakes the processes that are to take them. */
export async function leaveShards(tx: Tx, workerId: string): Promise<void> {
  await run(tx)`select leave_shards(${workerId})`;
  tx.wake('shards');
}
