import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { startApiOn } from '../../support/api.ts';
import { call } from '../../support/client.ts';
import { checkEvents } from '../../support/event-schemas.ts';
import { StreamReader } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { changeRows, untilRows } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';
import { aScene } from './a-webhook-scene.ts';
import type { Scene } from './a-webhook-scene.ts';

const databaseUrl = await takeDatabase();
const api = await startApiOn(databaseUrl, 'event-stream');
afterAll(async () => {
  await checkEvents(api.url, api.database);
  await api.close();
});
const acme = await aScene(api, 'acme');
const other = await aScene(api, 'other');
const Key = z.object({ id: z.string(), apiKey: z.string() });
const Page = z.object({ events: z.array(z.object({ id: z.string() })), nextCursor: z.string() });
const PATH = '/api/v1/events/stream';

const readers: StreamReader[] = [];
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.leave();
  await eventually(async () => (await held()) === 0, { what: 'the places of the streams to be given back' });
});

/** Waits until no event is held back by other transactions of the server, so that what was told is of the past. */
async function settled(): Promise<void> {
  const heldBack = sql`event where txid >= pg_snapshot_xmin(pg_current_snapshot())`;
  await untilRows(api.database, heldBack, 0);
}

async function open(query = '', { key = acme.key, url = api.url, headers = {} } = {}): Promise<StreamReader> {
  await settled();
  const reader = await StreamReader.open(`${url}${PATH}?${query}`, { 'x-api-key': key, ...headers });
  readers.push(reader);
  return reader;
}

/** Opens a stream that has had all that was there before. */
async function openReady(query = '', options: Parameters<typeof open>[1] = {}): Promise<StreamReader> {
  const reader = await open(query, options);
  await reader.untilReady();
  return reader;
}

/** Counts the requests that the process holds for events. */
async function held(): Promise<number> {
  const text = await (await fetch(api.metricsUrl)).text();
  return Number(/^engine_event_readers (\d+)$/m.exec(text)?.[1]);
}

async function refused(query: string, headers: Record<string, string> = {}, key = acme.key) {
  return call(api, 'GET', `${PATH}?${query}`, { key, headers });
}

async function aKeyOf(scene: Scene): Promise<z.infer<typeof Key>> {
  const body = { agencyId: scene.agencyId, tenantId: 't1', name: 'streams' };
  return Key.parse((await call(api, 'POST', '/api/v1/api-keys', { key: scene.key, body })).body);
}

const idsOf = (frames: readonly { data: Record<string, unknown> }[]) => frames.map(({ data }) => data['id']);

