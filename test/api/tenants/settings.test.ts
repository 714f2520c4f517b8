import { describe, expect, it } from '@jest/globals';
import { RateLimits } from '../../../api/route/rate-limits.ts';
import { forgetLevels, spendUnits } from '../../../db/tenants/limits.ts';
import { run } from '../../../db/engine/rows.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { aScene } from '../webhooks/a-webhook-scene.ts';

const api = await apiOfThisFile('settings');
const acme = await aScene(api, 'acme');

describe('the webhook of a tenant', () => {
  it('is one, however many requests set it at once', async () => {
    const put = (body: object) => call(api, 'PUT', '/api/v1/tenants/race/settings', { key: acme.key, body });
    for (let round = 0; round < 5; round += 1) {
      await put({ webhookUrl: null, country: 'DE' });
      const urls = ['a', 'b', 'c', 'd'].map((path) => `http://127.0.0.1:9/${path}`);
      const answers = await Promise.all(urls.map((webhookUrl) => put({ webhookUrl })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  });
});

describe('the limits of an agency', () => {
  const PATH = '/api/v1/admin/dashboards/acme/limits';
  const limit = (body: object) => call(api, 'PATCH', PATH, { key: MASTER_KEY, body });
  const ask = () => call(api, 'GET', '/api/v1/webhooks/endpoints', { key: acme.key });

  it('are set by the operator, told in headers, and refuse what is too much', async () => {
    expect((await ask()).headers.get('ratelimit')).toBeNull();
    const set = await limit({ keyRatePerMinute: 1, keyRateBurst: 3 });
    expect(set.body).toMatchObject({
      own: { keyRatePerMinute: 1, keyRateBurst: 3 },
      effective: { keyRatePerMinute: 1, ratePerMinute: 0, share: 1 },
    });
    // A process remembers for a second what an agency may do.
    await eventually(async () => (await ask()).headers.has('ratelimit'), { what: 'the limits to act' });
    const answers = [];
    for (let asked = 0; asked < 3; asked += 1) answers.push(await ask());
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    const [, last, refused] = answers;
    expect(last?.headers.get('ratelimit-policy')).toBe('"key";q=3;w=180');
    expect(last?.headers.get('ratelimit')).toMatch(/^"key";r=0;t=1(79|80)$/);
    expect(refused?.body).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(55);
  });

  it('leave other agencies and the operator alone, and end when he takes them back', async () => {
    const other = await aScene(api, 'globex');
    for (let asked = 0; asked < 5; asked += 1) {
      expect((await call(api, 'GET', '/api/v1/webhooks/endpoints', { key: other.key })).status).toBe(200);
      expect((await call(api, 'GET', PATH, { key: MASTER_KEY })).status).toBe(200);
    }
    expect((await limit({ keyRatePerMinute: null, keyRateBurst: null })).body).toMatchObject({ own: {} });
    await eventually(async () => (await ask()).status === 200, { what: 'the limits to end' });
  });

  it('are read and changed with the master key alone, and of agencies that there are', async () => {
    expect((await call(api, 'GET', PATH, { key: acme.key })).status).toBe(403);
    expect((await call(api, 'PATCH', PATH, { key: acme.key, body: { share: 10 } })).status).toBe(403);
    const nobodys = PATH.replace('acme', 'nobody');
    expect((await call(api, 'GET', nobodys, { key: MASTER_KEY })).status).toBe(404);
    expect((await call(api, 'PATCH', nobodys, { key: MASTER_KEY, body: {} })).status).toBe(404);
    expect((await limit({ share: 11 })).status).toBe(422);
  });

  it('take nothing away when the clock of the database was set back', async () => {
    const rate = { perMinute: 600, burst: 100 };
    const take = () => api.database.statement((tx) => spendUnits(tx, [{ subject: 'key/ahead', units: 1, rate }]));
    await take();
    await api.database.statement(
      (tx) =>
        run(tx)`update request_rate set counted_at = counted_at + interval '1 minute' where subject = 'key/ahead'`,
    );
    expect((await take()).get('key/ahead')).toBeGreaterThan(90);
  });

  it('hold for all processes together, in one statement a second of each that counted something', async () => {
    const ceilings = {
      tokensPerDay: 0,
      costPerDay: 0,
      tenantTokensPerDay: 0,
      tenantCostPerDay: 0,
      tenants: 0,
      automationsRunning: 0,
      storageBytes: 0,
      tenantStorageBytes: 0,
      automationsPerMinute: 0,
    };
    const standard = { keyRatePerMinute: 6, keyRateBurst: 10, ratePerMinute: 0, rateBurst: 1, share: 1, ...ceilings };
    let statements = 0;
    const processes = [1, 2, 3].map(
      () =>
        new RateLimits({
          standard,
          limitsOf: async () => ({}),
          spend: (spent) => {
            statements += 1;
            return api.database.statement((tx) => spendUnits(tx, spent));
          },
          onError: (error) => {
            throw error;
          },
        }),
    );
    const who = { kind: 'dashboard', keyId: 'key_of_all', agencyId: 'acme', scopes: [] } as const;
    let admitted = 0;
    for (let asked = 0; asked < 60; asked += 1) {
      const process = processes[asked % processes.length];
      await process?.admit(who, 1).then(
        () => (admitted += 1),
        () => undefined,
      );
      if (asked % 3 === 2) await Promise.all(processes.map((each) => each.share()));
    }
    await Promise.all(processes.map((each) => each.close()));
    // Each process may take a burst before it hears of the others, and here they hear of each other after each request.
    expect(admitted).toBeGreaterThanOrEqual(10);
    expect(admitted).toBeLessThanOrEqual(12);
    expect(statements).toBeLessThanOrEqual(13);
    expect(await api.database.statement((tx) => forgetLevels(tx, new Date(Date.now() + 60_000), 10))).toBeGreaterThan(
      0,
    );
  });
});
