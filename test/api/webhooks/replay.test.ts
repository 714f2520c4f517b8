import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { replayEvents, replayPart } from '../../../db/webhooks/replay.ts';
import type { ReplayPlace } from '../../../db/webhooks/replay.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { addRows, among, changeRows, databaseNow, deleteRows, findRow, fromNow } from '../../support/rows.ts';
import { anEndpointWith, deliveriesOf, end, idsOf } from './a-webhook-scene.ts';
import type { Scene, Waiting } from './a-webhook-scene.ts';

const HOUR = 3_600_000;
const LONG_AGO = '2020-01-01T00:00:00Z';

const api = await apiOfThisFile('webhook-replay');

let acme: Scene;

async function anEndpoint(conversations: string[], options: object = {}): Promise<{ id: string; rows: Waiting[] }> {
  const made = await anEndpointWith(api, conversations, options);
  acme = made.scene;
  return made;
}
const statesOf = async (id: string) =>
  (await deliveriesOf(api, id)).map(({ status, ready }) =>
    status === 'pending' ? (ready ? 'ready' : 'waits') : status,
  );

describe('a dashboard that recovers what failed', () => {
  it('gets it in the order of the conversations; what came after waits again', async () => {
    const { id, rows } = await anEndpoint(['a', 'a', 'b', 'a', 'c']);
    expect(await statesOf(id)).toEqual(['ready', 'waits', 'ready', 'waits', 'ready']);
    await end(api, idsOf(rows, 0, 2), 'failed');
    await changeRows(api.database, 'delivery', { ready: true }, { id: idsOf(rows, 1) });
    const dry = await acme.post(`/endpoints/${id}/recover`, { since: LONG_AGO, dryRun: true });
    expect(dry.body).toEqual({ count: 2, continueFrom: null });
    expect(await statesOf(id)).toEqual(['failed', 'ready', 'failed', 'waits', 'ready']);
    expect((await acme.post(`/endpoints/${id}/recover`, { since: LONG_AGO })).body).toEqual({
      count: 2,
      continueFrom: null,
    });
    expect(await statesOf(id)).toEqual(['ready', 'waits', 'ready', 'waits', 'ready']);
    expect(await deliveriesOf(api, id)).toMatchObject([
      { attempts: 12, ladderStep: 0 },
      {},
      { attempts: 12, ladderStep: 0 },
      {},
      {},
    ]);
    expect((await acme.post(`/endpoints/${id}/recover`, { since: LONG_AGO })).body).toMatchObject({ count: 0 });
    expect((await acme.get(`/endpoints/${id}`)).body['history']).toMatchObject([
      { action: 'recover' },
      { action: 'recover' },
      { action: 'create' },
    ]);
  });

  it('leaves alone what is older or newer than it asks for', async () => {
    const { id, rows } = await anEndpoint(['a', 'a']);
    await end(api, idsOf(rows, 0), 'failed');
    const now = api.database.clock.now();
    const later = new Date(now.getTime() + HOUR).toISOString();
    const earlier = new Date(now.getTime() - HOUR).toISOString();
    for (const span of [{ since: later }, { since: LONG_AGO, until: earlier }]) {
      expect((await acme.post(`/endpoints/${id}/recover`, span)).body).toMatchObject({ count: 0 });
    }
    expect((await acme.post(`/endpoints/${id}/recover`, { since: later, until: earlier })).status).toBe(422);
    expect((await acme.post(`/endpoints/${id}/recover`, { since: earlier, until: later })).body).toMatchObject({
      count: 1,
    });
    expect(await statesOf(id)).toEqual(['ready', 'waits']);
  });

  it('recovers more than one transaction takes', async () => {
    const { id } = await anEndpoint(['a']);
    const columns = ['endpointId', 'agencyId', 'tenantId', 'eventId', 'eventCreatedAt', 'lane'] as const;
    const delivery = await findRow(api.database, 'delivery', { endpointId: id }, columns);
    await addRows(api.database, 'delivery', 1_200, () => ({
      ...delivery,
      ready: false,
      status: 'failed',
      nextAttemptAt: databaseNow,
      doneAt: databaseNow,
    }));
    const span = { endpointId: id, since: new Date(0), until: null, only: 'failed' } as const;
    const by = { actor: 'an operator', reason: 'test', keyId: null };
    const part = (from: ReplayPlace | null) =>
      api.database.transaction((tx) => replayPart(tx, span, from, by, { chunks: 1 }));
    const first = await part(null);
    expect(first).toMatchObject({ count: 500, continueFrom: { id: expect.any(String) } });
    const second = await part(first.continueFrom);
    expect(second).toMatchObject({ count: 500, continueFrom: { id: expect.any(String) } });
    expect(await replayEvents(api.database, span, by)).toBe(200);
    const states = await statesOf(id);
    expect(states.filter((state) => state === 'ready')).toHaveLength(1);
    expect(states[0]).toBe('ready');
  });
});

