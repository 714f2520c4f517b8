import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { MAX_BODY_BYTES } from '../../../db/webhooks/events/event-body.ts';
import { EVENT_TYPES } from '../../../domain/webhooks/event.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { checkEvents, eventValidators, servedEventTypes } from '../../support/event-schemas.ts';
import { addRow, addRows, databaseNow, deleteRows, findRows } from '../../support/rows.ts';
import { aScene, deliveriesOf, end } from './a-webhook-scene.ts';

const Page = z.object({
  events: z.array(
    z.object({ id: z.string(), type: z.string(), tenantId: z.string().nullable(), body: z.string().optional() }),
  ),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});

const api = await apiOfThisFile('webhook-events');
const acme = await aScene(api, 'acme');
const other = await aScene(api, 'other');

async function page(query: string, key?: string): Promise<z.infer<typeof Page>> {
  const answer = await acme.get(`/events?${query}`, key);
  if (answer.status !== 200) throw new Error(`It was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return Page.parse(answer.body);
}

describe('whoever looks at events, deliveries and attempts', () => {
  let mine: string;
  let theirs: string;
  let endpoint: string;

  beforeAll(async () => {
    endpoint = (await acme.endpoint()).id;
    mine = await acme.message('look', { tenantId: 't1' });
    theirs = await acme.message('look2', { tenantId: 't2' });
    const rows = await deliveriesOf(api, endpoint);
    await end(api, [rows[0]?.id ?? ''], 'failed');
    const now = api.database.clock.now();
    const columns = { deliveryId: 'id', endpointId: 'endpointId', eventId: 'eventId' } as const;
    for (const delivery of await findRows(api.database, 'delivery', { endpointId: endpoint }, columns))
      await addRows(api.database, 'deliveryAttempt', 3, (n) => ({
        ...delivery,
        number: n,
        at: new Date(now.getTime() + n),
        class: n === 1 ? 'client_error' : 'timeout',
        status: n === 1 ? 404 : null,
        durationMs: 12,
        responseExcerpt: 'oops',
      }));
  });

  it('filters and pages them, the newest first', async () => {
    const only = await page('type=message&conversationId=cnv_look2');
    expect(only.events.map(({ id }) => id)).toEqual([theirs]);
    expect((await page('tenantId=t2&limit=1')).events[0]?.id).toBe(theirs);
    expect((await page(`sessionId=${acme.sessions.t1}&limit=1`)).events[0]?.id).toBe(mine);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    expect((await page(`since=${encodeURIComponent(tomorrow)}`)).events).toEqual([]);
    expect((await page(`until=${encodeURIComponent(tomorrow)}&limit=1`)).events).toHaveLength(1);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const got = await page(`limit=50${cursor}`);
      seen.push(...got.events.map(({ id }) => id));
      if (got.nextCursor === null) break;
      cursor = `&cursor=${got.nextCursor}`;
    }
    const all = await findRows(api.database, 'event', { agencyId: 'acme' }, ['id']);
    expect(seen.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
    expect(seen.slice(0, 2)).toEqual([theirs, mine]);
  });

  it('reads an event with its body and its deliveries', async () => {
    const { body } = await acme.get(`/events/${mine}`);
    expect(body).toMatchObject({ id: mine, test: false, deliveries: [{ endpointId: endpoint, status: 'failed' }, {}] });
    expect(JSON.parse(String(body['body']))).toMatchObject({ metadata: { eventId: mine, sequence: body['sequence'] } });
  });

  it('finds deliveries and attempts by endpoint, event, state and class, in pages', async () => {
    const Deliveries = z.object({
      deliveries: z.array(z.object({ id: z.string(), eventId: z.string() })),
      nextCursor: z.string().nullable(),
    });
    const deliveries = async (query: string) => Deliveries.parse((await acme.get(`/deliveries?${query}`)).body);
    expect((await deliveries(`endpointId=${endpoint}&status=failed`)).deliveries).toMatchObject([{ eventId: mine }]);
    expect((await deliveries(`eventId=${theirs}`)).deliveries).toHaveLength(2);
    expect((await deliveries(`endpointId=${endpoint}&tenantId=t2`)).deliveries).toMatchObject([{ eventId: theirs }]);
    const first = await deliveries('limit=1');
    const second = await deliveries(`limit=1&cursor=${first.nextCursor}`);
    expect(Number(first.deliveries[0]?.id)).toBeGreaterThan(Number(second.deliveries[0]?.id));
    const one = await acme.get(`/deliveries/${first.deliveries[0]?.id}`);
    expect(one.body).toMatchObject({ id: first.deliveries[0]?.id });

    const Attempts = z.object({
      attempts: z.array(z.object({ number: z.number(), class: z.string(), likelyConfiguration: z.boolean() })),
      nextCursor: z.string().nullable(),
    });
    const attempts = async (query: string) => Attempts.parse((await acme.get(`/attempts?${query}`)).body);
    expect((await attempts(`endpointId=${endpoint}`)).attempts).toHaveLength(6);
    expect((await attempts(`eventId=${mine}`)).attempts.map(({ number }) => number)).toEqual([3, 2, 1]);
    expect((await attempts(`eventId=${mine}&class=client_error`)).attempts).toMatchObject([
      { number: 1, class: 'client_error', likelyConfiguration: true },
    ]);
    const [delivery] = await deliveriesOf(api, endpoint);
    const page1 = await attempts(`deliveryId=${delivery?.id}&limit=2`);
    expect((await attempts(`deliveryId=${delivery?.id}&limit=2&cursor=${page1.nextCursor}`)).attempts).toMatchObject([
      { number: 1 },
    ]);
    expect((await attempts('limit=1')).attempts).toHaveLength(1);
    expect((await attempts('tenantId=t2')).attempts).toHaveLength(3);
  });

  it("sees with a session's key what belongs to its session, and nothing else", async () => {
    const { scopedKey } = acme;
    await acme.post(`/endpoints/${endpoint}/test`);
    const events = (await page('limit=100', scopedKey)).events;
    expect(events.every(({ tenantId }) => tenantId === 't1')).toBe(true);
    expect(events.some(({ id }) => id === mine)).toBe(true);
    const pulled = await page('after=start&limit=100&wait=10', scopedKey);
    expect(pulled.events.every(({ tenantId }) => tenantId === 't1')).toBe(true);
    for (const [path, count] of [
      [`/deliveries?endpointId=${endpoint}`, 1],
      [`/attempts?endpointId=${endpoint}`, 3],
      [`/deliveries?eventId=${theirs}`, 0],
      [`/attempts?eventId=${theirs}`, 0],
    ] as const) {
      const { body } = await acme.get(path, scopedKey);
      expect(body['deliveries'] ?? body['attempts']).toHaveLength(count);
    }
    const attempts = z.array(z.object({ responseExcerpt: z.string().nullable() }));
    const excerpts = async (key?: string) => {
      const { body } = await acme.get(`/attempts?endpointId=${endpoint}`, key);
      return attempts.parse(body['attempts']).filter(({ responseExcerpt }) => responseExcerpt !== null).length;
    };
    expect([(await excerpts()) > 0, await excerpts(scopedKey)]).toEqual([true, 0]);
    expect((await acme.get('/events?tenantId=t2', scopedKey)).status).toBe(404);
    expect((await acme.get(`/events?sessionId=${acme.sessions.t2}`, scopedKey)).body['events']).toEqual([]);
  });

  it("finds another's event or delivery as little as one that is missing", async () => {
    const foreign = await other.message('foreign');
    const [foreignDelivery] = await deliveriesOf(api, other.dashboardEndpoint);
    const [, t2Delivery] = await deliveriesOf(api, endpoint);
    const ask = async (path: string, key = acme.key, method = 'GET') => {
      const answer = await call(api, method, `/api/v1/webhooks${path}`, {
        key,
        ...(method === 'GET' ? {} : { body: {} }),
      });
      return { status: answer.status, body: { ...answer.body, requestId: '' } };
    };
    const missing = await ask('/events/evt_0');
    expect(missing.status).toBe(404);
    expect(await ask(`/events/${foreign}`)).toEqual(missing);
    expect(await ask(`/events/${theirs}`, acme.scopedKey)).toEqual(missing);
    expect(await ask(`/events/${foreign}/resend`, acme.key, 'POST')).toEqual(
      await ask('/events/evt_0/resend', acme.key, 'POST'),
    );
    const none = await ask('/deliveries/999999999');
    expect(await ask(`/deliveries/${foreignDelivery?.id}`)).toEqual(none);
    expect(await ask(`/deliveries/${t2Delivery?.id}`, acme.scopedKey)).toEqual(none);
    for (const action of ['resend', 'cancel']) {
      expect((await ask(`/deliveries/${foreignDelivery?.id}/${action}`, acme.key, 'POST')).status).toBe(404);
      expect((await ask(`/deliveries/${t2Delivery?.id}/${action}`, acme.scopedKey, 'POST')).status).toBe(403);
    }
    expect((await ask(`/events/${mine}/resend`, acme.scopedKey, 'POST')).status).toBe(403);
    for (const path of [
      `/deliveries?endpointId=${other.dashboardEndpoint}`,
      `/attempts?eventId=${foreign}`,
      `/deliveries?eventId=${foreign}`,
    ]) {
      const { body } = await acme.get(path);
      expect(body['deliveries'] ?? body['attempts']).toEqual([]);
    }
  });
});

describe('an event that is too large to be posted', () => {
  it('carries a link to the whole of it, which needs no key and cannot be guessed', async () => {
    const text = 'x'.repeat(MAX_BODY_BYTES);
    const id = await acme.message('large', { body: text });
    const { body } = await acme.get(`/events/${id}`);
    const posted = z
      .object({ payload: z.object({ payloadUrl: z.url(), sizeBytes: z.number(), conversationId: z.string() }) })
      .parse(JSON.parse(String(body['body'])));
    expect(String(body['body']).length).toBeLessThan(2_000);
    const url = new URL(posted.payload.payloadUrl);
    expect(url.origin).toBe('http://engine.test');
    const whole = await fetch(api.url + url.pathname + url.search);
    const bytes = await whole.text();
    expect(Buffer.byteLength(bytes)).toBe(posted.payload.sizeBytes);
    expect(JSON.parse(bytes)).toMatchObject({ event: 'message', payload: { body: text }, metadata: { eventId: id } });
    const other = await acme.message('small');
    for (const path of [
      `${url.pathname}?signature=${'A'.repeat(43)}`,
      `${url.pathname.replace(id, other)}${url.search}`,
      `${url.pathname.replace(id, 'evt_0')}${url.search}`,
    ]) {
      expect((await fetch(api.url + path)).status).toBe(404);
    }
    await deleteRows(api.database, 'event', { id });
    expect((await fetch(api.url + url.pathname + url.search)).status).toBe(404);
  });
});

describe('the catalogue', () => {
  it('has a schema and an example of every kind, which fit each other', async () => {
    const types = await servedEventTypes(api.url);
    expect(types.map(({ type }) => type)).toEqual([...EVENT_TYPES]);
    const validators = eventValidators(types);
    for (const { type, example } of types) {
      const validate = validators.get(type);
      expect([type, validate?.(example), validate?.errors]).toEqual([type, true, null]);
      expect(validate?.({ ...example, event: 'another' })).toBe(false);
      expect(validate?.({ ...example, payload: {} })).toBe(false);
    }
  });

  it('shows no event that breaks its word', async () => {
    await addRow(api.database, 'event', {
      id: 'evt_bad',
      agencyId: 'other',
      sequence: 0,
      type: 'message',
      body: '{"event":"message","payload":{},"metadata":{}}',
      createdAt: databaseNow,
    });
    await expect(checkEvents(api.url, api.database)).rejects.toThrow('message:');
    await deleteRows(api.database, 'event', { id: 'evt_bad' });
  });
});