describe('a reader of the stream', () => {
  it('hears of what happens from now on, by ids alone', async () => {
    await acme.message('before');
    const reader = await open();
    expect(Object.fromEntries(reader.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const [ready] = await reader.take(1);
    expect(ready).toMatchObject({ event: 'ready', retry: 1_000, data: { cursor: ready?.lastEventId } });
    const id = await acme.message('now', { body: 'a secret word' });
    const [frame] = await reader.take(1);
    expect(frame).toMatchObject({
      event: 'message',
      data: {
        id,
        type: 'message',
        tenantId: 't1',
        sessionId: acme.sessions.t1,
        conversationId: 'cnv_now',
        test: false,
      },
    });
    expect(JSON.stringify(frame)).not.toContain('a secret word');
    const read = await acme.get(`/events/${id}`);
    expect(read.body).toMatchObject({ id, body: expect.stringContaining('a secret word') });
  });

  it('goes on where it was, by either header or query, and the header counts', async () => {
    const first = await openReady();
    const ids = [await acme.message('one'), await acme.message('two'), await acme.message('three')];
    const frames = await first.take(3);
    expect(idsOf(frames)).toEqual(ids);
    const after = frames.map(({ lastEventId }) => lastEventId);
    const byQuery = await open(`after=${after[0]}`);
    expect(idsOf(await byQuery.untilReady())).toEqual(ids.slice(1));
    const byHeader = await open(`after=start`, { headers: { 'last-event-id': after[1] ?? '' } });
    expect(idsOf(await byHeader.untilReady())).toEqual(ids.slice(2));
    const pulled = Page.parse((await acme.get(`/events?after=${after[1]}`)).body);
    expect(pulled.events.map(({ id }) => id)).toEqual(ids.slice(2));
    const last = await acme.message('four');
    for (const reader of [first, byQuery, byHeader]) expect(idsOf(await reader.take(1))).toEqual([last]);
    const byPull = await open(`after=${pulled.nextCursor}`);
    expect(idsOf(await byPull.untilReady())).toEqual([last]);
  });

  it('is shown what its key and its filter let it be shown', async () => {
    const agency = await openReady();
    const tenant = await openReady('tenantId=t2');
    const session = await openReady('', { key: acme.scopedKey });
    const conversation = await openReady('conversationId=cnv_wanted');
    const ofOthers = await openReady('', { key: other.key });
    const one = await acme.message('wanted');
    const two = await acme.message('wanted', { tenantId: 't2' });
    const theirs = await other.message('theirs');
    const three = await acme.message('unwanted');
    expect(idsOf(await agency.take(3))).toEqual([one, two, three]);
    expect(idsOf(await tenant.take(1))).toEqual([two]);
    expect(idsOf(await session.take(2))).toEqual([one, three]);
    expect(idsOf(await conversation.take(2))).toEqual([one, two]);
    expect(idsOf(await ofOthers.take(1))).toEqual([theirs]);
  });

  it("sees only its own events after somebody else's cursor", async () => {
    const theirs = await openReady('', { key: other.key });
    const id = await acme.message('mine');
    await other.message('theirs');
    const [frame] = await theirs.take(1);
    const later = await acme.message('mine');
    const reader = await open(`after=${frame?.lastEventId}`);
    expect(idsOf(await reader.untilReady())).toEqual([later]);
    expect(id).not.toBe(later);
  });

  it.each(['nonsense', Buffer.from('12 evil').toString('base64url'), 'x'.repeat(300), 'start'])(
    'is refused a cursor that is none (%s)',
    async (cursor) => {
      const header = { 'last-event-id': cursor };
      expect(await refused('', header)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: 'header/Last-Event-ID' }] },
      });
      if (cursor !== 'start') expect(await refused(`after=${cursor}`)).toMatchObject({ status: 422 });
    },
  );

  it('is refused the cursor of another list, one of a lost database, and a filter that is none', async () => {
    const list = await call(api, 'GET', '/api/v1/sessions?limit=1', { key: acme.key });
    const ofAnotherList = list.headers.get('x-next-cursor');
    expect(ofAnotherList).not.toBeNull();
    expect((await refused(`after=${ofAnotherList}`)).status).toBe(422);
    const unknown = Buffer.from('9000000000000000000 ').toString('base64url');
    expect(await refused(`after=${unknown}`)).toMatchObject({ status: 410, body: { code: 'cursor_invalid' } });
    expect((await refused('type=nonsense')).status).toBe(422);
    expect((await refused('', {}, 'no key')).status).toBe(401);
    expect((await refused('tenantId=nobody')).status).toBe(404);
  });

  it('is told why when its key ends, and nothing after that', async () => {
    const { id, apiKey } = await aKeyOf(acme);
    const reader = await openReady('', { key: apiKey });
    const goesOn = await openReady();
    await call(api, 'DELETE', `/api/v1/api-keys/${id}?agencyId=acme`, { key: acme.key });
    expect(await reader.next()).toMatchObject({ event: 'end', data: { reason: 'unauthorized' } });
    expect(await reader.next()).toBeUndefined();
    const told = await acme.message('after_the_end');
    expect(idsOf(await goesOn.take(1))).toEqual([told]);
  });

  it('is told so when its key expires', async () => {
    const { id, apiKey } = await aKeyOf(acme);
    const at = new Date(api.database.clock.now().getTime() + 1_500);
    await changeRows(api.database, 'apiKey', { expiresAt: at }, { id });
    const reader = await openReady('', { key: apiKey });
    expect(await reader.next()).toMatchObject({ event: 'end', data: { reason: 'unauthorized' } });
    const lateMs = api.database.clock.now().getTime() - at.getTime();
    expect(lateMs).toBeGreaterThanOrEqual(0);
  });

  it('is told so when its dashboard is suspended', async () => {
    const late = await aScene(api, 'late');
    const reader = await openReady('', { key: late.key });
    const body = { actor: 'ann', reason: 'unpaid' };
    const path = '/api/v1/admin/dashboards/late/suspend';
    const suspended = await call(api, 'POST', path, { key: MASTER_KEY, body });
    expect(suspended.status).toBeLessThan(300);
    expect(await reader.next()).toMatchObject({ event: 'end', data: { reason: 'dashboard_suspended' } });
  });

  it('is refused where too many of its agency wait, until one of them has left', async () => {
    const open200 = await Promise.all(Array.from({ length: 200 }, () => openReady()));
    expect(await held()).toBe(200);
    const answer = await refused('');
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_waiting' } });
    expect(answer.headers.get('retry-after')).not.toBeNull();
    // A pull that waits takes a place of the same.
    expect((await acme.get('/events?after=start&wait=1&conversationId=cnv_none')).status).toBe(429);
    await openReady('', { key: other.key });
    open200[0]?.leave();
    await eventually(async () => (await held()) === 200, { what: 'a place to be free' });
    await openReady();
  });

  it('asks for the head alone without a stream, and takes no place', async () => {
    const answer = await fetch(`${api.url}${PATH}`, { method: 'HEAD', headers: { 'x-api-key': acme.key } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await answer.text()).toBe('');
    expect(await held()).toBe(0);
  });

  it('may speak HTTP/1.0, and gets the frames as they are', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(`GET ${PATH} HTTP/1.0\r\nx-api-key: ${acme.key}\r\n\r\n`);
    await eventually(() => text.includes('event: ready'));
    const id = await acme.message('old');
    await eventually(() => text.includes(id));
    const [head, frames] = text.split('\r\n\r\n');
    expect(head).not.toMatch(/transfer-encoding/i);
    expect(frames).toMatch(
      /^retry: 1000\nid: \S+\nevent: ready\ndata: \{"cursor":"\S+"\}\n\nid: \S+\nevent: message\ndata: /,
    );
    socket.destroy();
  });

  it('comes back to another process when the one it was at stops, and misses nothing', async () => {
    const stopping = await startApiOn(databaseUrl, 'event-stream-stops');
    const reader = await openReady('', { url: stopping.url });
    const first = await acme.message('first');
    expect(idsOf(await reader.take(1))).toEqual([first]);
    const closed = stopping.close();
    const end = await reader.next();
    expect(end).toMatchObject({ event: 'end', data: { reason: 'stopping' } });
    expect(end?.retry).toBeGreaterThanOrEqual(1_000);
    expect(await reader.next()).toBeUndefined();
    await closed;
    const meanwhile = await acme.message('meanwhile');
    const again = await open('', { headers: { 'last-event-id': reader.lastEventId } });
    expect(idsOf(await again.untilReady())).toEqual([meanwhile]);
  });
});
