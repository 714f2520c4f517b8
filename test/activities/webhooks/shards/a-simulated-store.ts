import type { ShardStore } from '../../../../activities/webhooks/shards/store.ts';
import { SecretBox } from '../../../../db/engine/secret-box.ts';
import { sealSecret } from '../../../../db/webhooks/endpoint-secrets.ts';
import type { NewDelivery } from '../../../../db/webhooks/shards/new-delivery.ts';
import type { ShardEndpoint } from '../../../../db/webhooks/shards/shard-endpoint.ts';
import { shardOf } from '../../../../db/webhooks/shards/shard-of.ts';
import { SHARDS } from '../../../../domain/webhooks/shards/rendezvous.ts';
import { SimulatedRows } from '../../../domain/webhooks/shards/simulated-rows.ts';
import type { SimulatedRow } from '../../../domain/webhooks/shards/simulated-rows.ts';

export const BOX = new SecretBox('a key of more than thirty-two characters');

/** Rows in memory for one worker that has all shards. Each statement can be replaced. */
export function aSimulatedStore() {
  const rows = new SimulatedRows();
  const endpoints = new Map<string, ShardEndpoint>();
  const store: ShardStore = {
    keep: ({ workerId }) => {
      const held = Array.from({ length: SHARDS }, (_, shard) => ({ shard, token: `token ${shard}` }));
      return Promise.resolve({ held, workers: [workerId], free: [] });
    },
    leave: () => Promise.resolve(),
    tail: ({ from: [first] }) => {
      const deliveries = rows.since(Number(first?.cursor)).map(toNew);
      const none = { touched: [], behind: [], bodies: new Map<string, string>() };
      return Promise.resolve({ deliveries, ...none, cursor: String(rows.version) });
    },
    shards: () => {
      const ids = [...rows.rows.values()].filter(({ status }) => status === 'pending').map((row) => row.endpointId);
      return Promise.resolve({ endpointIds: [...new Set(ids)], cursor: String(rows.version) });
    },
    pages: (asked) =>
      Promise.resolve(asked.flatMap(({ endpointId, after, limit }) => rows.page(endpointId, after, limit)).map(toNew)),
    lanes: (asked) =>
      Promise.resolve(
        asked.flatMap(({ endpointId, lane, after, limit }) => rows.lane(endpointId, lane, after, limit)).map(toNew),
      ),
    due: ({ after, until, limit }) => Promise.resolve(rows.due(after, until, limit).map(toNew)),
    endpoints: (ids) =>
      Promise.resolve(new Map(ids.flatMap((id) => [endpoints.get(id) ?? []].flat().map((each) => [id, each])))),
    bodies: (events) => Promise.resolve(new Map(events.map(({ id }) => [id, JSON.stringify({ id })]))),
    traces: () => Promise.resolve(new Map()),
    write: ({ results }) => {
      for (const { id, over, charged, nextAttemptAt, climbs } of results) {
        const row = rows.rows.get(id);
        if (!row) continue;
        row.attempts += Number(charged);
        row.ladderStep += Number(climbs);
        if (over) row.status = 'delivered';
        else row.nextAttemptAt = nextAttemptAt ?? row.nextAttemptAt;
      }
      return Promise.resolve({ refused: [], noted: [] });
    },
  };
  return {
    rows,
    store,
    endpoint(id: string, more: Partial<ShardEndpoint> = {}): string {
      endpoints.set(id, {
        id,
        shard: shardOf(id),
        owner: 'agency/tenant',
        url: `http://${id}.test/`,
        secret: sealSecret(BOX, id, 'a secret of more than thirty-two characters'),
        oldSecrets: [],
        headers: null,
        timeoutMs: 1_000,
        ladder: null,
        ordering: 'conversation',
        concurrency: 10,
        ratePerSecond: null,
        isOpen: true,
        breaker: 'closed',
        probes: 0,
        probeAt: null,
        slowedTo: null,
        throttledUntil: null,
        formerUntil: null,
        withdrawn: null,
        ...more,
      });
      return id;
    },
  };
}

function toNew({ status: _status, version: _version, ...row }: SimulatedRow): NewDelivery {
  return { ...row, shard: shardOf(row.endpointId) };
}
