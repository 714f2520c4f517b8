import { afterEach, describe, expect, it } from '@jest/globals';
import { Engine } from '../../../packages/typescript/src/index.ts';
import { cut, ok, refused, scriptedServer } from './scripted.ts';

type Server = Awaited<ReturnType<typeof scriptedServer>>;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(
  ...script: Parameters<typeof scriptedServer>[0]
): Promise<{ client: Engine; heard: Server['heard']; url: string }> {
  const server = await scriptedServer(script);
  servers.push(server);
  return { client: new Engine({ url: server.url, key: 'k' }), heard: server.heard, url: server.url };
}
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a request that may succeed later', () => {
  it('is repeated with the key that it had', async () => {
    const { client, heard } = await serve(cut, refused(503, 'unavailable'), ok({ messageId: 'msg_1' }));
    expect(await client.messages.send({ to: '1', text: 'a' })).toEqual({ messageId: 'msg_1' });
    expect(heard).toHaveLength(3);
    expect(new Set(heard.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(heard.map(({ body }) => body))).toEqual(new Set(['{"to":"1","text":"a"}']));
  });

  it('waits as long as the engine says, but not past its deadline', async () => {
    const { client, heard } = await serve(refused(429, 'rate_limited', { 'retry-after': '1' }), ok({ chats: [] }));
    const began = performance.now();
    await client.conversations.list();
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
    expect(heard).toHaveLength(2);
    const late = await serve(refused(429, 'rate_limited', { 'retry-after': '60' }));
    expect(await failure(late.client.conversations.read('c', {}, { deadlineMs: 5_000 }))).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 60_000,
      attempts: 1,
    });
  });

  it('is given up after so many attempts, and says how many', async () => {
    const { client, heard } = await serve(refused(500, 'internal'));
    expect(await failure(client.health.read({ retries: 1 }))).toMatchObject({ code: 'internal', attempts: 2 });
    expect(await failure(client.health.read({ retries: 0 }))).toMatchObject({ code: 'internal', attempts: 1 });
    expect(heard).toHaveLength(3);
  });
});

describe('a request that is not repeated', () => {
  it('is one that does something again', async () => {
    const { client, heard } = await serve(cut);
    expect(await failure(client.sessions.restart('ses_1'))).toMatchObject({ code: 'unreachable', attempts: 1 });
    expect(heard).toHaveLength(1);
  });

  it('unless the engine says that it was not done', async () => {
    const { client, heard } = await serve(refused(429, 'rate_limited'), ok({ status: 'STARTING' }));
    await client.sessions.restart('ses_1');
    expect(heard).toHaveLength(2);
  });

  it('is one whose key was used for another', async () => {
    const { client, heard } = await serve(refused(422, 'idempotency_key_reused'));
    const error = await failure(client.messages.send({ text: 'a' }, { idempotencyKey: 'mine' }));
    expect(error).toMatchObject({ code: 'idempotency_key_reused', idempotencyKey: 'mine' });
    expect(heard).toHaveLength(1);
  });
});

describe('an attempt', () => {
  it('ends at its time, and the call when its caller says so', async () => {
    const { client, heard } = await serve(() => undefined);
    expect(await failure(client.health.read({ timeoutMs: 50, retries: 1 }))).toMatchObject({
      code: 'timed_out',
      attempts: 2,
    });
    // On a busy machine an attempt may end before the server has heard of it.
    expect(heard.length).toBeLessThanOrEqual(2);
    const leaving = new AbortController();
    const call = failure(client.health.read({ signal: leaving.signal }));
    leaving.abort(new Error('Enough.'));
    expect(await call).toEqual(new Error('Enough.'));
  });

  it('takes no page of a proxy for an answer, and follows no redirect with a key', async () => {
    const { client, heard } = await serve(
      (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>'),
      (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    expect(await failure(client.health.read())).toMatchObject({ code: 'unexpected_answer', status: 200 });
    expect(await failure(client.health.read())).toMatchObject({ code: 'unexpected_answer', status: 302 });
    expect(heard).toHaveLength(2);
  });
});

describe('who calls', () => {
  it('is said by a key, by the pre-shared key where the route takes that, or by a cookie with a header no form can send', async () => {
    const { client, heard, url } = await serve(ok({ agencies: [], hasMore: false, nextCursor: null }));
    await client.health.read();
    await new Engine({ url, key: 'k', psk: 'p' }).dashboards.list();
    const page = new Engine({ url, cookie: true });
    await page.health.read();
    await page.sessions.restart('ses_1');
    const said = heard.map(({ headers }) => [headers['x-api-key'], headers.authorization, headers['x-requested-with']]);
    expect(said).toEqual([
      ['k', undefined, undefined],
      [undefined, 'PSK p', undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, 'engine-console'],
    ]);
    expect(() => new Engine({ key: 'k' })).toThrow('url');
  });
});
