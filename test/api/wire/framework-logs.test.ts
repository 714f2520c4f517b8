import { describe, expect, test } from '@jest/globals';
import { ask, startDemo } from '../route/framework-app.ts';
import { slowRequest } from '../route/framework-routes.ts';

const SESSION = { key: 'session-of-acme-t1' };

describe('what fails unexpectedly', () => {
  test.each(['/api/v1/broken', '/api/v1/unfit'])(
    '%s is `internal`: logged with its stack, never shown',
    async (path) => {
      const demo = await startDemo();
      const { status, body } = await ask(demo, 'GET', path);
      expect(status).toBe(500);
      expect(body).toMatchObject({ code: 'internal' });
      expect(JSON.stringify(body)).not.toMatch(/postgres|ReplyMismatch|1\.5/);
      const logs = await demo.logs();
      const failure = logs.split('\n').find((line) => line.includes('request failed')) ?? '{}';
      expect(JSON.parse(failure)).toMatchObject({
        level: 'error',
        requestId: Object(body).requestId,
        err: { type: expect.any(String), stack: expect.stringContaining('at ') },
      });
    },
  );
});

describe('the request log', () => {
  test('has one line per request with the template and the key id, and nothing that a client wrote', async () => {
    const demo = await startDemo();
    await ask(demo, 'GET', '/api/v1/things/thg_canary1?_q=canary2', { ...SESSION, headers: { 'x-note': 'canary3' } });
    await ask(demo, 'POST', '/api/v1/things', { ...SESSION, body: { to: 'canary4', _canary5: 1 } });
    await ask(demo, 'GET', '/canary6/491700000000');
    const logs = await demo.logs();
    expect(logs).not.toMatch(/canary|4917|session-of-acme/);
    const lines = logs
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(lines).toEqual([
      expect.objectContaining({ method: 'GET', route: '/api/v1/things/:id', status: 404, keyId: 'key1' }),
      expect.objectContaining({ method: 'POST', route: '/api/v1/things', status: 202, ms: expect.any(Number) }),
      expect.objectContaining({ route: 'unmatched', status: 404 }),
    ]);
  });
});

describe('stopping', () => {
  test('lets a running request end and takes no new ones', async () => {
    const demo = await startDemo();
    const running = ask(demo, 'GET', '/api/v1/slow');
    await slowRequest.began.promise;
    const closing = demo.close();
    slowRequest.ends.resolve();
    expect(await running).toMatchObject({ status: 200, body: { done: true } });
    await closing;
    await expect(ask(demo, 'GET', '/livez')).rejects.toThrow();
  });
});
