import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { keepShards, leaveShards } from '../../db/webhooks/shards/leases.ts';
import { readEndpoints } from '../../db/webhooks/shards/shard-endpoint.ts';
import { shardOf } from '../../db/webhooks/shards/shard-of.ts';
import { ago, changeRows, databaseNow, findRows, rowsOf } from '../support/rows.ts';
import { databaseOfThisFile } from './database-of-this-file.ts';
import { anEndpoint, tell } from './webhooks/shards/a-shard-scene.ts';

const { database, sessionId } = await databaseOfThisFile();
const TOKEN = randomUUID();

let endpointId: string;

beforeEach(async () => {
  await changeRows(database, 'endpoint', { deletedAt: databaseNow }, { deletedAt: null });
  endpointId = await anEndpoint(database);
});

interface Stepped {
  state: string | null;
  held: boolean;
  next: string | null;
  id: string | null;
  lane: string | null;
}

/** A step of a drain as a process of 0.1.0 asks for it: it records `ended` as delivered and claims what is due. */
function step(ended: string[] = [], { token = TOKEN, inFlight = 0 } = {}): Promise<Stepped[]> {
  return rowsOf(database, stepOf(ended, { token, inFlight }));
}

function stepOf(ended: string[], { token, inFlight }: { token: string; inFlight: number }): RawBuilder<Stepped> {
  const results = ended.map((id, place) => ({
    place,
    id,
    class: 'delivered',
    status: 204,
    charged: true,
    climbs: false,
    counts: false,
    slows: false,
    over: true,
    probe: false,
    durationMs: 1,
    reused: false,
  }));
  const asked = [{ place: 0, endpointId, token, results, inFlight, room: 10, ends: true }];
  return sql<Stepped>`select s.state, s.held, s.next_at as next, s.delivery_id as id, d.lane
    from drain_steps(${JSON.stringify(asked)}::jsonb, 60000, 15000, ${database.clock.now()}) s
      left join delivery d on d.id = s.delivery_id::bigint order by d.id`;
}

const claimed = (steps: Stepped[]) => steps.filter(({ id }) => id !== null);
const stateOf = (steps: Stepped[]) => steps.find(({ state }) => state !== null)?.state;

describe('a drain of 0.1.0 on the functions of this release', () => {
  it('claims the head of each lane, and the next one when that is over', async () => {
    await tell(database, sessionId, 'cnv_1', 'cnv_1', 'cnv_2');
    const first = await step();
    expect(claimed(first).map(({ lane }) => lane)).toEqual(['cnv_1', 'cnv_2']);
    const second = await step(claimed(first).map(({ id }) => id ?? ''));
    expect(claimed(second).map(({ lane }) => lane)).toEqual(['cnv_1']);
    const last = await step(claimed(second).map(({ id }) => id ?? ''));
    expect(last).toEqual([{ state: 'open', held: false, next: null, id: null, lane: null }]);
  });

  it('goes on where a process of 0.1.0 has written what is not the first of its lane', async () => {
    await tell(database, sessionId, 'cnv_1', 'cnv_1');
    const [first, ...rest] = await findRows(database, 'delivery', { endpointId }, ['id'], 'place');
    await changeRows(database, 'delivery', { ready: true }, { id: first?.id });
    await changeRows(database, 'delivery', { ready: false }, { id: rest.map(({ id }) => id) });
    const head = claimed(await step());
    expect(head).toHaveLength(1);
    expect(claimed(await step(head.map(({ id }) => id ?? '')))).toHaveLength(1);
  });

  it('leaves the endpoint to the owner of its shard, records what it had in flight, and gives it back', async () => {
    await tell(database, sessionId, 'cnv_1', 'cnv_1');
    const first = claimed(await step());
    const workerId = randomUUID();
    const wants = [shardOf(endpointId)];
    await database.statement((tx) =>
      keepShards(tx, { workerId, process: database.wakeups.owner, wants, givesBack: [], leaseMs: 60_000 }),
    );
    const formerUntil = async () =>
      (await database.read((queries) => readEndpoints(queries, [endpointId]))).get(endpointId)?.formerUntil;
    expect(await formerUntil()).toBeInstanceOf(Date);
    const waits = await step([], { inFlight: 1 });
    expect([stateOf(waits), claimed(waits)]).toEqual(['taken', []]);
    expect(await formerUntil()).toBeInstanceOf(Date);
    expect(stateOf(await step(first.map(({ id }) => id ?? '')))).toBe('taken');
    expect(await formerUntil()).toBeNull();
    expect(await findRows(database, 'delivery', { endpointId }, ['status'], 'place')).toEqual([
      { status: 'delivered' },
      { status: 'pending' },
    ]);
    await database.statement((tx) => leaveShards(tx, workerId));
    expect(claimed(await step())).toHaveLength(1);
  });

  it('is seen by a process of this release that takes the shard at the moment at which the drain begins', async () => {
    await tell(database, sessionId, 'cnv_1');
    const [workerId, shard] = [randomUUID(), shardOf(endpointId)];
    const take = () =>
      database.statement((tx) =>
        keepShards(tx, { workerId, process: database.wakeups.owner, wants: [shard], givesBack: [], leaseMs: 60_000 }),
      );
    await database.transaction(async (tx) => {
      const { rows } = await stepOf([], { token: TOKEN, inFlight: 0 }).execute(tx.sql);
      expect(claimed(rows)).toHaveLength(1);
      expect((await take()).held).toEqual([]);
    });
    expect((await take()).held).toMatchObject([{ shard }]);
    const found = await database.read((queries) => readEndpoints(queries, [endpointId]));
    expect(found.get(endpointId)?.formerUntil).toBeInstanceOf(Date);
    await database.statement((tx) => leaveShards(tx, workerId));
  });

  it('begins again when the owner of the shard has died', async () => {
    await tell(database, sessionId, 'cnv_1');
    const workerId = randomUUID();
    const wants = [shardOf(endpointId)];
    await database.statement((tx) =>
      keepShards(tx, { workerId, process: database.wakeups.owner, wants, givesBack: [], leaseMs: 60_000 }),
    );
    expect(stateOf(await step())).toBe('taken');
    await changeRows(database, 'deliveryWorker', { leasedUntil: ago({ seconds: 1 }) });
    expect(claimed(await step())).toHaveLength(1);
  });

  it('finds nothing to repair or to promote any more', async () => {
    await rowsOf(database, sql`select promote_lanes(${endpointId}, '{cnv_1}')`);
    expect(await rowsOf(database, sql`select * from repair_lanes('', '', 100)`)).toEqual([
      { endpoint_id: null, lane: null, repaired: [] },
    ]);
  });
});
