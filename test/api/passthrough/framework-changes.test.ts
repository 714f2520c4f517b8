import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { ask, startDemo } from '../route/framework-app.ts';
import type { Demo } from '../route/framework-app.ts';
import { startBackend } from './framework-backend.ts';
import type { FakeBackend } from './framework-backend.ts';

const SESSION = { key: 'session-of-acme-t1' };
const PICTURE = Buffer.from('a picture');
const SENT = { id: 'true_15550100001@c.us_3EB0AA' };

let backend: FakeBackend;
let demo: Demo;
beforeAll(async () => {
  backend = await startBackend((url, response) => {
    const status = url.includes('/refuses') ? 422 : 201;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        url.startsWith('/api/sessions/')
          ? {
              name: 'wa_acme_t1',
              status: 'WORKING',
              config: {
                metadata: { a: 'b' },
                webhooks: [{ url: 'http://engine/', hmac: { key: 'secret' } }],
                proxy: { password: 'secret' },
              },
              assignedWorker: 'w1',
            }
          : SENT,
      ),
    );
  });
  demo = await startDemo({ backendUrl: backend.url, files: { 'https://files.test/a.jpg': PICTURE } });
});
afterAll(async () => {
  await demo.close();
  await backend.close();
});
beforeEach(() => {
  backend.requests.length = 0;
  demo.passed.length = 0;
  demo.acted.length = 0;
  demo.proxied.length = 0;
});

/** Returns the last request at the backend: its route and its body. */
async function reached(): Promise<[string, unknown]> {
  const last = backend.requests.at(-1);
  const body = (await last?.body) ?? '';
  return [`${last?.method} ${last?.url}`, body === '' ? undefined : JSON.parse(body)];
}

describe('a change by a client of the backend', () => {
  test.each(['wa_acme_t1', 'ses_1', 'default', undefined])(
    'goes to the own session when the body names it %s',
    async (session) => {
      const body = { chatId: '15550100001@c.us', session };
      expect((await ask(demo, 'POST', '/api/startTyping', { ...SESSION, body })).status).toBe(201);
      expect(await reached()).toEqual(['POST /api/startTyping', { session: 'wa_acme_t1', chatId: '15550100001@c.us' }]);
    },
  );

  test.each([
    [
      'PUT',
      '/api/reaction',
      { messageId: 'm', reaction: '+' },
      { session: 'wa_acme_t1', messageId: 'm', reaction: '+' },
    ],
    ['PUT', '/api/default/profile/name', { name: 'Shop' }, { name: 'Shop' }],
    ['POST', '/api/ses_1/chats/1@c.us/archive', undefined, undefined],
    ['DELETE', '/api/ses_1/chats/1@c.us', undefined, undefined],
    ['PUT', '/api/v1/default/labels/chats/1@c.us', { labels: [{ id: '1' }] }, { labels: [{ id: '1' }] }],
    [
      'POST',
      '/api/default/status/text',
      { text: 'Open' },
      { text: 'Open', linkPreview: false, linkPreviewHighQuality: false },
    ],
  ])('%s %s is passed on with the body that the backend knows', async (method, path, body, passed) => {
    expect((await ask(demo, method, path, { ...SESSION, ...(body === undefined ? {} : { body }) })).status).toBe(201);
    const [route, arrived] = await reached();
    expect(route).toBe(`${method} ${path.replace('/v1', '').replace(/default|ses_1/, 'wa_acme_t1')}`);
    expect(arrived).toEqual(passed);
  });

  test.each([
    ['/api/startTyping', { session: 'wa_globex_t1' }],
    ['/api/startTyping', { session: 'nobody' }],
    ['/api/startTyping?session=ses_1', { session: 'wa_globex_t1' }],
    ['/api/ses_1/labels', { session: 'wa_globex_t1', name: 'a' }],
    ['/api/startTyping', { agencyId: 'globex' }],
  ])("%s of another tenant's session is 404: %j", async (path, body) => {
    expect(await ask(demo, 'POST', path, { ...SESSION, body })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(backend.requests).toEqual([]);
  });

  test.each([
    ['{"session":"wa_globex_t1","session":"wa_acme_t1","chatId":"1@c.us"}', 201],
    ['{"session":"wa_acme_t1","session":"wa_globex_t1","chatId":"1@c.us"}', 404],
    ['{"session":{"a":1},"chatId":"1@c.us"}', 422],
    ['{"session":["wa_acme_t1"],"chatId":"1@c.us"}', 422],
    ['[{"session":"wa_globex_t1"}]', 400],
    ['"wa_globex_t1"', 400],
  ])('reads a session that stands twice, or in another form, as the engine has judged it: %s', async (body, status) => {
    const headers = { 'content-type': 'application/json' };
    expect((await ask(demo, 'POST', '/api/stopTyping', { ...SESSION, body, headers })).status).toBe(status);
    for (const request of backend.requests)
      expect(await request.body).toBe('{"session":"wa_acme_t1","chatId":"1@c.us"}');
  });

  test('is refused as a form, whose fields the engine does not judge', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await ask(demo, 'POST', '/api/startTyping', { ...SESSION, headers, body: 'session=wa_globex_t1' });
    expect(answer).toMatchObject({ status: 415 });
    expect(backend.requests).toEqual([]);
  });

  test('shows a session without its webhooks, its proxy and their secrets', async () => {
    const answer = await ask(demo, 'GET', '/api/sessions/default', SESSION);
    expect(answer.body).toEqual({ name: 'wa_acme_t1', status: 'WORKING', config: { metadata: { a: 'b' } } });
    expect((await ask(demo, 'HEAD', '/api/sessions/default', SESSION)).body).toBe('');
  });

  test('HEAD asks the backend for the head alone', async () => {
    expect(await ask(demo, 'HEAD', '/api/default/chats', SESSION)).toMatchObject({ status: 201, body: '' });
    expect(backend.requests.map(({ method }) => method)).toEqual(['HEAD']);
  });
});

