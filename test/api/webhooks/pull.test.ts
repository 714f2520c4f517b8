import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { connectDatabase } from '../../../db/connect.ts';
import type { Database } from '../../../db/engine/database.ts';
import { insertEvents } from '../../../db/webhooks/event.ts';
import { migrate } from '../../../db/migrate.ts';
import { insertSession } from '../../../db/sessions/session.ts';
import { startApiOn } from '../../support/api.ts';
import type { RunningApi } from '../../support/api.ts';
import { checkEvents } from '../../support/event-schemas.ts';
import { addRow, changeRows, findRows, fromColumn, like, takeTransactionId } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';
import { aMessageEvent, aScene } from './a-webhook-scene.ts';
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

beforeAll(async () => {
  const databaseUrl = await takeDatabase();
  url = databaseUrl;
  api = await startApiOn(databaseUrl, 'webhook-pull');
  writer = await connectDatabase({
    url: databaseUrl,
    directUrl: databaseUrl,
    encryptionKey: 'test-encryption-key-0123456789-0123456789',
    webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
    poolSize: 10,
    applicationName: 'webhook-pull-writer',
    onError: () => undefined,
  });
  acme = await aScene(api, 'acme');
});
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

/** Returns the cursor of a reader that has seen everything until now. */
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
    const stored = await findRows(api.database, 'event', { id: sent }, ['body'], 'id');
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

  it('sees the events of a conversation in their order when a transaction that began first tells last', async () => {
    const from = await caughtUp();
    const of = { agencyId: 'acme', tenantId: 't1', sessionId: acme.sessions.t1 };
    const begun = Promise.withResolvers<void>();
    const tell = Promise.withResolvers<void>();
    const began = writer.transaction(async (tx) => {
      await changeRows(tx, 'session', { supervisedAt: fromColumn('supervisedAt') }, { id: of.sessionId });
      begun.resolve();
      await tell.promise;
      await insertEvents(tx, [{ ...aMessageEvent(of, 'cnv_order'), id: 'evt_told_last' }]);
    });
    await begun.promise;
    const first = await acme.message('order');
    tell.resolve();
    await began;
    const { events } = await pullOf(2, from, '&limit=1');
    expect(events.map(({ id }) => id)).toEqual([first, 'evt_told_last']);
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
          await takeTransactionId(tx);
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
    const all = await findRows(api.database, 'event', { conversationId: like('cnv_prop%') }, ['id']);
    expect(all).toHaveLength(total);
    expect(seen.toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  });

  it('is answered as soon as something has happened', async () => {
    const from = await caughtUp();
    const waiting = page(`after=${from}&wait=25`);
    const sent = await acme.message('prompt');
    expect((await waiting).events.map(({ id }) => id)).toEqual([sent]);
  });

  it('is not told of what somebody tried one endpoint with, unless it asks', async () => {
    const from = await caughtUp();
    const { id } = await acme.endpoint();
    await acme.post(`/endpoints/${id}/test`);
    const sent = await acme.message('after_test');
    expect((await pullOf(1, from)).events.map((event) => event.id)).toEqual([sent]);
    expect((await pullOf(2, from, '&tests=true')).events).toHaveLength(2);
  });

  it('is refused when too many of its agency wait', async () => {
    const from = await caughtUp();
    const refused = Promise.withResolvers<void>();
    const asked = Array.from({ length: 205 }, async () => {
      const answer = await acme.get(`/events?after=${from}&wait=25`);
      if (answer.status !== 200) refused.resolve();
      return answer;
    });
    await refused.promise;
    expect((await acme.get(`/events?after=${from}`)).status).toBe(200);
    const sent = await acme.message('herd');
    for (const { status, body } of await Promise.all(asked)) {
      if (status === 200) expect(Page.parse(body).events.map(({ id }) => id)).toEqual([sent]);
      else expect({ status, body }).toMatchObject({ status: 429, body: { code: 'too_many_waiting' } });
    }
  });

  it('gets the events of a dump that was restored on a younger server, too', async () => {
    const id = await acme.message('restored', { tenantId: 't2' });
    await changeRows(api.database, 'event', { txid: '8000000000000000000' }, { id });
    await migrate(url);
    const all = await pullOf(1, 'start', '&conversationId=cnv_restored');
    expect(all.events.map((event) => event.id)).toEqual([id]);
  });

  it('gets what a session tells after such a restore, in its order', async () => {
    const told = [await acme.message('dumped', { tenantId: 't2' })];
    const { t2 } = acme.sessions;
    const younger = '8000000000000000000';
    await changeRows(api.database, 'sessionSequence', { lastTxid: younger }, { sessionId: t2 });
    await changeRows(api.database, 'event', { txid: younger }, { sessionId: t2 });
    await migrate(url);
    told.push(await acme.message('dumped', { tenantId: 't2' }), await acme.message('dumped', { tenantId: 't2' }));
    const { events } = await pullOf(3, 'start', '&conversationId=cnv_dumped&limit=1');
    expect(events.map(({ id }) => id)).toEqual(told);
  });

  it('is not refused the second page where the dump says that older events had been deleted', async () => {
    const told = [await acme.message('thinned', { tenantId: 't2' }), await acme.message('thinned', { tenantId: 't2' })];
    await addRow(api.database, 'eventExpiry', { agencyId: 'acme', txid: '100', place: 1 });
    await changeRows(api.database, 'event', { txid: '8000000000000000000' }, { id: told[1] });
    await migrate(url);
    const { events } = await pullOf(2, 'start', '&conversationId=cnv_thinned&limit=1');
    expect(events.map(({ id }) => id)).toEqual(told);
  });

  it('goes on with a cursor of an older version, and misses nothing', async () => {
    const of = { agencyId: 'acme', tenantId: 't1', sessionId: acme.sessions.t1 };
    // Their ids are in another order than they were told.
    const told = ['evt_older_b', 'evt_older_a', 'evt_older_c'];
    const from = await caughtUp();
    await writer.transaction((tx) =>
      insertEvents(
        tx,
        told.map((id) => ({ ...aMessageEvent(of, 'cnv_older'), id })),
      ),
    );
    const [row] = await findRows(api.database, 'event', { id: 'evt_older_a' }, ['txid']);
    const older = (text: string) => Buffer.from(text).toString('base64url');
    for (const cursor of [from, older(`${row?.txid} `), older(`${row?.txid} evt_older_a`)]) {
      const { events } = await pullOf(3, cursor, '&limit=1');
      expect(events.map(({ id }) => id)).toEqual(told);
    }
    expect((await acme.get(`/events?cursor=${older(`${row?.txid} evt_older_a`)}`)).status).toBe(422);
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
