import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCleanUp } from '../../../db/maintenance.ts';
import { startApiOn } from '../../support/api.ts';
import { addRow, countRows, deleteRows, findRow, json } from '../../support/rows.ts';
import {
  aConversation,
  age,
  as,
  aText,
  databaseUrl,
  first,
  hold,
  isReplayed,
  messagesOf,
  post,
  second,
  SEND,
  sessionKey,
  startScene,
  stopScene,
  untilBlocked,
} from './idempotency-scene.ts';

beforeAll(startScene);
afterAll(stopScene);

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
  });

  it('make one message also when the lock was free a moment too late to see the answer', async () => {
    const body = aText('overtaken');
    const original = await post(SEND, { body, idempotencyKey: 'overtaken' });
    const { headers, ...answer } = await findRow(first.database, 'idempotency', { key: 'overtaken' });
    await deleteRows(first.database, 'idempotency', { key: 'overtaken' });
    // The row is there and not yet committed, as no lock says.
    const written = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const other = second.database.transaction(async (tx) => {
      await addRow(tx, 'idempotency', { ...answer, headers: json(headers) });
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
  it('means the same request whatever stands under names with _, which no route reads', async () => {
    const body = aText('noted');
    const first = await post(SEND, { body: { ...body, _sentAt: 1 }, idempotencyKey: 'noted' });
    const again = await post(SEND, { body: { ...body, _sentAt: 2 }, idempotencyKey: 'noted' });
    expect(again).toMatchObject({ status: 202, body: first.body });
    expect(isReplayed(again)).toBe(true);
  });

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
      await post('/api/v1/sessions', { body: { name: 'everywhere' }, idempotencyKey: 'everywhere', ...as('t2') }),
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
    // Also before the clean-up has come to it.
    const overdue = { body: aText('overdue'), idempotencyKey: 'overdue' };
    await post(SEND, overdue);
    await age('overdue', '49 hours');
    expect(isReplayed(await post(SEND, overdue))).toBe(false);
    expect(isReplayed(await post(SEND, overdue))).toBe(true);
    await createCleanUp(first.database)();
    expect(await countRows(first.database, 'idempotency', { key: ['old', 'young'] })).toBe(1);
    expect(isReplayed(await post(SEND, { body, idempotencyKey: 'young' }))).toBe(true);
    expect(isReplayed(await post(SEND, { body, idempotencyKey: 'old' }))).toBe(false);
  });
});
