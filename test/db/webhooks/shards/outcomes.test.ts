import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ShardLease } from '../../../../db/webhooks/shards/leases.ts';
import type { NewDelivery } from '../../../../db/webhooks/shards/new-delivery.ts';
import { writeOutcomes } from '../../../../db/webhooks/shards/outcomes.ts';
import type { OutcomeRecord } from '../../../../db/webhooks/shards/outcomes.ts';
import { shardOf } from '../../../../db/webhooks/shards/shard-of.ts';
import { readPages } from '../../../../db/webhooks/shards/tail.ts';
import { changeRows, databaseNow, findRows, lockRows } from '../../../support/rows.ts';
import { databaseOfThisFile } from '../../database-of-this-file.ts';
import { ALL, anEndpoint, delivered, failed, takeAll, tell } from './a-shard-scene.ts';

const { database, sessionId } = await databaseOfThisFile();
const leases = await takeAll(database);
let endpointId: string;

beforeEach(async () => {
  await changeRows(database, 'endpoint', { deletedAt: databaseNow }, { deletedAt: null });
  endpointId = await anEndpoint(database);
});

const write = (results: OutcomeRecord[], under: ShardLease[] = leases) =>
  database.statement((tx) => writeOutcomes(tx, { leases: under, results }));

async function told(...conversations: string[]): Promise<NewDelivery[]> {
  await tell(database, sessionId, ...conversations);
  return pending(endpointId);
}

function pending(id: string): Promise<NewDelivery[]> {
  return database.read((queries) => readPages(queries, [{ endpointId: id, after: -1, limit: 99 }]));
}

const stateOf = (id: string) =>
  findRows(
    database,
    'delivery',
    { endpointId: id },
    { status: 'status', attempts: 'attempts', step: 'ladderStep', class: 'lastClass', http: 'lastStatus' },
    'id',
  );
const attemptsOf = (id: string) =>
  findRows(database, 'deliveryAttempt', { endpointId: id }, ['class', 'number'], ['at', 'deliveryId', 'number']);

