import { z } from 'zod';
import { jsonParameter } from '../../engine/json-parameter.ts';
import { one } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import type { AttemptRecord } from '../delivery.ts';
import type { ShardLease } from './leases.ts';

/** The result of an attempt, of any endpoint of the process's shards. */
export interface OutcomeRecord extends AttemptRecord {
  endpointId: string;
  shard: number;
  /** The attempts that were charged before this one. */
  attempts: number;
}

const Written = z.object({
  /**
   * Deliveries that were not changed: the shard is another process's now, or the delivery was no longer pending. An
   * attempt of the latter is logged all the same.
   */
  refused: z.array(z.string()),
  /** Endpoints whose health was looked at, because an attempt failed or the endpoint had not done well before. */
  noted: z.array(
    z.object({
      endpointId: z.string(),
      /**
       * `state`: the endpoint is attempted in another way from now on. `health`: it began or ceased to fail, or a
       * delivery has used up its attempts.
       */
      news: z.enum(['state', 'health']).nullable(),
    }),
  ),
});
const WrittenRow = z.object({ written: Written });
export type WrittenOutcomes = z.output<typeof Written>;

const resultsJson = jsonParameter(
  {
    place: true,
    id: true,
    endpointId: true,
    shard: true,
    attempts: true,
    class: true,
    status: true,
    charged: true,
    climbs: true,
    counts: true,
    slows: true,
    over: true,
    probe: true,
    durationMs: true,
    connectMs: true,
    firstByteMs: true,
    reused: true,
    excerpt: true,
    location: true,
    nextAttemptAt: true,
    restsUntil: true,
  },
  'write_outcomes.p_results',
);

/**
 * Writes the results of attempts of many endpoints, in the order in which they came, in one statement (`outcomes.sql`).
 * With results of several endpoints it waits for a lock for a second at most.
 */
export async function writeOutcomes(
  tx: Tx,
  { leases, results }: { leases: readonly ShardLease[]; results: readonly OutcomeRecord[] },
): Promise<WrittenOutcomes> {
  const given = results.map((result, place) => ({ ...result, place }));
  const shards = new Set(results.map(({ shard }) => shard));
  const used = leases.filter(({ shard }) => shards.has(shard));
  const { written } = await one(tx, WrittenRow)`
    select write_outcomes(${used.map(({ shard }) => shard)}::smallint[],
      ${used.map(({ token }) => token)}::uuid[], ${resultsJson(given)}::jsonb, ${tx.now}) as written`;
  return written;
}
