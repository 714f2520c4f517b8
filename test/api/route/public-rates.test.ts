import { afterEach, describe, expect, test } from '@jest/globals';
import { PublicRates } from '../../../api/route/public-rates.ts';
import { ask, startDemo } from './framework-app.ts';
import type { Demo } from './framework-app.ts';

let demo: Demo | undefined;
afterEach(() => demo?.close());

const KEY = 'session-of-acme-t1';

async function start(trustedProxies = 0, perMinute = 3): Promise<Demo> {
  let nowMs = 0;
  demo = await startDemo({ trustedProxies, publicRates: new PublicRates(perMinute, () => (nowMs += 1)) });
  return demo;
}

/** The statuses of requests in turn. */
async function statuses(app: Demo, paths: readonly string[], headers: Record<string, string> = {}): Promise<number[]> {
  const found: number[] = [];
  for (const path of paths) found.push((await ask(app, 'GET', path, { headers })).status);
  return found;
}

const times = (count: number, path: string): string[] => Array.from({ length: count }, () => path);

describe('requests without a key', () => {
  test.each([
    ['a page', '/docs'],
    ['an unknown page', '/nowhere'],
    ['an unknown route of the API', '/api/v1/nowhere'],
    ['an unknown internal route', '/v1/internal/nowhere'],
    ['a public route of the API', '/api/v1/qr'],
    ['the console', '/favicon.ico'],
    ['an unknown address of a workflow', '/hooks/nowhere'],
  ])('for %s are refused after so many of one address', async (_what, path) => {
    const answers = await statuses(await start(), times(5, path));
    expect(answers.filter((status) => status === 429)).toHaveLength(2);
    expect(answers.slice(-2)).toEqual([429, 429]);
  });

  test('get the seconds to wait, as a problem', async () => {
    const app = await start();
    await statuses(app, times(3, '/docs'));
    const { status, headers, body } = await ask(app, 'GET', '/docs');
    expect(status).toBe(429);
    expect(headers.get('retry-after')).toBe('20');
    expect(body).toMatchObject({ code: 'rate_limited', detail: expect.stringContaining('without a key') });
  });

  test('take nothing from those with a key, nor from supervisors', async () => {
    const app = await start();
    await statuses(app, times(4, '/docs'));
    expect((await ask(app, 'GET', '/api/v1/things/thg_1', { key: KEY })).status).toBe(200);
    expect(await statuses(app, [...times(4, '/livez'), ...times(4, '/readyz')])).toEqual(Array(8).fill(200));
    // A key in the header opens no page beyond the bound.
    expect((await ask(app, 'GET', '/docs', { key: KEY })).status).toBe(429);
  });

  test('that carry a secret count only with a wrong one', async () => {
    const app = await start();
    const right = { authorization: 'Bearer right' };
    const five = times(5, '/api/v1/doorbell');
    expect(await statuses(app, five, right)).toEqual(Array(5).fill(200));
    expect(await statuses(app, five)).toEqual([401, 401, 401, 429, 429]);
    expect(await statuses(app, five, right)).toEqual(Array(5).fill(200));
    expect(await statuses(app, ['/docs'])).toEqual([429]);
  });

  test('cost more where they cost more: a search is worth twenty pages, ten files one', async () => {
    const app = await start(0, 41);
    expect(await statuses(app, times(3, '/docs/search?q=key'))).toEqual([200, 200, 429]);
    const files = await statuses(app, times(12, '/media/msg_1/forged'));
    expect(files.filter((status) => status === 404).length).toBeGreaterThanOrEqual(9);
    expect(files.at(-1)).toBe(429);
  });

  test('are counted by the address that the trusted proxies have seen, whatever the client writes', async () => {
    const app = await start(1);
    const from = (address: string, path = '/docs') => statuses(app, [path], { 'x-forwarded-for': address });
    for (const forged of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      expect(await from(`${forged}, 203.0.113.7`)).toEqual([200]);
    }
    expect(await from('198.51.100.4, 203.0.113.7')).toEqual([429]);
    expect(await from('203.0.113.8')).toEqual([200]);
  });

  test('are counted by the second last address behind two proxies', async () => {
    const app = await start(2);
    const from = (addresses: string) => statuses(app, ['/docs'], { 'x-forwarded-for': addresses });
    for (const forged of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
      expect(await from(`${forged}, 203.0.113.7, 192.0.2.1`)).toEqual([200]);
    }
    expect(await from('203.0.113.7, 192.0.2.1')).toEqual([429]);
    expect(await from('203.0.113.7, 203.0.113.9, 192.0.2.1')).toEqual([200]);
  });

  test('are counted by the connection where no proxy is trusted', async () => {
    const app = await start();
    for (let i = 1; i <= 3; i += 1) {
      expect(await statuses(app, ['/docs'], { 'x-forwarded-for': `203.0.113.${i}` })).toEqual([200]);
    }
    expect(await statuses(app, ['/docs'], { 'x-forwarded-for': '203.0.113.4' })).toEqual([429]);
    expect(await app.logs()).toContain('TRUSTED_PROXIES');
    demo = undefined;
  });

  test('are forgotten with a minute of quiet', () => {
    let nowMs = 0;
    const rates = new PublicRates(2, () => nowMs);
    const admit = () => rates.admit({ ip: '203.0.113.7', path: '/docs', method: 'GET' });
    admit();
    admit();
    expect(admit).toThrow('without a key');
    nowMs = 30_000;
    admit();
    expect(admit).toThrow('without a key');
  });
});
