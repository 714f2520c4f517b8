import type { Database } from '../../../db/engine/database.ts';
import { findTraces } from '../../../db/trace.ts';
import { keepShards, leaveShards } from '../../../db/webhooks/shards/leases.ts';
import type { KeptShards, ShardsAsked } from '../../../db/webhooks/shards/leases.ts';
import type { NewDelivery } from '../../../db/webhooks/shards/new-delivery.ts';
import { writeOutcomes } from '../../../db/webhooks/shards/outcomes.ts';
import type { WrittenOutcomes } from '../../../db/webhooks/shards/outcomes.ts';
import { readEndpoints } from '../../../db/webhooks/shards/shard-endpoint.ts';
import type { ShardEndpoint } from '../../../db/webhooks/shards/shard-endpoint.ts';
import { readBodies, readDue, readLanes, readPages, readShards, readTail } from '../../../db/webhooks/shards/tail.ts';
import type { PageAsked, Tail } from '../../../db/webhooks/shards/tail.ts';

/** The queries of a shards' owner. Each is one statement. */
export interface ShardStore {
  /** `sending` is called before the statement is sent, and again before it is repeated. */
  keep: (asked: ShardsAsked, sending: () => void) => Promise<KeptShards>;
  leave: (workerId: string) => Promise<void>;
  tail: (asked: Parameters<typeof readTail>[1]) => Promise<Tail>;
  shards: (shards: readonly number[]) => Promise<{ endpointIds: string[]; cursor: string }>;
  pages: (asked: readonly PageAsked[]) => Promise<NewDelivery[]>;
  lanes: (asked: readonly (PageAsked & { lane: string })[]) => Promise<NewDelivery[]>;
  due: (asked: Parameters<typeof readDue>[1]) => Promise<NewDelivery[]>;
  endpoints: (ids: readonly string[]) => Promise<Map<string, ShardEndpoint>>;
  bodies: (events: readonly { id: string; createdAt: string }[]) => Promise<Map<string, string>>;
  /** The traces of messages, which only processes that trace ask for. */
  traces: (messageIds: readonly string[]) => Promise<Map<string, string>>;
  write: (asked: Parameters<typeof writeOutcomes>[1]) => Promise<WrittenOutcomes>;
}

export function createShardStore(database: Pick<Database, 'read' | 'statement'>): ShardStore {
  return {
    keep: (asked, sending) => database.statement((tx) => keepShards(tx, asked, sending)),
    leave: (workerId) => database.statement((tx) => leaveShards(tx, workerId)),
    tail: (asked) => database.read((queries) => readTail(queries, asked)),
    shards: (shards) => database.read((queries) => readShards(queries, shards)),
    pages: (asked) => database.read((queries) => readPages(queries, asked)),
    lanes: (asked) => database.read((queries) => readLanes(queries, asked)),
    due: (asked) => database.read((queries) => readDue(queries, asked)),
    endpoints: (ids) => database.read((queries) => readEndpoints(queries, ids)),
    bodies: (events) => database.read((queries) => readBodies(queries, events)),
    traces: (messageIds) => database.read((queries) => findTraces(queries, messageIds)),
    write: (asked) => database.statement((tx) => writeOutcomes(tx, asked)),
  };
}
