import { z } from 'zod';
import { BREAKER_STATES, ORDERINGS } from '../../../domain/webhooks/endpoint.ts';
import { Timestamp } from '../../engine/columns.ts';
import { rows } from '../../engine/rows.ts';
import type { Queries } from '../../engine/tx.ts';
import { OldSecret } from '../endpoint-secrets.ts';
import { shardOf } from './shard-of.ts';

const ShardEndpointRow = z.object({
  id: z.string(),
  /** The owner that shares one count of attempts: the agency, or the one tenant that the endpoint serves. */
  owner: z.string(),
  url: z.string(),
  secret: z.instanceof(Buffer),
  oldSecrets: z.array(OldSecret),
  headers: z.instanceof(Buffer).nullable(),
  timeoutMs: z.int(),
  // The column holds bigints, which arrive as text.
  ladder: z.array(z.coerce.number()).nullable(),
  ordering: z.enum(ORDERINGS),
  /** The number of attempts at a time that the endpoint is set to. */
  concurrency: z.int(),
  ratePerSecond: z.int().nullable(),
  /** False when the endpoint is not active, or its agency is suspended. */
  isOpen: z.boolean(),
  breaker: z.enum(BREAKER_STATES),
  probes: z.int(),
  probeAt: Timestamp.nullable(),
  /** The lower number of attempts at a time that its answers have led to; null when it is the endpoint's own. */
  slowedTo: z.int().nullable(),
  throttledUntil: Timestamp.nullable(),
  /** Until then a process of a former release has the endpoint, which is left alone. */
  formerUntil: Timestamp.nullable(),
  /** The last transaction in which deliveries of the endpoint have ended without an attempt; null before the first. */
  withdrawn: z.string().nullable(),
});

/** The endpoint's delivery settings, as its rows hold them. */
export interface ShardEndpoint extends z.output<typeof ShardEndpointRow> {
  shard: number;
}

/** Reads how these endpoints may be attempted now. A deleted endpoint is left out. */
export async function readEndpoints(queries: Queries, ids: readonly string[]): Promise<Map<string, ShardEndpoint>> {
  if (ids.length === 0) return new Map();
  const found = await rows(queries, ShardEndpointRow)`
    select id, owner, url, secret, old_secrets as "oldSecrets", headers, timeout_ms as "timeoutMs", ladder, ordering,
      concurrency, rate_per_second as "ratePerSecond", is_open as "isOpen", breaker, probes, probe_at as "probeAt",
      slowed_to as "slowedTo", throttled_until as "throttledUntil", former_until as "formerUntil",
      withdrawn
    from read_shard_endpoints(${ids}::text[])`;
  return new Map(found.map((each) => [each.id, { ...each, shard: shardOf(each.id) }]));
}
