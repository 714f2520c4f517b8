import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BACKEND_ROUTES } from '../../../api/passthrough/table/table.ts';
import { ask, startDemo } from '../route/framework-app.ts';
import type { Demo } from '../route/framework-app.ts';
import { startBackend } from './framework-backend.ts';
import type { FakeBackend } from './framework-backend.ts';

const SESSION = { key: 'session-of-acme-t1' };
const INSIDE = 'http://127.0.0.1:9/latest/meta-data';
const chatId = '15550100001@c.us';

let backend: FakeBackend;
let demo: Demo;
beforeAll(async () => {
  backend = await startBackend();
  demo = await startDemo({ backendUrl: backend.url });
});
afterAll(async () => {
  await demo.close();
  await backend.close();
});
beforeEach(() => {
  backend.requests.length = 0;
});

const rows = Object.values(BACKEND_ROUTES).flat();
const withFile = rows.filter(({ files, who }) => files.length > 0 && who === 'client');
const pathOf = (path: string): string => path.replace('{session}', 'ses_1').replaceAll(/\{\w+\}/g, 'x');

/** A body with the value where the route takes a file. */
function bodyWith(place: string, value: unknown): Record<string, unknown> {
  const body = place.split('.').reduceRight<unknown>((inner, name) => (name === '' ? inner : { [name]: inner }), value);
  return { chatId, ...(typeof body === 'object' ? body : {}) };
}

describe('what the backend would fetch', () => {
  const places = withFile.flatMap(({ method, path, files }) => files.map((place) => ({ method, path, place })));

  test.each(places)('is refused as a file of $method $path in any other form', async ({ method, path, place }) => {
    const values = [
      ...(place === '' ? [] : [[{ url: INSIDE }], INSIDE, [INSIDE]]),
      { url: [INSIDE] },
      { url: { href: INSIDE } },
      { Url: INSIDE },
      { data: { url: INSIDE } },
    ];
    for (const value of values) {
      const answer = await ask(demo, method, pathOf(path), { ...SESSION, body: bodyWith(place, value) });
      expect([value, answer.status, answer.body]).toMatchObject([value, 422, { code: 'invalid_request' }]);
    }
    expect(backend.requests).toEqual([]);
  });

  test('is no address of a text: no route lets the backend make a preview', async () => {
    const status = '/api/ses_1/status/text';
    for (const [method, path] of [
      ['POST', status],
      ['PUT', '/api/ses_1/chats/x/messages/y'],
    ] as const) {
      for (const more of [{}, { linkPreview: true, linkPreviewHighQuality: true }]) {
        await ask(demo, method, path, { ...SESSION, body: { text: `look ${INSIDE}`, ...more } });
        const body: unknown = JSON.parse((await backend.requests.at(-1)?.body) ?? '{}');
        expect([path, body]).toMatchObject([path, { linkPreview: false, linkPreviewHighQuality: false }]);
      }
    }
    backend.requests.length = 0;
    const preview = await ask(demo, 'POST', '/api/sendLinkPreview', { ...SESSION, body: { chatId, url: INSIDE } });
    expect(preview).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(backend.requests).toEqual([]);
  });
});

describe('a name in a body that is too large to be read as a whole', () => {
  test.each(['url', 'Url', 'SESSION', 'tenantid'])('is refused in any letters: %s', async (name) => {
    const body = { file: { [name]: INSIDE, data: 'x'.repeat(1_200_000) } };
    const answer = await ask(demo, 'PUT', '/api/ses_1/profile/picture', { ...SESSION, body });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  });
});

describe('a file in a body that is too large to be read as a whole', () => {
  const streamedOnes = withFile
    .filter(({ path }) => path.includes('{session}'))
    .flatMap(({ method, path, files }) => files.map((place) => ({ method, path, place })));
  const LARGE = 'x'.repeat(1_200_000);
  /** The text of a body, so that a name may stand there twice, with the file before or after what makes it large. */
  const textsWith = (place: string, value: unknown): string[] => {
    const inner = JSON.stringify(bodyWith(place, value)).slice(1, -1);
    const good = place === '' ? '' : `${JSON.stringify(bodyWith(place, { data: 'AA==' })).slice(1, -1)},`;
    return [`{"pad":"${LARGE}",${inner}}`, `{${inner},"pad":"${LARGE}"}`, `{${good}"pad":"${LARGE}", ${inner} }`];
  };

  test.each(streamedOnes)('is judged at $method $path as a small one is', async ({ method, path, place }) => {
    const values = [
      ...(place === '' ? [] : [INSIDE, [INSIDE], [{ data: 'AA==' }], 7, true, [[]], []]),
      { data: { href: INSIDE } },
      { data: [INSIDE] },
      { mimetype: 'image/png', more: { data: 'AA==' } },
    ];
    for (const body of values.flatMap((value) => textsWith(place, value))) {
      const headers = { 'content-type': 'application/json' };
      const answer = await ask(demo, method, pathOf(path), { ...SESSION, body, headers });
      expect([body.replace(LARGE, '…'), answer.status]).toEqual([body.replace(LARGE, '…'), 422]);
    }
    const upper = place === '' ? [] : textsWith(place.toUpperCase(), { data: 'AA==' });
    for (const body of [...upper, `[${textsWith(place, { data: 'AA==' }).at(0)}]`]) {
      const headers = { 'content-type': 'application/json' };
      const answer = await ask(demo, method, pathOf(path), { ...SESSION, body, headers });
      expect(answer.status).toBe(422);
    }
  });

  test.each([
    ['levels', `{"a":${'['.repeat(65)}${']'.repeat(65)}`],
    ['names', `{${Array.from({ length: 257 }, (_, at) => `"n${at}":1`).join(',')}`],
    ['items', `{"a":[${'1,'.repeat(2_000)}1]`],
  ])('has no more %s than a small one', async (_what, beginning) => {
    const body = `${beginning},"pad":"${LARGE}"}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await ask(demo, 'PUT', '/api/ses_1/profile/picture', { ...SESSION, body, headers });
    expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
  });

  test.each(streamedOnes)('reaches the backend of $method $path as it is', async ({ method, path, place }) => {
    const file = { mimetype: 'image/png', filename: 'a "b\\c": {[,]}.png', data: LARGE };
    const more = { deep: [{ file: { a: [1, null, true, 'x: {'] } }], none: null };
    const body = { ...bodyWith(place, file), ...(place === '' ? {} : more) };
    await ask(demo, method, pathOf(path), { ...SESSION, body });
    expect(JSON.parse((await backend.requests.at(-1)?.body) ?? '{}')).toEqual(body);
  });
});

describe('a name in a body', () => {
  test.each(['Session', 'SESSION', 'TenantId', 'agencyid', 'Actor', 'LinkPreview'])(
    'that differs from a known one only in case is refused: %s',
    async (name) => {
      const answer = await ask(demo, 'POST', '/api/startTyping', {
        ...SESSION,
        body: { chatId, [name]: 'wa_globex_t1' },
      });
      expect(answer).toMatchObject({ status: 422, body: { code: 'invalid_request' } });
      expect(backend.requests).toEqual([]);
    },
  );

  test('that the engine does not know is passed on', async () => {
    await ask(demo, 'POST', '/api/startTyping', { ...SESSION, body: { chatId, Sessions: 'x', other: { Any: 1 } } });
    expect(JSON.parse((await backend.requests.at(-1)?.body) ?? '{}')).toMatchObject({
      Sessions: 'x',
      other: { Any: 1 },
    });
  });
});
