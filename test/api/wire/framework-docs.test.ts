import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { createOpenApiDocument } from '../../../api/openapi.ts';
import { compact } from '../../../api/reference/compact.ts';
import { createRouting } from '../../../api/route/route.ts';
import { ERRORS } from '../../../domain/error.ts';
import { z } from 'zod';
import { ask, startDemo } from '../route/framework-app.ts';
import { routes as all } from '../../../api/routes.ts';
import { routes } from '../route/framework-routes.ts';
import type { Demo } from '../route/framework-app.ts';

/** Asks with `node:http`, because `fetch` decompresses what it reads. */
async function answered(path: string, accepted: string): Promise<{ encoding: string | undefined; bytes: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(demo.url + path, { headers: { 'accept-encoding': accepted } }, resolve).on('error', reject);
  const response = await promise;
  return { encoding: response.headers['content-encoding'], bytes: (await buffer(response)).length };
}

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

describe('the OpenAPI document', () => {
  test('is served as it is generated from the routes of the engine', async () => {
    const { body, headers } = await ask(demo, 'GET', '/openapi.json');
    expect(body).toEqual(compact(createOpenApiDocument(all)));
    expect(headers.get('content-type')).toContain('charset=utf-8');
  });

  test('has examples and each status for the reference', async () => {
    const { body, headers } = await ask(demo, 'GET', '/docs/reference.json');
    expect(body).toEqual(JSON.parse(JSON.stringify(createOpenApiDocument(all))));
    expect(headers.get('content-type')).toContain('charset=utf-8');
  });

  test.each(['/openapi.json', '/docs/reference.json'])('is compressed at %s', async (path) => {
    const sizes = await Promise.all(['identity', 'gzip', 'br'].map((encoding) => answered(path, encoding)));
    const [plain, ...compressed] = sizes.map(({ bytes }) => bytes);
    expect(sizes.map(({ encoding }) => encoding)).toEqual([undefined, 'gzip', 'br']);
    for (const bytes of compressed) expect(bytes).toBeLessThan((plain ?? 0) / 4);
  });

  test('describes parameters, bodies, keys, replies and problems', () => {
    const { paths, components } = createOpenApiDocument(routes);
    expect(paths?.['/api/v1/things/{id}']?.get).toMatchObject({
      operationId: 'things.readThingsId',
      security: [{ apiKey: ['read'] }],
      parameters: [
        { in: 'path', name: 'id', required: true },
        { in: 'query', name: 'agencyId' },
        { in: 'query', name: 'tenantId' },
      ],
      responses: {
        200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        409: { $ref: '#/components/responses/session_not_ready' },
        401: { $ref: '#/components/responses/unauthorized' },
      },
    });
    expect(components?.responses?.['session_not_ready']).toMatchObject({
      description: expect.stringContaining('session_not_ready'),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: { session_not_ready: { $ref: '#/components/examples/session_not_ready' } },
        },
      },
    });
    expect(paths?.['/api/v1/things']?.post).toMatchObject({
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/MakeThing' } } },
      },
      responses: { 202: {}, 413: {}, 415: {} },
    });
    expect(paths?.['/api/v1/things']?.get?.parameters).toContainEqual(
      expect.objectContaining({ name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 } }),
    );
    expect(paths?.['/v1/internal/things']?.get?.security).toEqual([{ psk: [] }]);
    expect(paths?.['/api/v1/things/{id}']?.delete?.responses?.['204']).toMatchObject({ description: 'Done.' });
    expect(Object.keys(Object(paths?.['/api/v1/qr']?.get?.responses?.['200']).content)).toContain('image/png');
    expect(components?.securitySchemes).toHaveProperty('apiKey');
  });

  test('cannot be made from a route that is declared twice or hides a parameter', () => {
    const [first] = routes;
    expect(() => createOpenApiDocument([...routes, ...(first ? [first] : [])])).toThrow('declared twice');
    const { defineRoute } = createRouting<undefined>();
    const hide = () =>
      defineRoute({
        method: 'GET',
        path: '/api/v1/things/:id',
        auth: 'public',
        operationId: 'things.hide',
        summary: 'Hides its parameter.',
        reply: z.object({}),
        handle: () => ({}),
      });
    expect(hide).toThrow('does not describe its parameters');
  });
});

describe('the pages', () => {
  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/favicon.ico', 'image/svg+xml'],
    ['/docs/words', 'text/html; charset=utf-8'],
    ['/docs/search?q=unread', 'text/html; charset=utf-8'],
    ['/docs/style.css', 'text/css; charset=utf-8'],
    ['/docs/snippets/verify.py', 'text/plain; charset=utf-8'],
    ['/docs/images/connect-link.png', 'image/png'],
    ['/docs/api', 'text/html; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['/docs/start.js', 'text/javascript; charset=utf-8'],
    ['/docs/errors', 'text/html; charset=utf-8'],
  ])('%s is %s and loads nothing from elsewhere', async (path, type) => {
    const { status, headers } = await ask(demo, 'GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy?.includes('unsafe-inline')).toBe(path === '/docs/api');
  });

  test('a page of the first release leads to the page that it became', async () => {
    const answer = await fetch(`${demo.url}/docs/beside`, { redirect: 'manual' });
    expect(answer.status).toBe(301);
    expect(answer.headers.get('location')).toBe('compare');
    expect((await ask(demo, 'GET', '/docs/compare')).status).toBe(200);
  });

  test('every error code has a page with its cause, what to do and an example, and no other', async () => {
    for (const [code, { title, cause, example }] of Object.entries(ERRORS)) {
      const { status, body } = await ask(demo, 'GET', `/docs/errors/${code}`);
      expect(status).toBe(200);
      expect(body).toContain(title);
      expect(body).toContain(cause.split(/[`'"&<>]/)[0]);
      expect(body).toContain(example.detail.split(/[`'"&<>]/)[0]);
    }
    for (const none of [
      '/docs/errors/constructor',
      '/docs/constructor',
      '/docs/snippets/x.py',
      '/docs/images/x.png',
      '/docs/package.json',
    ]) {
      expect((await ask(demo, 'GET', none)).status).toBe(404);
    }
  });

  test.each([
    ['/nowhere', 'docs'],
    ['/docs/nowhere', '../docs'],
    ['/api/v1/nowhere', '../../docs'],
  ])('a browser that asks for %s gets a page that leads on, and a program gets the problem', async (path, guides) => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const shown = await ask(demo, 'GET', path, { headers: { accept } });
    expect(shown.status).toBe(404);
    expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(shown.body).toContain(`href="${guides}"`);
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const { body } = await ask(demo, 'GET', path, { headers });
      // Below the prefix it may be a route of the backend, for which a program needs a key.
      const code = path.startsWith('/api/v1/') ? /^(unknown_route|unauthorized)$/ : /^(unknown_route|not_found)$/;
      expect(body).toMatchObject({ code: expect.stringMatching(code) });
    }
  });

  test('the page of an address that leads nowhere shows it as text', async () => {
    const { body } = await ask(demo, 'GET', '/docs/%3Cb%3E', { headers: { accept: 'text/html' } });
    expect(body).not.toContain('<b>');
  });

  test('a search shows what was searched for as text, and nothing that it brings', async () => {
    const { body } = await ask(demo, 'GET', `/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(body).not.toContain('<script');
    expect(body).toContain('&lt;script&gt;');
  });
});