describe('a dashboard that replays all since a time', () => {
  it('gets what was delivered and cancelled again, and what was before the endpoint', async () => {
    const { id: first, rows } = await anEndpoint(['a', 'a', 'b']);
    await end(api, idsOf(rows, 0), 'delivered');
    await acme.post(`/deliveries/${rows[2]?.id}/cancel`);
    const replayed = await acme.post(`/endpoints/${first}/replay`, { since: LONG_AGO });
    expect(replayed.body).toEqual({ count: 2, continueFrom: null });
    expect(await statesOf(first)).toEqual(['ready', 'waits', 'ready']);

    const late = await acme.endpoint({ tenantIds: ['t1'] });
    await acme.message('elsewhere', { tenantId: 't2' });
    await acme.post(`/endpoints/${late.id}/test`, { event: 'message' });
    expect((await acme.post(`/endpoints/${late.id}/replay`, { since: LONG_AGO, dryRun: true })).body).toMatchObject({
      count: 3,
    });
    expect((await acme.post(`/endpoints/${late.id}/replay`, { since: LONG_AGO })).body).toMatchObject({ count: 3 });
    const made = (await deliveriesOf(api, late.id)).filter(({ lane }) => lane.startsWith('cnv_'));
    expect(made.map(({ eventId }) => eventId)).toEqual(rows.map(({ eventId }) => eventId));
    expect(made.map(({ ready }) => ready)).toEqual([true, false, true]);
    expect((await acme.post(`/endpoints/${late.id}/replay`, { since: LONG_AGO })).body).toMatchObject({ count: 0 });
  });

  it('replays while events come in, and no lane is left without one that goes next', async () => {
    const { id, rows } = await anEndpoint(['a', 'b', 'c', 'd']);
    await end(
      api,
      rows.map((row) => row.id),
      'failed',
    );
    await Promise.all([
      acme.post(`/endpoints/${id}/recover`, { since: LONG_AGO }),
      acme.post(`/endpoints/${id}/replay`, { since: LONG_AGO }),
      ...['a', 'b', 'c', 'd'].map((conversation) => acme.message(conversation)),
    ]);
    const after = await deliveriesOf(api, id);
    expect(after).toHaveLength(8);
    for (const [, lane] of Map.groupBy(after, (row) => row.lane)) {
      expect(lane[0]).toMatchObject({ status: 'pending', ready: true });
    }
  });
});

describe('a dashboard that replays much', () => {
  it('gets the next part by the cursor of the last, and the same answer to a repeated request', async () => {
    const { id } = await anEndpoint(['a']);
    const ofEndpoint = { id: among('delivery', { endpointId: id }, 'eventId') };
    const { id: eventId, ...event } = await findRow(api.database, 'event', ofEndpoint, [
      'id',
      'agencyId',
      'tenantId',
      'sessionId',
      'conversationId',
      'type',
      'body',
      'createdAt',
    ]);
    await addRows(api.database, 'event', 5_200, (n) => ({ ...event, id: `${eventId}${n}`, sequence: n }));
    const replay = (more: object, key: string) =>
      acme.post(`/endpoints/${id}/replay`, { since: LONG_AGO, ...more }, { 'idempotency-key': key });
    const first = await replay({}, 'one');
    expect(first.body).toMatchObject({ count: 4_999, continueFrom: expect.any(String) });
    expect((await replay({}, 'one')).body).toEqual(first.body);
    const continueFrom = first.body['continueFrom'];
    expect((await replay({ continueFrom }, 'two')).body).toEqual({ count: 201, continueFrom: null });
    expect((await replay({ continueFrom: 'x' }, 'three')).body['errors']).toMatchObject([{ pointer: '/continueFrom' }]);
    const states = await statesOf(id);
    expect(states.filter((state) => state === 'ready')).toHaveLength(1);
    expect(states).toHaveLength(5_201);
  });
});

