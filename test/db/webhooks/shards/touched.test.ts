import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Tx } from '../../../../db/engine/tx.ts';
import { failLostDeliveries } from '../../../../db/maintenance.ts';
import {
  cancelPending,
  deleteEndpoint,
  rotateSecret,
  updateEndpoint,
} from '../../../../db/webhooks/endpoint-change.ts';
import { resetEndpointHealth, retryNow } from '../../../../db/webhooks/endpoint-health.ts';
import { changeEndpointStatus } from '../../../../db/webhooks/endpoint-state.ts';
import { findEndpoint } from '../../../../db/webhooks/endpoint-view.ts';
import type { EndpointRow } from '../../../../db/webhooks/endpoint-view.ts';
import { passFailingHeads } from '../../../../db/webhooks/delivery.ts';
import { cancelDelivery, resendDelivery, resendEvent } from '../../../../db/webhooks/redelivery.ts';
import { replayPart } from '../../../../db/webhooks/replay.ts';
import { readShards, readTail } from '../../../../db/webhooks/shards/tail.ts';
import type { Tail } from '../../../../db/webhooks/shards/tail.ts';
import {
  addRow,
  ago,
  changeRows,
  databaseNow,
  deleteRows,
  findRow,
  findRows,
  fromColumn,
  fromNow,
} from '../../../support/rows.ts';
import { SCOPE } from '../../a-database.ts';
import { databaseOfThisFile } from '../../database-of-this-file.ts';
import { ALL, anEndpoint, tell } from './a-shard-scene.ts';

const { database, sessionId } = await databaseOfThisFile();
const BY = { actor: 'test', reason: null, keyId: null };
const { agencyId } = SCOPE;

let endpointId: string;
let deliveryId: string;
let eventId: string;

beforeEach(async () => {
  await changeRows(database, 'endpoint', { deletedAt: databaseNow }, { deletedAt: null });
  endpointId = await anEndpoint(database);
  await tell(database, sessionId, `cnv_${randomUUID()}`);
  const [row] = await findRows(database, 'delivery', { endpointId }, { id: 'id', event: 'eventId' });
  deliveryId = row?.id ?? '';
  eventId = row?.event ?? '';
});

/** Returns the next read of the owner of all shards. */
async function seenAfter(decide: () => Promise<unknown>): Promise<Tail> {
  const { cursor } = await database.read((queries) => readShards(queries, ALL));
  await decide();
  return database.read((queries) => readTail(queries, { from: [{ cursor, shards: ALL }], limit: 100 }));
}

const end = (status: 'delivered' | 'failed' | 'cancelled') =>
  changeRows(database, 'delivery', { status, doneAt: ago({ minutes: 1 }) }, { id: deliveryId });
const decided = (decide: (tx: Tx, endpoint: EndpointRow) => Promise<unknown>) =>
  database.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, agencyId, endpointId);
    if (!endpoint) throw new Error('The endpoint is not there.');
    await decide(tx, endpoint);
  });
const ON = { chunks: 10 };
const from = () => ({ endpointId, since: new Date(0), until: null });

/** Decisions about an endpoint, which its owner reads again because of them. */
const ABOUT_ENDPOINTS: [string, () => Promise<unknown>][] = [
  ['another setting', () => decided((tx, of) => updateEndpoint(tx, of, { concurrency: 3 }, BY))],
  [
    'another secret',
    () => decided((tx, of) => rotateSecret(tx, of, { secret: randomUUID().repeat(2), overlapHours: 1 }, BY)),
  ],
  ['a pause', () => decided((tx, { id }) => changeEndpointStatus(tx, id, 'paused', BY))],
  ['a resumption', () => decided((tx, { id }) => changeEndpointStatus(tx, id, 'active', BY))],
  ['its deletion', () => decided((tx, { id }) => deleteEndpoint(tx, id, BY))],
  ['a cancelled delivery', () => decided((tx) => cancelDelivery(tx, { agencyId, id: deliveryId }, BY))],
  ['the suspension of its agency', () => changeRows(database, 'agency', { status: 'suspended' }, { id: agencyId })],
  ['the return of its agency', () => changeRows(database, 'agency', { status: 'active' }, { id: agencyId })],
];