describe('a file that a body brings', () => {
  test('by its address is fetched by the engine, never by the backend', async () => {
    const body = { file: { url: 'https://files.test/a.jpg', mimetype: 'image/jpeg' } };
    expect((await ask(demo, 'PUT', '/api/default/profile/picture', { ...SESSION, body })).status).toBe(201);
    const file = { mimetype: 'image/jpeg', data: PICTURE.toString('base64') };
    expect(await reached()).toEqual(['PUT /api/wa_acme_t1/profile/picture', { file }]);
  });

  test.each([
    ['/api/default/media/convert/voice', { url: 'http://169.254.169.254/' }],
    ['/api/default/channels', { name: 'a', picture: { url: 'http://10.0.0.1/' } }],
    ['/api/send/link-custom-preview', { chatId: '1@c.us', preview: { image: { url: 'http://localhost/' } } }],
  ])('by an address that may not be fetched is refused: %s', async (path, body) => {
    expect(await ask(demo, 'POST', path, { ...SESSION, body })).toMatchObject({ body: { code: 'media_unavailable' } });
    expect(backend.requests).toEqual([]);
    expect(demo.passed).toEqual([]);
  });

  test.each([
    ['PUT', '/api/default/profile/picture', { file: { url: ['http://10.0.0.1/'] } }],
    ['POST', '/api/default/media/convert/voice', { url: [['http://10.0.0.1/']] }],
    ['POST', '/api/sendImage', { chatId: '1@c.us', file: { url: { href: 'http://10.0.0.1/' }, data: 'eA==' } }],
  ])('by an address that is no text is refused: %s %s', async (method, path, body) => {
    expect(await ask(demo, method, path, { ...SESSION, body })).toMatchObject({ status: 422 });
    expect(backend.requests).toEqual([]);
  });

  test('by its address in a body of unknown length takes one place, not two', async () => {
    const body = { chatId: '1@c.us', preview: { image: { url: 'https://files.test/a.jpg' } } };
    const answer = await fetch(`${demo.url}/api/send/link-custom-preview`, {
      method: 'POST',
      headers: { 'x-api-key': SESSION.key, 'content-type': 'application/json' },
      body: new Blob([JSON.stringify(body)]).stream(),
      duplex: 'half',
    });
    expect(answer.status).toBe(201);
    const image = { data: PICTURE.toString('base64') };
    expect((await reached())[1]).toEqual({ session: 'wa_acme_t1', chatId: '1@c.us', preview: { image } });
  });

  const large = 'x'.repeat(2 * 1_048_576);

  test('as itself goes on while it comes', async () => {
    const body = JSON.stringify({ file: { data: large, mimetype: 'image/jpeg', filename: 'say "url": \\' } });
    const headers = { 'content-type': 'application/json' };
    const answer = await ask(demo, 'PUT', '/api/default/profile/picture', { ...SESSION, body, headers });
    expect(answer.status).toBe(201);
    expect(await backend.requests[0]?.body).toBe(body);
  });

  test.each([
    ['an address', `{"file":{"data":"${large}","url":"http://10.0.0.1/"}}`],
    ['a session', `{"file":{"data":"${large}"},"session" \n :"wa_globex_t1"}`],
    ['a name in disguise', `{"file":{"data":"${large}","\\u0075rl":"http://10.0.0.1/"}}`],
  ])('is broken off at %s behind a large one', async (_what, body) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await ask(demo, 'PUT', '/api/default/profile/picture', { ...SESSION, body, headers });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
    for (const request of backend.requests) await expect(request.body).rejects.toThrow();
  });
});

