import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { Database } from '../../db/database.ts';
import { insertEvents } from '../../db/event.ts';
import { MOST_BODY_BYTES } from '../../db/event-body.ts';
import { migrate } from '../../db/migrate.ts';
import { insertSession } from '../../db/session.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import { startApiOn } from '../support/api.ts';
import type { RunningApi } from '../support/api.ts';
import { call } from '../support/client.ts';
import { checkEvents, eventValidators, servedEventTypes } from '../support/event-schemas.ts';
import { rowsOf } from '../support/rows.ts';
import { takeServers } from '../support/servers.ts';
import { aMessageEvent, aScene, deliveriesOf, end } from './a-webhook-scene.ts';
import type { Scene } from './a-webhook-scene.ts';

const Page = z.object({
  events: z.array(
    z.object({ id: z.string(), type: z.string(), tenantId: z.string().nullable(), body: z.string().optional() }),
  ),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});

let api: RunningApi;
/** Another process of the engine. */
let writer: Database;
let url: string;
let acme: Scene;
let other: Scene;

beforeAll(async () => {
  const { databaseUrl } = await takeServers();
  url = databaseUrl;
  api = await startApiOn(databaseUrl, 'webhook-events');
  writer = await Database.open({
    url: databaseUrl,
    directUrl: databaseUrl,
    encryptionKey: 'test-encryption-key-0123456789-0123456789',
    webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
    poolSize: 10,
    applicationName: 'webhook-events-writer',
    onError: () => undefined,
  });
  acme = await aScene(api, 'acme');
  other = await aScene(api, 'other');
}, 60_000);
afterAll(async () => {
  await checkEvents(api.url, api.database);
  await writer.close();
  await api.close();
});

