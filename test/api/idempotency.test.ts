import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { routes } from '../../api/routes/index.ts';
import { cleanUp } from '../../db/maintenance.ts';
import { startApiOn } from '../support/api.ts';
import type { RunningApi } from '../support/api.ts';
import { call } from '../support/client.ts';
import type { Answer } from '../support/client.ts';
import { PSK } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { countOf, rowsOf } from '../support/rows.ts';
import { takeServers } from '../support/servers.ts';

const SEND = '/api/v1/messages/send';
const WithKey = z.object({ apiKey: z.string() });
const WithConversation = z.object({ conversationId: z.string() });

let databaseUrl: string;
let first: RunningApi;
let second: RunningApi;
let dashboardKey: string;
/** Bound to the one session of tenant t1. */
let sessionKey: string;

beforeAll(async () => {
  ({ databaseUrl } = await takeServers());
  first = await startApiOn(databaseUrl, 'first-api');
  second = await startApiOn(databaseUrl, 'second-api');
  dashboardKey = WithKey.parse((await register('acme')).body).apiKey;
  for (const tenantId of ['t1', 't2']) await post('/api/v1/sessions', { ...as(tenantId), body: {} });
  sessionKey = WithKey.parse((await post('/api/v1/api-keys', { ...as('t1'), body: { name: 'n8n' } })).body).apiKey;
}, 60_000);
afterAll(async () => {
  await first.close();
  await second.close();
});

interface Request {
  key?: string;
  query?: string;
  body?: unknown;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  api?: RunningApi;
}

function post(path: string, request: Request): Promise<Answer> {
  const { key = sessionKey, query = '', body, idempotencyKey, headers, api = first } = request;
  const keyed = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return call(api, 'POST', path + query, { key, body, headers: { ...headers, ...keyed } });
}

/** The dashboard's key, for one of its tenants. */
function as(tenantId: string) {
  return { key: dashboardKey, query: `?tenantId=${tenantId}` };
}

function register(agencyId: string, idempotencyKey?: string): Promise<Answer> {
  const body = { agencyId, dashboardName: 'Test', dashboardUrl: 'http://127.0.0.1:9/', webhookSecret: 'x'.repeat(40) };
  const keyed = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return call(first, 'POST', '/v1/internal/dashboard/register', {
    headers: { authorization: `PSK ${PSK}`, ...keyed },
    body,
  });
}

let people = 0;
/** A text to somebody nobody has written to before. */
function aText(text: string) {
  people += 1;
  return { to: `+1555${2_000_000 + people}`, text };
}

const messagesOf = (text: string) => countOf(first.database, sql`message where body = ${text}`);
const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

async function aConversation(): Promise<string> {
  return WithConversation.parse((await post(SEND, { body: aText('hello') })).body).conversationId;
}