describe('a message by a route of the backend', () => {
  const poll = { session: 'default', chatId: '15550100001@c.us', poll: { name: 'Tea?', options: ['yes', 'no'] } };

  test('that the queue does not know is noted before it is passed on, and concluded by its answer', async () => {
    const answer = await ask(demo, 'POST', '/api/sendPoll', { ...SESSION, body: poll });
    expect(answer).toMatchObject({ status: 201, body: SENT });
    expect(demo.passed).toMatchObject([
      {
        asked: { path: '/api/sendPoll', actor: 'person', keyId: 'key1', session: { id: 'ses_1' } },
        outcome: { outcome: 'sent', networkId: '3EB0AA', chatId: '15550100001@c.us' },
      },
    ]);
  });

  test("is a person's unless it says that a bot speaks, which the backend does not get to read", async () => {
    await ask(demo, 'POST', '/api/sendPoll', { ...SESSION, body: { ...poll, actor: 'bot' } });
    await ask(demo, 'POST', '/api/sendPoll?actor=bot', { ...SESSION, body: poll });
    expect(demo.passed.map(({ asked }) => asked.actor)).toEqual(['bot', 'bot']);
    expect(await reached()).toEqual(['POST /api/sendPoll', { ...poll, session: 'wa_acme_t1' }]);
    const other = await ask(demo, 'POST', '/api/sendPoll', { ...SESSION, body: { ...poll, actor: 'me' } });
    expect(other).toMatchObject({ status: 422, body: { errors: [{ pointer: '/actor' }] } });
  });

  test('whose answer is lost is known to be lost, and one that was refused is forgotten', async () => {
    const away = await startDemo({ backendUrl: 'http://127.0.0.1:9' });
    expect((await ask(away, 'POST', '/api/sendPoll', { ...SESSION, body: poll })).status).toBe(502);
    expect(away.passed).toMatchObject([{ outcome: { outcome: 'refused' } }]);
    await away.close();
    const silent = await startBackend(() => undefined);
    const slow = await startDemo({ backendUrl: silent.url, limits: { changeMs: 50 } });
    expect((await ask(slow, 'POST', '/api/sendPoll', { ...SESSION, body: poll })).status).toBe(504);
    expect(slow.passed).toMatchObject([{ outcome: { outcome: 'unknown' } }]);
    await slow.close();
    await silent.close();
  });

  test('is answered as the backend answers it, although its end cannot be written', async () => {
    const failing = await startDemo({ backendUrl: backend.url, concludes: false });
    expect(await ask(failing, 'POST', '/api/sendPoll', { ...SESSION, body: poll })).toMatchObject({
      status: 201,
      body: SENT,
    });
    expect(await failing.logs()).toContain('could not be stored');
  });

  test('that the queue knows is answered by the queue', async () => {
    const queue = await startDemo({
      backendUrl: backend.url,
      queue: ({ fields }) => ({ status: 201, body: { text: fields['text'] }, headers: { location: '/status' } }),
    });
    const body = { session: 'default', chatId: '15550100001@c.us', text: 'Hello' };
    const answer = await ask(queue, 'POST', '/api/sendText', { ...SESSION, body });
    expect(answer).toMatchObject({ status: 201, body: { text: 'Hello' } });
    expect(answer.headers.get('location')).toBe('/status');
    expect(backend.requests).toEqual([]);
    await eventually(() => queue.proxied[0], { what: 'the record' });
    expect(queue.proxied).toMatchObject([{ method: 'POST', route: '/api/sendText', status: 201 }]);
    await queue.close();
  });
});