describe('a dashboard that sends one again', () => {
  it('gets it now, ahead of its conversation', async () => {
    const { id, rows } = await anEndpoint(['a', 'a', 'a']);
    await end(api, idsOf(rows, 0), 'failed');
    await changeRows(api.database, 'delivery', { ready: true }, { id: idsOf(rows, 1) });
    expect((await acme.post(`/deliveries/${rows[0]?.id}/resend`)).status).toBe(202);
    expect(await deliveriesOf(api, id)).toMatchObject([
      { status: 'pending', ready: true, outOfOrder: true, attempts: 12, ladderStep: 0 },
      { ready: true, outOfOrder: false },
      { ready: false, outOfOrder: false },
    ]);
    await acme.post(`/deliveries/${rows[2]?.id}/resend`);
    expect((await deliveriesOf(api, id))[2]).toMatchObject({ ready: true, outOfOrder: true });
    await acme.post(`/deliveries/${rows[1]?.id}/resend`);
    expect((await deliveriesOf(api, id))[1]).toMatchObject({ ready: true, outOfOrder: false });
  });

  it('leaves one alone that is being attempted, and cannot cancel it', async () => {
    const { id, rows } = await anEndpoint(['a']);
    await changeRows(
      api.database,
      'delivery',
      { leaseToken: randomUUID(), leasedUntil: fromNow({ minutes: 1 }) },
      { endpointId: id },
    );
    await acme.post(`/deliveries/${rows[0]?.id}/resend`);
    expect((await acme.post(`/deliveries/${rows[0]?.id}/cancel`)).body).toMatchObject({ code: 'delivery_in_flight' });
    expect(await deliveriesOf(api, id)).toMatchObject([{ status: 'pending', ready: true, outOfOrder: false }]);
  });

  it('sends an event to every endpoint that it was for, or to another one', async () => {
    const { id, rows } = await anEndpoint(['a']);
    await end(api, idsOf(rows, 0), 'delivered');
    const eventId = rows[0]?.eventId ?? '';
    const again = await acme.post(`/events/${eventId}/resend`);
    expect(again.body['deliveries']).toHaveLength(2);
    expect(await statesOf(id)).toEqual(['ready']);
    const another = await acme.endpoint({ events: ['session.status'] });
    const foreign = await acme.endpoint({ tenantIds: ['t2'] });
    expect((await acme.post(`/events/${eventId}/resend`, { endpointId: another.id })).status).toBe(202);
    expect(await statesOf(another.id)).toEqual(['ready']);
    expect((await acme.post(`/events/${eventId}/resend`, { endpointId: foreign.id })).status).toBe(404);
    expect(await deliveriesOf(api, foreign.id)).toEqual([]);
  });

  it('is told that an event is gone when it is not kept any more', async () => {
    const { id, rows } = await anEndpoint(['a']);
    await end(api, idsOf(rows, 0), 'failed');
    await deleteRows(api.database, 'event', { id: rows[0]?.eventId });
    expect((await acme.post(`/deliveries/${rows[0]?.id}/resend`)).body).toMatchObject({ code: 'event_expired' });
    expect((await acme.post(`/events/${rows[0]?.eventId}/resend`)).status).toBe(404);
    expect((await acme.post(`/endpoints/${id}/recover`, { since: LONG_AGO })).body).toMatchObject({ count: 0 });
  });

  it('sends nothing again to an endpoint that no longer serves its tenant', async () => {
    const { id, rows } = await anEndpoint(['a']);
    await end(api, idsOf(rows, 0), 'failed');
    await acme.patch(`/endpoints/${id}`, { tenantIds: ['t2'] });
    expect((await acme.post(`/deliveries/${rows[0]?.id}/resend`)).status).toBe(404);
    const again = await acme.post(`/events/${rows[0]?.eventId}/resend`);
    expect(again.body['deliveries']).toMatchObject([{ endpointId: acme.dashboardEndpoint }]);
    expect((await acme.post(`/endpoints/${id}/recover`, { since: LONG_AGO })).body).toMatchObject({ count: 0 });
  });

  it('cancels one, and what waits behind it goes on', async () => {
    const { id, rows } = await anEndpoint(['a', 'a']);
    expect((await acme.post(`/deliveries/${rows[0]?.id}/cancel`)).body).toMatchObject({ status: 'cancelled' });
    expect(await statesOf(id)).toEqual(['cancelled', 'ready']);
    expect((await acme.post(`/deliveries/${rows[0]?.id}/cancel`)).status).toBe(200);
    await end(api, idsOf(rows, 1), 'delivered');
    expect((await acme.post(`/deliveries/${rows[1]?.id}/cancel`)).body).toMatchObject({ code: 'delivery_ended' });
    expect((await acme.post('/deliveries/999999999/cancel')).status).toBe(404);
    expect((await acme.post('/deliveries/nonsense/cancel')).status).toBe(422);
  });
});