describe('the outcomes of attempts', () => {
  it('are written with their log, and say nothing of endpoints that do well', async () => {
    const deliveries = await told('cnv_1', 'cnv_2');
    expect(await write(deliveries.map(delivered))).toEqual({ refused: [], noted: [] });
    const over = { status: 'delivered', attempts: 1, step: 0, class: 'delivered', http: 204 };
    expect(await stateOf(endpointId)).toEqual([over, over]);
    expect(await attemptsOf(endpointId)).toEqual([
      { class: 'delivered', number: 1 },
      { class: 'delivered', number: 1 },
    ]);
  });

  it('of several endpoints are written together, each to its own health', async () => {
    const other = await anEndpoint(database);
    const [first] = await told('cnv_1');
    const [second] = await pending(other);
    if (!first || !second) throw new Error('Nothing is pending.');
    const again = new Date(Date.now() + 60_000);
    const written = await write([failed(first, again), delivered(second)]);
    expect(written).toEqual({ refused: [], noted: [{ endpointId, news: 'health' }] });
    expect(await stateOf(endpointId)).toMatchObject([
      { status: 'pending', attempts: 1, step: 1, class: 'server_error' },
    ]);
    expect(await stateOf(other)).toMatchObject([{ status: 'delivered' }]);
    const columns = { error: 'lastError', failures: 'consecutiveFailures' } as const;
    const health = { endpointId: [endpointId, other] };
    expect(await findRows(database, 'endpointHealth', health, columns, 'lastError')).toEqual([
      { error: 'server_error', failures: 1 },
      { error: null, failures: 0 },
    ]);
    // It is noted when it does well again.
    expect(await write([delivered({ ...first, attempts: 1 })])).toEqual({
      refused: [],
      noted: [{ endpointId, news: 'health' }],
    });
  });

  it('are noted when a delivery has used up its attempts', async () => {
    const [first] = await told('cnv_1');
    if (!first) throw new Error('Nothing is pending.');
    await write([failed(first, new Date())]);
    const last = failed({ ...first, attempts: 1 }, null);
    expect(await write([last])).toEqual({ refused: [], noted: [{ endpointId, news: 'health' }] });
    expect(await stateOf(endpointId)).toMatchObject([{ status: 'failed', attempts: 2 }]);
  });

  it('count an attempt once where a process that did not hear of its commit writes them again', async () => {
    const [first] = await told('cnv_1');
    if (!first) throw new Error('Nothing is pending.');
    const again = failed(first, new Date(Date.now() + 60_000));
    await write([again]);
    expect(await write([again])).toEqual({ refused: [first.id], noted: [] });
    expect(await stateOf(endpointId)).toMatchObject([{ status: 'pending', attempts: 1, step: 1 }]);
    expect(await attemptsOf(endpointId)).toHaveLength(1);
  });

  it('count the attempt that ended a delivery once, too', async () => {
    const [first] = await told('cnv_1');
    if (!first) throw new Error('Nothing is pending.');
    await write([delivered(first)]);
    expect(await write([delivered(first)])).toEqual({ refused: [first.id], noted: [] });
    expect(await stateOf(endpointId)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    expect(await attemptsOf(endpointId)).toHaveLength(1);
  });

  it('are refused when the shard is another process’s, and change and log nothing', async () => {
    const other = await anEndpoint(database);
    const [first] = await told('cnv_1');
    const [second] = await pending(other);
    if (!first || !second) throw new Error('Nothing is pending.');
    const lost = leases.map((lease) =>
      lease.shard === shardOf(endpointId) ? { ...lease, token: randomUUID() } : lease,
    );
    const isSameShard = shardOf(endpointId) === shardOf(other);
    const { refused } = await write([delivered(first), delivered(second)], lost);
    expect(refused).toEqual(isSameShard ? [first.id, second.id] : [first.id]);
    expect(await stateOf(endpointId)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    expect(await attemptsOf(endpointId)).toEqual([]);
  });

  it('are refused without a lease of the shard', async () => {
    const [first] = await told('cnv_1');
    if (!first) throw new Error('Nothing is pending.');
    const others = leases.filter(({ shard }) => shard !== shardOf(endpointId));
    expect(others).toHaveLength(ALL.length - 1);
    expect(await write([delivered(first)], others)).toEqual({ refused: [first.id], noted: [] });
  });

  it('of a delivery that was cancelled meanwhile are refused and logged all the same', async () => {
    const [first, second] = await told('cnv_1', 'cnv_2');
    if (!first || !second) throw new Error('Nothing is pending.');
    await changeRows(database, 'delivery', { status: 'cancelled' }, { id: first.id });
    expect(await write([delivered(first), delivered(second)])).toEqual({ refused: [first.id], noted: [] });
    expect(await stateOf(endpointId)).toMatchObject([
      { status: 'cancelled', attempts: 1, class: 'delivered' },
      { status: 'delivered', attempts: 1 },
    ]);
    expect(await attemptsOf(endpointId)).toHaveLength(2);
  });

  it('that were given back charge nothing and leave the health alone', async () => {
    const [first] = await told('cnv_1');
    if (!first) throw new Error('Nothing is pending.');
    const back: OutcomeRecord = { ...delivered(first), class: 'released', charged: false, over: false, status: null };
    expect(await write([back])).toEqual({ refused: [], noted: [] });
    expect(await stateOf(endpointId)).toEqual([{ status: 'pending', attempts: 0, step: 0, class: null, http: null }]);
    expect(await attemptsOf(endpointId)).toEqual([]);
  });

  it('of an endpoint whose row somebody holds do not keep the others waiting', async () => {
    const other = await anEndpoint(database);
    const [first] = await told('cnv_1');
    const [second] = await pending(other);
    if (!first || !second) throw new Error('Nothing is pending.');
    await database.transaction(async (tx) => {
      await lockRows(tx, 'endpoint', { id: endpointId });
      await expect(write([failed(first, new Date()), delivered(second)])).rejects.toMatchObject({
        message: expect.stringContaining('lock timeout'),
      });
      expect(await write([delivered(second)])).toEqual({ refused: [], noted: [] });
    });
  });
});