async function page(query: string, key?: string): Promise<z.infer<typeof Page>> {
  const answer = await acme.get(`/events?${query}`, key);
  if (answer.status !== 200) throw new Error(`It was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return Page.parse(answer.body);
}

/** Pulls until it has seen so many: other transactions of the server hold an event back for a moment. */
async function pullOf(wanted: number, from: string, query = '', key?: string) {
  const events: z.infer<typeof Page>['events'] = [];
  let after = from;
  while (events.length < wanted) {
    const got = await page(`after=${after}&wait=10${query}`, key);
    if (got.events.length === 0) throw new Error(`Only ${events.length} of ${wanted} events came.`);
    events.push(...got.events);
    after = got.nextCursor ?? '';
  }
  return { events, after };
}

/** Where a reader is who has seen everything until now. */
async function caughtUp(): Promise<string> {
  const marker = await acme.message('marker');
  let after = 'start';
  for (;;) {
    const got = await pullOf(1, after, '&limit=100');
    after = got.after;
    if (got.events.some(({ id }) => id === marker)) return after;
  }
}

describe('a receiver that pulls', () => {
  it('gets the exact bodies in the order of the commits, and nothing twice', async () => {
    const from = await caughtUp();
    const sent = [
      await acme.message('p1', { body: 'Ünïcode "quoted" \\ 🎉' }),
      await acme.message('p2'),
      await acme.message('p1'),
    ];
    const { events, after } = await pullOf(3, from, '&limit=2');
    expect(events.map(({ id }) => id)).toEqual(sent);
    const stored = await rowsOf(
      api.database,
      sql<{ body: string }>`select body from event where id = any(${sent}) order by id`,
    );
    expect(events.map(({ body }) => body)).toEqual(stored.map(({ body }) => body));
    const nothing = await page(`after=${after}`);
    expect(nothing).toMatchObject({ events: [], hasMore: false, nextCursor: expect.any(String) });
    expect((await pullOf(1, '', '&limit=1')).events[0]).toEqual((await pullOf(1, 'start', '&limit=1')).events[0]);
  });

  it('skips nothing when a transaction is held open across the pull', async () => {
    const from = await caughtUp();
    const written = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const slow = writer.transaction(async (tx) => {
      await insertEvents(tx, [
        {
          ...aMessageEvent({ agencyId: 'acme', tenantId: 't1', sessionId: acme.sessions.t1 }, 'cnv_slow'),
          id: 'evt_slow',
        },
      ]);
      written.resolve();
      await commit.promise;
    });
    await written.promise;
    const quick = await acme.message('quick', { tenantId: 't2' });
    const during = await page(`after=${from}`);
    expect(during.events).toEqual([]);
    const waiting = pullOf(2, during.nextCursor ?? '');
    commit.resolve();
    await slow;
    const { events } = await waiting;
    expect(events.map(({ id }) => id)).toEqual(['evt_slow', quick]);
  });

  it('sees each event of many concurrent transactions once, whatever the size of its pages', async () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const from = await caughtUp();
    const WRITERS = 6;
    const EACH = 12;
    let open = WRITERS;
    // A session each: events of one session come one after the other anyway.
    const sessions = await Promise.all(
      Array.from({ length: WRITERS }, () =>
        writer.transaction((tx) => insertSession(tx, { agencyId: 'acme', tenantId: 't1' }, {})),
      ),
    );
    const writers = sessions.map(async (sessionId, number) => {
      for (let n = 0; n < EACH; n += 1) {
        await writer.transaction(async (tx) => {
          await sql`select pg_current_xact_id()`.execute(tx.sql);
          await pause(random(6));
          const of = { agencyId: 'acme', tenantId: 't1', sessionId: sessionId ?? '' };
          await insertEvents(tx, [aMessageEvent(of, `cnv_prop${number}`), aMessageEvent(of, `cnv_prop${number}`)]);
          await pause(random(9));
        });
      }
      open -= 1;
    });
    const seen: string[] = [];
    let after = from;
    const total = WRITERS * EACH * 2;
    while (open > 0 || seen.length < total) {
      const wait = open > 0 ? '' : '&wait=10';
      const got = await page(`after=${after}&limit=${1 + random(7)}${wait}`);
      if (open === 0 && wait !== '' && got.events.length === 0) break;
      seen.push(...got.events.map(({ id }) => id));
      after = got.nextCursor ?? '';
    }
    await Promise.all(writers);
    const all = await rowsOf(
      api.database,
      sql<{ id: string }>`select id from event where conversation_id like 'cnv_prop%'`,
    );
    expect(all).toHaveLength(total);
    expect(seen.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  });

  it('is answered as soon as something has happened', async () => {
    const from = await caughtUp();
    const waiting = page(`after=${from}&wait=25`);
    const sent = await acme.message('prompt');
    expect((await waiting).events.map(({ id }) => id)).toEqual([sent]);
  });

  it('gets the events of a dump that was restored on a younger server, too', async () => {
    const id = await acme.message('restored', { tenantId: 't2' });
    await rowsOf(api.database, sql`update event set txid = '8000000000000000000' where id = ${id}`);
    await migrate(url);
    const all = await pullOf(1, 'start', '&conversationId=cnv_restored');
    expect(all.events.map((event) => event.id)).toEqual([id]);
  });

  it('is told when the database does not know its cursor, and refused what is none', async () => {
    const cursor = Buffer.from('9000000000000000000 ').toString('base64url');
    const answer = await acme.get(`/events?after=${cursor}`);
    expect(answer).toMatchObject({ status: 410, body: { code: 'cursor_invalid' } });
    for (const query of [
      'after=nonsense',
      'cursor=nonsense',
      'wait=26',
      'limit=101',
      'type=nonsense',
      'since=yesterday',
    ]) {
      expect((await acme.get(`/events?${query}`)).status).toBe(422);
    }
  });
});

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
    await rowsOf(
      api.database,
      sql`insert into delivery_attempt (delivery_id, endpoint_id, event_id, number, at, class, status, duration_ms, response_excerpt)
        select id, endpoint_id, event_id, n, ${now}::timestamptz + n * interval '1 ms', case n when 1 then 'client_error' else 'timeout' end,
          case n when 1 then 404 end, 12, 'oops' from delivery, generate_series(1, 3) n where endpoint_id = ${endpoint}`,
    );
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
    const all = await rowsOf(api.database, sql<{ id: string }>`select id from event where agency_id = 'acme'`);
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
    const pulled = await pullOf(1, 'start', '&limit=100', scopedKey);
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
    const text = 'x'.repeat(MOST_BODY_BYTES);
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
    await rowsOf(api.database, sql`delete from event where id = ${id}`);
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
    await rowsOf(
      api.database,
      sql`insert into event (id, agency_id, sequence, type, body, created_at)
        values ('evt_bad', 'other', 0, 'message', '{"event":"message","payload":{},"metadata":{}}', now())`,
    );
    await expect(checkEvents(api.url, api.database)).rejects.toThrow('message:');
    await rowsOf(api.database, sql`delete from event where id = 'evt_bad'`);
  });
});
