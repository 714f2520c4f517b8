import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { ListedStreams } from '../../../api/webhooks/stream/listed-streams.ts';
import { createCleanUp } from '../../../db/maintenance.ts';
import { parseKey } from '../../../db/tenants/api-key-format.ts';
import { startApiOn } from '../../support/api.ts';
import type { RunningApi } from '../../support/api.ts';
import { anAgency, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { StreamReader } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import {
  addRow,
  ago,
  changeRows,
  countRows,
  databaseNow,
  deleteRows,
  findRows,
  lockTable,
  rowsOf,
  untilCount,
} from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';
import type { Browser } from '../console/browser.ts';
import { OWN } from '../console/browser.ts';
import { aDashboardKey, aLink, openedBy } from '../console/made-credentials.ts';
import type { Key } from '../console/made-credentials.ts';

const PATH = '/api/v1/events/streams';
const Streams = z.object({
  streams: z.array(
    z.strictObject({
      id: z.string(),
      keyId: z.string().nullable(),
      linkId: z.string().nullable(),
      loginId: z.string().nullable(),
      tenantId: z.string().nullable(),
      sessionId: z.string().nullable(),
      openedAt: z.string(),
    }),
  ),
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
});
type Headers = Record<string, string>;
const byKey = (key: string): Headers => ({ 'x-api-key': key });
const byLogin = ({ cookie }: Browser): Headers => ({ ...OWN, cookie });

const databaseUrl = await takeDatabase();
let here: RunningApi;
let there: RunningApi;
let acme: Agency;
let globex: Agency;
/** Keys of the dashboard that lack the scope `keys`. */
let plain: Key;
let other: Key;
const readers: StreamReader[] = [];

beforeAll(async () => {
  [here, there] = [await startApiOn(databaseUrl, 'streams-here'), await startApiOn(databaseUrl, 'streams-there')];
  [acme, globex] = [await anAgency(here, { agencyId: 'acme' }), await anAgency(here, { agencyId: 'globex' })];
  await call(here, 'POST', '/api/v1/sessions', { key: acme.dashboardKey, body: { tenantId: 't2' } });
  const scopes = ['read'];
  [plain, other] = [await aDashboardKey(here, acme, { scopes }), await aDashboardKey(here, acme, { scopes })];
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.leave();
  await untilCount(here.database, 'openStream', {}, 0);
});
afterAll(async () => {
  await here.close();
  await there.close();
});

/** Opens a stream and waits until it is ready. */
async function open(headers: Headers, { at = here, query = '' } = {}): Promise<StreamReader> {
  const reader = await StreamReader.open(`${at.url}/api/v1/events/stream${query}`, headers);
  readers.push(reader);
  await reader.untilReady();
  return reader;
}

const list = async (headers: Headers, query = '') => {
  const answer = await call(here, 'GET', `${PATH}${query}`, { headers });
  expect([answer.status, answer.body['detail']]).toEqual([200, undefined]);
  return Streams.parse(answer.body);
};
const seenBy = async (headers: Headers, query = '') => (await list(headers, query)).streams;
const idsSeenBy = async (headers: Headers, query = '') => (await seenBy(headers, query)).map(({ id }) => id);
const end = async (headers: Headers, id: string | undefined) =>
  (await call(here, 'DELETE', `${PATH}/${id ?? ''}`, { headers })).status;

/** The newest stream that its own credential sees. */
async function ownOf(headers: Headers): Promise<string> {
  const [id] = await idsSeenBy(headers);
  if (id === undefined) throw new Error('No stream is listed.');
  return id;
}

async function expectEnded(reader: StreamReader): Promise<void> {
  const frame = await reader.next();
  expect(frame).toMatchObject({ event: 'end', data: { reason: 'ended' } });
  expect(frame?.retry).toBeGreaterThanOrEqual(1_000);
  expect(await reader.next()).toBeUndefined();
}

describe('an open stream', () => {
  it('is listed for its owner as soon as it is ready, at whichever process it is open', async () => {
    const owner = byKey(acme.dashboardKey);
    const link = await aLink(here, acme.dashboardKey, { readOnly: true });
    const browser = await openedBy(here, link.url);
    await open(byKey(plain.apiKey));
    await open(byKey(other.apiKey), { at: there, query: '?tenantId=t2' });
    await open(byKey(acme.scopedKey), { at: there });
    await open(byLogin(browser), { query: `?sessionId=${acme.session.id}` });
    await open(byKey(globex.dashboardKey));
    const all = await seenBy(owner);
    const maker = all.find(({ linkId }) => linkId !== null)?.keyId;
    const shown = all.map(({ keyId, linkId, tenantId, sessionId }) => [keyId, linkId, tenantId, sessionId]);
    expect(shown).toEqual([
      [maker, link.id, 't1', acme.session.id],
      [parseKey(acme.scopedKey)?.id, null, 't1', acme.session.id],
      [other.id, null, 't2', null],
      [plain.id, null, null, null],
    ]);
    for (const { id, openedAt } of all)
      expect([id, openedAt]).toEqual([expect.stringMatching(/^str_/), expect.any(String)]);
    // The streams that show one tenant, the streams of one key, and pages of them.
    const [byGuest, bySession, ofOther, ofPlain] = all.map(({ id }) => id);
    expect(await idsSeenBy(owner, '?tenantId=t1')).toEqual([byGuest, bySession, ofPlain]);
    expect(await idsSeenBy(owner, '?tenantId=t2')).toEqual([ofOther, ofPlain]);
    expect(await idsSeenBy(owner, `?keyId=${plain.id}`)).toEqual([ofPlain]);
    expect(await idsSeenBy(owner, `?keyId=${maker ?? ''}`)).toEqual([byGuest]);
    const first = await list(owner, '?limit=3');
    expect([first.streams.length, first.hasMore]).toEqual([3, true]);
    expect(await idsSeenBy(owner, `?limit=3&cursor=${first.nextCursor ?? ''}`)).toEqual([ofPlain]);
    expect(await idsSeenBy(byKey(MASTER_KEY), '?agencyId=acme')).toEqual(all.map(({ id }) => id));
  });

  it('is listed for its maker alone beside the owner, and each of them ends it', async () => {
    const [guest, stranger] = [
      await openedBy(here, (await aLink(here, acme.dashboardKey, { readOnly: true })).url),
      await openedBy(here, (await aLink(here, acme.dashboardKey)).url),
    ];
    const makers = { plain: byKey(plain.apiKey), session: byKey(acme.scopedKey), guest: byLogin(guest) };
    const others = [other.apiKey, globex.dashboardKey, globex.scopedKey].map(byKey).concat(byLogin(stranger));
    for (const [name, maker] of Object.entries(makers)) {
      const [first, second] = [await open(maker), await open(maker, { at: there })];
      const [ofSecond, ofFirst] = await idsSeenBy(maker);
      expect([name, await idsSeenBy(byKey(acme.dashboardKey))]).toEqual([name, [ofSecond, ofFirst]]);
      const rest = Object.values(makers).filter((each) => each !== maker);
      for (const each of [...others, ...rest]) {
        expect([name, await idsSeenBy(each), await end(each, ofFirst)]).toEqual([name, [], 404]);
      }
      expect([name, await end(maker, ofFirst)]).toEqual([name, 204]);
      await expectEnded(first);
      expect([name, await idsSeenBy(maker), await end(maker, ofFirst)]).toEqual([name, [ofSecond], 404]);
      expect([name, await end(byKey(acme.dashboardKey), ofSecond)]).toEqual([name, 204]);
      await expectEnded(second);
      // Its key or login goes on.
      (await open(maker)).leave();
      await untilCount(here.database, 'openStream', {}, 0);
    }
  });

  it('of the master key is listed for the owner of the agency, and not for its other keys', async () => {
    const reader = await open(byKey(MASTER_KEY), { query: '?agencyId=acme' });
    expect(await seenBy(byKey(acme.dashboardKey))).toMatchObject([
      { keyId: null, linkId: null, loginId: null, tenantId: null },
    ]);
    expect(await seenBy(byKey(plain.apiKey))).toEqual([]);
    expect(await end(byKey(acme.dashboardKey), await ownOf(byKey(acme.dashboardKey)))).toBe(204);
    await expectEnded(reader);
  });

  it('that somebody ends is in the audit, by the key that ended it', async () => {
    await open(byKey(plain.apiKey), { query: '?tenantId=t2' });
    const id = await ownOf(byKey(plain.apiKey));
    expect(await end(byKey(acme.dashboardKey), id)).toBe(204);
    const { body } = await call(here, 'GET', `/api/v1/audit?objectId=${id}`, { key: acme.dashboardKey });
    expect(body['entries']).toEqual([
      expect.objectContaining({ object: 'event_stream', objectId: id, action: 'revoked', tenantId: 't2' }),
    ]);
    expect(JSON.stringify(body)).not.toContain(plain.id);
  });

  it('ends though the wake-up of its process was lost', async () => {
    const reader = await open(byKey(plain.apiKey), { at: there });
    await changeRows(here.database, 'openStream', { endAskedAt: databaseNow });
    await expectEnded(reader);
  });

  it('is ready though its row cannot be written yet, and is listed once it can', async () => {
    const reader = await here.database.transaction(async (tx) => {
      await lockTable(tx, 'open_stream', 'exclusive');
      return open(byKey(plain.apiKey), { at: there });
    });
    const [id] = await eventually(async () => {
      const ids = await idsSeenBy(byKey(plain.apiKey));
      return ids.length > 0 && ids;
    });
    expect(await end(byKey(plain.apiKey), id)).toBe(204);
    await expectEnded(reader);
  });

  it('leaves the list when its reader leaves, when its key ends, and when its process stops', async () => {
    const stops = await startApiOn(databaseUrl, 'streams-stop');
    const key = await aDashboardKey(here, acme, { scopes: ['read'] });
    const [ofLeaving] = [await open(byKey(plain.apiKey)), await open(byKey(key.apiKey))];
    await open(byKey(other.apiKey), { at: stops });
    await open(byKey(acme.scopedKey));
    expect(await seenBy(byKey(acme.dashboardKey))).toHaveLength(4);
    await stops.close();
    expect(await idsSeenBy(byKey(other.apiKey))).toEqual([]);
    ofLeaving.leave();
    await call(here, 'DELETE', `/api/v1/api-keys/${key.id}`, { key: acme.dashboardKey });
    await eventually(async () => (await seenBy(byKey(acme.dashboardKey))).length === 1);
    expect(await countRows(here.database, 'openStream')).toBe(1);
  });
});

describe('a stream of a process that was killed', () => {
  const lost = (id: string, seconds: number) =>
    addRow(here.database, 'openStream', {
      id,
      process: 'killed',
      agencyId: 'acme',
      keyId: plain.id,
      openedAt: databaseNow,
      seenAt: ago({ seconds: seconds }),
    });

  it('is listed for a minute after its last refresh, and forgotten after a day', async () => {
    await lost('str_just', 30);
    await lost('str_lost', 61);
    await lost('str_old', 86_401);
    const owner = byKey(acme.dashboardKey);
    expect([await idsSeenBy(owner), await idsSeenBy(byKey(plain.apiKey))]).toEqual([['str_just'], ['str_just']]);
    expect([await end(owner, 'str_lost'), await end(owner, 'str_old'), await end(owner, 'str_just')]).toEqual([
      404, 404, 204,
    ]);
    await createCleanUp(here.database)();
    const left = await findRows(here.database, 'openStream', {}, ['id'], 'id');
    expect(left.map(({ id }) => id)).toEqual(['str_just', 'str_lost']);
    await deleteRows(here.database, 'openStream');
  });
});

describe('the streams of a process', () => {
  const errors: unknown[] = [];
  const ABOUT = { agencyId: 'acme', keyId: 'key_x', linkId: null, loginId: null, tenantId: null, sessionId: null };
  const aProcess = (every: { refreshEveryMs?: number; lookEveryMs?: number } = {}, { database } = here) =>
    new ListedStreams({ database, onError: (error) => void errors.push(error), ...every });
  afterEach(() => expect(errors.splice(0)).toEqual([]));

  it('are written together, and deleted together', async () => {
    const streams = aProcess();
    const opened = Array.from({ length: 200 }, () => streams.add(ABOUT, () => undefined));
    await Promise.all(opened.map(({ shown }) => shown));
    const [written] = await rowsOf(
      here.database,
      sql<{ rows: number; commits: number }>`select count(*)::int as rows, count(distinct xmin::text)::int as commits
        from open_stream`,
    );
    expect(written).toEqual({ rows: 200, commits: 2 });
    for (const { leave } of opened) leave();
    await streams.close();
    expect(await countRows(here.database, 'openStream')).toBe(0);
  });

  it('are refreshed while they are open, written anew where they are missing, and gone once they have ended', async () => {
    const streams = aProcess({ refreshEveryMs: 20 });
    const [kept, removed, left] = [1, 2, 3].map(() => streams.add(ABOUT, () => undefined));
    await Promise.all([kept, removed, left].map(async (stream) => stream?.shown));
    const owner = byKey(acme.dashboardKey);
    const ids = await idsSeenBy(owner);
    expect(ids).toHaveLength(3);
    // As after a long sleep of the machine.
    await changeRows(here.database, 'openStream', { seenAt: ago({ hours: 1 }) });
    await deleteRows(here.database, 'openStream', { id: ids[1] });
    left?.leave();
    // There are two as well while one is not gone yet and the other is not there again.
    await eventually(async () => (await idsSeenBy(owner)).join() === ids.slice(1).join());
    for (const each of [kept, removed]) each?.leave();
    await streams.close();
    expect(await countRows(here.database, 'openStream')).toBe(0);
  });

  it('are ended by a wake-up of another process, without a look', async () => {
    const streams = aProcess({ lookEveryMs: 3_600_000 }, there);
    const ended = Promise.withResolvers<void>();
    const stream = streams.add(ABOUT, () => ended.resolve());
    await stream.shown;
    expect(await end(byKey(acme.dashboardKey), await ownOf(byKey(acme.dashboardKey)))).toBe(204);
    await ended.promise;
    stream.leave();
    await streams.close();
  });

  it('are ended by a look alone, too, and only those that were asked to end', async () => {
    const streams = aProcess();
    const ended: string[] = [];
    const opened = ['one', 'two'].map((name) => streams.add(ABOUT, () => void ended.push(name)));
    await Promise.all(opened.map(({ shown }) => shown));
    const [, one] = await idsSeenBy(byKey(acme.dashboardKey));
    await changeRows(here.database, 'openStream', { endAskedAt: databaseNow }, { id: one });
    await eventually(() => ended.length > 0);
    expect(new Set(ended)).toEqual(new Set(['one']));
    for (const { leave } of opened) leave();
    await streams.close();
  });
});
