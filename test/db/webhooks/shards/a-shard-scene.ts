import { randomUUID } from 'node:crypto';
import type { Database } from '../../../../db/engine/database.ts';
import { insertEndpoint } from '../../../../db/webhooks/endpoint.ts';
import type { NewEndpoint } from '../../../../db/webhooks/endpoint.ts';
import { keepShards } from '../../../../db/webhooks/shards/leases.ts';
import type { ShardLease } from '../../../../db/webhooks/shards/leases.ts';
import type { NewDelivery } from '../../../../db/webhooks/shards/new-delivery.ts';
import type { OutcomeRecord } from '../../../../db/webhooks/shards/outcomes.ts';
import { SHARDS } from '../../../../domain/webhooks/shards/rendezvous.ts';
import { aMessageEvent } from '../../../api/webhooks/a-webhook-scene.ts';
import { SCOPE } from '../../a-database.ts';

export const ALL = Array.from({ length: SHARDS }, (_, shard) => shard);

export function anEndpoint(database: Database, more: Partial<NewEndpoint> = {}): Promise<string> {
  return database.transaction((tx) =>
    insertEndpoint(tx, {
      agencyId: SCOPE.agencyId,
      source: 'api',
      tenantIds: [SCOPE.tenantId],
      url: `http://receiver-${randomUUID()}.test/hook`,
      secret: 'a secret of more than thirty-two characters',
      events: ['message'],
      ...more,
    }),
  );
}

/** One message event of the session in each of these conversations, in one transaction. */
export function tell(database: Database, sessionId: string, ...conversations: string[]): Promise<void> {
  return database.transaction(async (tx) => {
    for (const id of conversations) tx.emit(aMessageEvent({ ...SCOPE, sessionId }, id));
  });
}

/** Takes all shards for a process of this test. */
export async function takeAll(database: Database, workerId = randomUUID(), leaseMs = 60_000): Promise<ShardLease[]> {
  const kept = await database.statement((tx) =>
    keepShards(tx, { workerId, process: database.wakeups.owner, wants: ALL, givesBack: [], leaseMs }),
  );
  return kept.held;
}

/** The result of an attempt that was answered with 204. */
export function delivered({ id, endpointId, shard, attempts }: NewDelivery): OutcomeRecord {
  return {
    id,
    endpointId,
    shard,
    attempts,
    class: 'delivered',
    status: 204,
    durationMs: 1,
    connectMs: null,
    firstByteMs: 1,
    reused: true,
    excerpt: null,
    location: null,
    probe: false,
    charged: true,
    climbs: false,
    counts: false,
    slows: false,
    over: true,
    nextAttemptAt: null,
    restsUntil: null,
  };
}

/** The result of an attempt that was answered with 500 and is repeated at `again`; null when it was the last. */
export function failed(delivery: NewDelivery, again: Date | null): OutcomeRecord {
  return {
    ...delivered(delivery),
    class: 'server_error',
    status: 500,
    climbs: true,
    counts: true,
    over: again === null,
    nextAttemptAt: again,
  };
}