describe('equal requests with one Idempotency-Key', () => {
  it('make one message, 100 at a time, in two processes', async () => {
    const body = aText('a hundred times');
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        post(SEND, { body, idempotencyKey: 'hundred', api: index % 2 === 0 ? first : second }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
    expect(answers.filter(isReplayed)).toHaveLength(99);
    expect(await messagesOf('a hundred times')).toBe(1);
  });

  it('get the first answer again after a restart', async () => {
    const body = aText('before the restart');
    const before = await startApiOn(databaseUrl, 'before');
    const original = await post(SEND, { body, idempotencyKey: 'restart', api: before });
    await before.close();
    const after = await startApiOn(databaseUrl, 'after');
    const repeated = await post(SEND, { body, idempotencyKey: 'restart', api: after });
    await after.close();
    expect(isReplayed(original)).toBe(false);
    expect(isReplayed(repeated)).toBe(true);
    expect(repeated).toMatchObject({ status: original.status, body: original.body });
    for (const name of ['location', 'content-type', 'cache-control']) {
      expect(repeated.headers.get(name)).toBe(original.headers.get(name));
    }
    expect(await messagesOf('before the restart')).toBe(1);
  });

  it('are the same whatever their white space and the order of their fields', async () => {
    const { to, text } = aText('spaced');
    const raw = async (body: string) => {
      const headers = { 'x-api-key': sessionKey, 'content-type': 'application/json', 'idempotency-key': 'spaced' };
      const response = await fetch(first.url + SEND, { method: 'POST', headers, body });
      return { status: response.status, replayed: response.headers.get('idempotent-replayed') };
    };
    expect(await raw(`{"to":"${to}","text":"${text}"}`)).toEqual({ status: 202, replayed: null });
    expect(await raw(`{ "text" : "${text}",\n "to": "${to}" }`)).toEqual({ status: 202, replayed: 'true' });
    expect(await messagesOf('spaced')).toBe(1);
  });

  it('find what was committed for a client that went away before the answer', async () => {
    const conversationId = await aConversation();
    const body = { conversationId, text: 'nobody waits' };
    const gone = new AbortController();
    const held = await hold(conversationId);
    const left = fetch(first.url + SEND, {
      method: 'POST',
      headers: { 'x-api-key': sessionKey, 'content-type': 'application/json', 'idempotency-key': 'gone' },
      body: JSON.stringify(body),
      signal: gone.signal,
    }).catch(() => 'gone');
    await untilBlocked('first-api');
    gone.abort();
    expect(await left).toBe('gone');
    await held.release();
    expect(await post(SEND, { body, idempotencyKey: 'gone' })).toMatchObject({ status: 202 });
    expect(await messagesOf('nobody waits')).toBe(1);
  });

  it('wait five seconds for the first without a connection, then are told to come again', async () => {
    const conversationId = await aConversation();
    const body = { conversationId, text: 'held' };
    const held = await hold(conversationId);
    const leader = post(SEND, { body, idempotencyKey: 'held' });
    await untilBlocked('first-api');
    const waiting = [first, second].flatMap((api) =>
      Array.from({ length: 10 }, () => post(SEND, { body, idempotencyKey: 'held', api })),
    );
    // More of them wait than either process has connections.
    for (const api of [first, second]) expect((await post(SEND, { body: aText('other'), api })).status).toBe(202);
    for (const late of await Promise.all(waiting)) {
      expect(late).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
      expect(late.headers.get('retry-after')).toBe('1');
    }
    await held.release();
    const original = await leader;
    expect(original.status).toBe(202);
    const repeated = await post(SEND, { body, idempotencyKey: 'held', api: second });
    expect(repeated).toMatchObject({ status: 202, body: original.body });
    expect(await messagesOf('held')).toBe(1);
  }, 30_000);

  it('make one message also when the lock was free a moment too late to see the answer', async () => {
    const body = aText('overtaken');
    const original = await post(SEND, { body, idempotencyKey: 'overtaken' });
    await rowsOf(first.database, sql<object>`create table aside as select * from idempotency where key = 'overtaken'`);
    await rowsOf(first.database, sql<object>`delete from idempotency where key = 'overtaken'`);
    // The row is there and not yet committed, as no lock says.
    const written = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const other = second.database.transaction(async (tx) => {
      await sql`insert into idempotency select * from aside`.execute(tx.sql);
      written.resolve();
      await commit.promise;
    });
    await written.promise;
    const repeated = post(SEND, { body, idempotencyKey: 'overtaken' });
    await untilBlocked('first-api');
    commit.resolve();
    await other;
    expect(await repeated).toMatchObject({ status: 202, body: original.body });
    expect(isReplayed(await repeated)).toBe(true);
    expect(await messagesOf('overtaken')).toBe(1);
  });
});

describe('a key', () => {
  it('is refused with another request, which does nothing', async () => {
    const body = aText('reused');
    await post(SEND, { body, idempotencyKey: 'reused' });
    const other = await post(SEND, { body: { ...body, text: 'something else' }, idempotencyKey: 'reused' });
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(await messagesOf('something else')).toBe(0);
    const [a, b] = [await aConversation(), await aConversation()];
    const path = (id: string) => `/api/v1/inbox/conversations/${id}/messages`;
    expect((await post(path(a), { body: { content: 'to a' }, idempotencyKey: 'path' })).status).toBe(202);
    expect((await post(path(b), { body: { content: 'to a' }, idempotencyKey: 'path' })).status).toBe(422);
  });

  it('belongs to one tenant, one session and one route', async () => {
    const body = aText('everywhere');
    const answers = [
      await post(SEND, { body, idempotencyKey: 'everywhere' }),
      await post(SEND, { body, idempotencyKey: 'everywhere', ...as('t1') }),
      await post(SEND, { body, idempotencyKey: 'everywhere', ...as('t2') }),
      await post('/api/v1/sessions', { body: {}, idempotencyKey: 'everywhere', ...as('t2') }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 201]);
    expect(answers.some(isReplayed)).toBe(false);
  });

  it.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['not printable', 'a\u00e9'],
  ])('that is %s is refused', async (_what, idempotencyKey) => {
    const refused = await post(SEND, { body: aText('bad key'), idempotencyKey });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', errors: [{ pointer: 'header/Idempotency-Key' }] },
    });
    expect(await messagesOf('bad key')).toBe(0);
  });

  it('has a body that is nested beyond reason refused', async () => {
    const deep = `{"to":"+15552999999","text":"deep","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const headers = { 'x-api-key': sessionKey, 'content-type': 'application/json', 'idempotency-key': 'deep' };
    expect((await fetch(first.url + SEND, { method: 'POST', headers, body: deep })).status).toBe(422);
  });

  it('is forgotten after 48 hours', async () => {
    const body = aText('old');
    for (const [key, hours] of [['old', 49] as const, ['young', 47] as const]) {
      await post(SEND, { body, idempotencyKey: key });
      await age(key, `${hours} hours`);
    }
    await first.database.transaction((tx) => cleanUp(tx));
    expect(await countOf(first.database, sql`idempotency where key in ('old', 'young')`)).toBe(1);
    expect(isReplayed(await post(SEND, { body, idempotencyKey: 'young' }))).toBe(true);
    expect(isReplayed(await post(SEND, { body, idempotencyKey: 'old' }))).toBe(false);
  });
});

describe('a request that failed', () => {
  it('was not stored: it may succeed later, and its key is free for a corrected one', async () => {
    const missing = { body: { conversationId: 'cnv_none', text: 'to nobody' }, idempotencyKey: 'failed' };
    expect((await post(SEND, missing)).status).toBe(404);
    expect((await post(SEND, missing)).status).toBe(404);
    const corrected = await post(SEND, { body: aText('corrected'), idempotencyKey: 'failed' });
    expect(corrected.status).toBe(202);
    expect(isReplayed(corrected)).toBe(false);
  });

  it('on our side left nothing behind and is done by its repetition', async () => {
    const conversationId = await aConversation();
    const body = { conversationId, text: 'cut off' };
    const held = await hold(conversationId);
    const cut = post(SEND, { body, idempotencyKey: 'cut' });
    await untilBlocked('first-api');
    await rowsOf(
      second.database,
      sql<object>`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'first-api' and wait_event_type = 'Lock'`,
    );
    expect((await cut).status).toBeGreaterThanOrEqual(500);
    await held.release();
    const repeated = await post(SEND, { body, idempotencyKey: 'cut' });
    expect(repeated.status).toBe(202);
    expect(isReplayed(repeated)).toBe(false);
    expect(await messagesOf('cut off')).toBe(1);
  });

  it('gets the answer of the one that did not, though it would be refused by now', async () => {
    const expiresAt = Date.now() + 2_000;
    const body = { name: 'soon over', expiresAt: new Date(expiresAt).toISOString() };
    const original = await post('/api/v1/api-keys', { ...as('t1'), body, idempotencyKey: 'over' });
    expect(original.status).toBe(201);
    await eventually(() => Date.now() > expiresAt);
    expect((await post('/api/v1/api-keys', { ...as('t1'), body })).status).toBe(422);
    const repeated = await post('/api/v1/api-keys', { ...as('t1'), body, idempotencyKey: 'over' });
    expect(repeated).toMatchObject({ status: 201, body: original.body });
  });
});

describe('an answer with a secret', () => {
  it('is shown again for ten minutes, sealed at rest, and without the secret after that', async () => {
    const request = { ...as('t1'), body: { name: 'twice' }, idempotencyKey: 'secret' };
    const original = await post('/api/v1/api-keys', request);
    const { apiKey, ...rest } = original.body;
    const stored = sql<{ text: string }>`
      select i::text || coalesce(encode(sealed_body, 'escape'), '') as text from idempotency i where key = 'secret'`;
    const sealed = sql`idempotency where key = 'secret' and sealed_body is not null`;
    expect((await rowsOf(first.database, stored))[0]?.text).not.toContain(String(apiKey));

    await age('secret', '9 minutes');
    await second.database.transaction((tx) => cleanUp(tx));
    expect((await post('/api/v1/api-keys', { ...request, api: second })).body).toEqual(original.body);

    await age('secret', '2 minutes');
    const late = await post('/api/v1/api-keys', { ...request, api: second });
    expect(late).toMatchObject({ status: 201, body: { ...rest, omitted: ['apiKey'] } });
    expect(late.body).not.toHaveProperty('apiKey');
    expect(await countOf(first.database, sealed)).toBe(1);
    await second.database.transaction((tx) => cleanUp(tx));
    expect(await countOf(first.database, sealed)).toBe(0);
    expect((await post('/api/v1/api-keys', request)).body).toEqual(late.body);
    expect(await countOf(first.database, sql`api_key where name = 'twice'`)).toBe(1);
  });

  it('of a registration does not need the agency to be new the second time', async () => {
    const original = await register('globex', 'registration');
    expect(await register('globex', 'registration')).toMatchObject({ status: 200, body: original.body });
    expect((await register('globex')).status).toBe(409);
    expect((await register('initech', 'registration')).status).toBe(422);
  });
});

describe('the routes', () => {
  const takesKey = ({ operation }: (typeof routes)[number]) => operation.requestParams?.header !== undefined;

  it('that create or send all take the key, and say so', () => {
    const without = routes.filter((route) => route.method === 'POST' && !takesKey(route)).map(({ path }) => path);
    expect(without.toSorted()).toEqual([
      // They set what the request says: repeating them changes nothing.
      '/api/v1/ai-sales-agent/persona',
      '/api/v1/ai-sales-agent/state',
      '/v1/internal/backend/events',
    ]);
    for (const { operation } of routes.filter(takesKey)) {
      expect(operation.responses?.['409']).toMatchObject({
        description: expect.stringContaining('idempotency_in_progress'),
      });
      expect(operation.responses?.['422']).toMatchObject({
        description: expect.stringContaining('idempotency_key_reused'),
      });
    }
  });

  it('answer a repeated request as the first', async () => {
    const conversationId = await aConversation();
    const conversation = `/api/v1/conversations/${conversationId}`;
    const cases: [string, Request][] = [
      [`/api/v1/inbox/conversations/${conversationId}/messages`, { body: { content: 'reply' } }],
      [`${conversation}/assign`, { body: { assignee: 'ann' } }],
      [`${conversation}/release`, {}],
      ['/api/v1/sessions', { ...as('t1'), body: { name: 'second' } }],
    ];
    for (const [path, request] of cases) {
      const original = await post(path, { ...request, idempotencyKey: 'again' });
      const repeated = await post(path, { ...request, idempotencyKey: 'again' });
      expect(original.status).toBeLessThan(300);
      expect(repeated).toMatchObject({ status: original.status, body: original.body });
      expect([isReplayed(original), isReplayed(repeated)]).toEqual([false, true]);
    }
    expect(await messagesOf('reply')).toBe(1);
  });
});

function age(key: string, by: string): Promise<object[]> {
  return rowsOf(
    first.database,
    sql<object>`update idempotency set created_at = created_at - ${by}::interval where key = ${key}`,
  );
}

/** Stops whoever sends in the conversation inside its transaction. */
async function hold(conversationId: string): Promise<{ release: () => Promise<void> }> {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = second.database.transaction(async (tx) => {
    await sql`select 1 from conversation where id = ${conversationId} for update`.execute(tx.sql);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return {
    release: () => {
      released.resolve();
      return holding;
    },
  };
}

async function untilBlocked(applicationName: string): Promise<void> {
  const blocked = sql`pg_stat_activity where application_name = ${applicationName} and wait_event_type = 'Lock'`;
  await eventually(async () => (await countOf(second.database, blocked)) > 0, { what: 'a statement to wait' });
}