describe('the owner of a shard', () => {
  it.each(ABOUT_ENDPOINTS)('reads the endpoint again after %s', async (what, decide) => {
    if (what === 'a resumption') await decided((tx, { id }) => changeEndpointStatus(tx, id, 'paused', BY));
    expect((await seenAfter(decide)).touched).toEqual([endpointId]);
  });

  it.each([
    ['is reset', (tx: Tx) => resetEndpointHealth(tx, endpointId)],
    ['lets a probe go now', (tx: Tx) => retryNow(tx, endpointId)],
  ])('reads the endpoint again when its health %s', async (_, decide) => {
    await changeRows(database, 'endpointHealth', { breaker: 'open', probeAt: fromNow({ hours: 1 }) }, { endpointId });
    expect((await seenAfter(() => decided(decide))).touched).toEqual([endpointId]);
  });

  it.each([
    'url',
    'secret',
    'oldSecrets',
    'headers',
    'timeoutMs',
    'retryLadderMs',
    'ordering',
    'concurrency',
    'ratePerSecond',
    'status',
    'tenantIds',
    'deletedAt',
  ])('reads the endpoint again whoever writes its %s', async (column) => {
    const seen = await seenAfter(() =>
      changeRows(database, 'endpoint', { [column]: fromColumn(column) }, { id: endpointId }),
    );
    expect(seen.touched).toEqual([endpointId]);
  });

  it.each([
    ['breaker', { breaker: 'half_open' }],
    ['time of a probe', { probeAt: databaseNow }],
    ['probes', { probes: 7 }],
    ['concurrency', { concurrency: 1 }],
    ['throttling', { throttledUntil: databaseNow }],
  ])('reads the endpoint again whoever changes the %s of its health', async (_, value) => {
    const seen = await seenAfter(() => changeRows(database, 'endpointHealth', value, { endpointId }));
    expect(seen.touched).toEqual([endpointId]);
  });

  it('reads nothing again of an endpoint whose owner was only told something', async () => {
    const seen = await seenAfter(() =>
      changeRows(database, 'endpointHealth', { noticeLevel: 1, told: 'x' }, { endpointId }),
    );
    expect(seen).toMatchObject({ touched: [], deliveries: [] });
  });

  it('reads the endpoint again when deliveries have ended because their events are gone', async () => {
    await changeRows(database, 'delivery', { eventCreatedAt: ago({ days: 400 }) }, { id: deliveryId });
    const seen = await seenAfter(() => database.transaction((tx) => failLostDeliveries(tx, 10)));
    expect(seen).toMatchObject({ touched: [endpointId], deliveries: [] });
  });

  it('reads the deliveries of a deleted endpoint no more once they are cancelled', async () => {
    await decided((tx, { id }) => deleteEndpoint(tx, id, BY));
    await cancelPending(database, endpointId);
    expect(await database.read((queries) => readShards(queries, ALL))).toMatchObject({ endpointIds: [] });
  });
});

/** Decisions that put a delivery back, which its owner then reads. */
const ABOUT_DELIVERIES: [string, 'failed' | 'delivered' | 'cancelled' | 'pending', (tx: Tx) => Promise<unknown>][] = [
  ['is sent again', 'delivered', (tx) => resendDelivery(tx, { agencyId, id: deliveryId }, BY)],
  ['was cancelled and is sent again', 'cancelled', (tx) => resendDelivery(tx, { agencyId, id: deliveryId }, BY)],
  ['is sent again with its event', 'delivered', (tx) => resendEvent(tx, { agencyId, eventId, endpointId }, BY)],
  ['is recovered', 'failed', (tx) => replayPart(tx, { ...from(), only: 'failed' }, null, BY, ON)],
  ['is replayed', 'delivered', (tx) => replayPart(tx, { ...from(), only: 'all' }, null, BY, ON)],
  ['is to be tried now', 'pending', (tx) => retryNow(tx, endpointId)],
];

describe('a delivery', () => {
  it.each(ABOUT_DELIVERIES)('is read by its owner when it %s', async (_, state, decide) => {
    if (state === 'pending') {
      await changeRows(database, 'delivery', { attempts: 1, nextAttemptAt: fromNow({ hours: 1 }) }, { id: deliveryId });
    } else await end(state);
    const { deliveries } = await seenAfter(() => database.transaction((tx) => decide(tx)));
    expect(deliveries.map(({ id }) => id)).toContain(deliveryId);
  });

  it('is read by its owner when the endpoint gets it for the first time in a replay', async () => {
    await deleteRows(database, 'delivery', { id: deliveryId });
    const { deliveries } = await seenAfter(() =>
      database.transaction((tx) => replayPart(tx, { ...from(), only: 'all' }, null, BY, ON)),
    );
    expect(deliveries).toContainEqual(expect.objectContaining({ eventId, endpointId }));
  });

  it('is read by its owner when its lane goes on without it', async () => {
    await changeRows(database, 'delivery', { attempts: 3, firstAttemptAt: ago({ minutes: 20 }) }, { id: deliveryId });
    const columns = ['endpointId', 'agencyId', 'tenantId', 'eventId', 'eventCreatedAt', 'lane'] as const;
    const before = await findRow(database, 'delivery', { id: deliveryId }, columns);
    await addRow(database, 'delivery', { ...before, ready: true, nextAttemptAt: databaseNow });
    await addRow(database, 'deliveryAttempt', {
      deliveryId: 1,
      endpointId,
      eventId: 'evt',
      number: 1,
      class: 'delivered',
      durationMs: 1,
    });
    const { deliveries } = await seenAfter(async () => {
      expect(await database.transaction((tx) => passFailingHeads(tx, 10))).toBe(1);
      expect(await database.transaction((tx) => passFailingHeads(tx, 10))).toBe(0);
    });
    expect(deliveries).toMatchObject([{ id: deliveryId, outOfOrder: true }]);
  });
});