describe('an edit, a deletion or a reaction by a route of the backend', () => {
  const message = '/api/default/chats/15550100001@c.us/messages/true_15550100001@c.us_3EB0AA';
  const reaction = { session: 'default', messageId: 'true_15550100001@c.us_3EB0AA', reaction: '👍' };

  test.each([
    ['PUT', '/api/reaction', reaction],
    ['PUT', message, { text: 'At 5' }],
    ['DELETE', message, undefined],
  ])('is noted as the act of the bot that it names, and concluded by the answer: %s %s', async (method, path, body) => {
    const options = body === undefined ? SESSION : { ...SESSION, body };
    expect((await ask(demo, method, `${path}?actor=bot`, options)).status).toBe(201);
    const [route] = await reached();
    expect(route).toBe(`${method} ${path.replace('default', 'wa_acme_t1')}`);
    const asked = { method, actor: 'bot', keyId: 'key1', session: { id: 'ses_1' }, fields: body ?? {} };
    await eventually(() => demo.acted[0]?.outcome !== undefined, { what: 'the conclusion' });
    expect(demo.acted).toMatchObject([{ asked, outcome: 'done' }]);
    expect(demo.passed).toEqual([]);
  });

  test.each([
    ['PUT', '/api/reaction', reaction],
    ['PUT', message, { text: 'At 5' }],
    ['DELETE', message, undefined],
  ])('needs the scope send, as our own routes do: %s %s', async (method, path, body) => {
    const key = 'session-of-acme-t1-without-send';
    const refused = await ask(demo, method, path, body === undefined ? { key } : { key, body });
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('send') } });
    expect([backend.requests, demo.acted]).toEqual([[], []]);
  });

  test("is a person's where it names nobody, and refused where it names somebody else", async () => {
    expect((await ask(demo, 'PUT', '/api/reaction', { ...SESSION, body: reaction })).status).toBe(201);
    expect(demo.acted).toMatchObject([{ asked: { actor: 'person' } }]);
    const other = await ask(demo, 'PUT', '/api/reaction', { ...SESSION, body: { ...reaction, actor: 'me' } });
    expect(other).toMatchObject({ status: 422, body: { errors: [{ pointer: '/actor' }] } });
    expect(demo.acted).toHaveLength(1);
  });

  test('is forgotten when the backend has not done it, and left open when nobody knows', async () => {
    const away = await startDemo({ backendUrl: 'http://127.0.0.1:9' });
    expect((await ask(away, 'PUT', '/api/reaction', { ...SESSION, body: reaction })).status).toBe(502);
    expect(away.acted).toMatchObject([{ outcome: 'refused' }]);
    await away.close();
    const silent = await startBackend(() => undefined);
    const slow = await startDemo({ backendUrl: silent.url, limits: { changeMs: 50 } });
    expect((await ask(slow, 'PUT', '/api/reaction', { ...SESSION, body: reaction })).status).toBe(504);
    expect(slow.acted).toMatchObject([{ outcome: 'unknown' }]);
    await slow.close();
    await silent.close();
  });
});
