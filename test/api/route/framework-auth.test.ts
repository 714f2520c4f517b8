import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MASTER_KEY, PSK, ask, startDemo } from './framework-app.ts';
import type { Demo } from './framework-app.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

const SESSION = { key: 'session-of-acme-t1' };
const DASHBOARD = { key: 'dashboard-of-acme' };

describe("a request with the operator's key", () => {
  test.each(['tenant', 'agency', 'client'])(
    'counts to the agency that it names on a route of kind %s',
    async (kind) => {
      const waitingOf = async (agencyId: string) =>
        (await ask(demo, 'GET', `/api/v1/places/${kind}?agencyId=${agencyId}&tenantId=t1`, { key: MASTER_KEY })).body;
      expect(await waitingOf('acme')).toEqual({ waiting: 1 });
      expect(await waitingOf('globex')).toEqual({ waiting: 0 });
    },
  );

  test('counts to nobody on a route of the operator', async () => {
    const answer = await ask(demo, 'GET', '/api/v1/places/master', { key: MASTER_KEY });
    expect(answer.body).toEqual({ waiting: 0 });
  });
});

test('a request of a route that stops something goes before the others of its agency', async () => {
  const answer = await ask(demo, 'GET', '/api/v1/places/first', SESSION);
  expect(answer.body).toEqual({ order: ['running', 'running', 'request', 'earlier'] });
});

describe('a tenant route', () => {
  test("gives a session's key its own tenant and session without being told", async () => {
    const { status, body } = await ask(demo, 'GET', '/api/v1/things', SESSION);
    expect(status).toBe(200);
    expect(body).toEqual({ limit: 20, scope: { agencyId: 'acme', tenantId: 't1', sessionId: 'ses_1' } });
  });

  test('gives a dashboard the tenant that it names in the query or in the body', async () => {
    const scope = { agencyId: 'acme', tenantId: 't2', sessionId: null };
    const listed = await ask(demo, 'GET', '/api/v1/things?agencyId=acme&tenantId=t2', DASHBOARD);
    expect(listed.body).toMatchObject({ scope });
    const body = { agencyId: 'acme', tenantId: 't2', to: 'x' };
    const made = await ask(demo, 'POST', '/api/v1/things', { ...DASHBOARD, body });
    expect(made.status).toBe(202);
    expect(made.body).toEqual({ to: 'x', scope, keyId: 'key2' });
    expect(made.headers.get('location')).toBe('/api/v1/things/thg_1');
  });

  test('takes the tenant from the body where it declares no body at all', async () => {
    const answer = await ask(demo, 'POST', '/api/v1/things/restart', { ...DASHBOARD, body: { tenantId: 't2' } });
    expect(answer.body).toEqual({ tenantId: 't2' });
  });

  test('answers 422 to a dashboard that names no tenant, with a pointer to where it belongs', async () => {
    const listed = await ask(demo, 'GET', '/api/v1/things', DASHBOARD);
    expect(listed.status).toBe(422);
    expect(listed.body).toMatchObject({ code: 'invalid_request', errors: [{ pointer: 'query/tenantId' }] });
    const made = await ask(demo, 'POST', '/api/v1/things', { ...DASHBOARD, body: { to: 'x' } });
    expect(made.body).toMatchObject({ errors: [{ pointer: '/tenantId' }] });
  });

  test('answers 404 when query and body name different tenants', async () => {
    const body = { tenantId: 't1', to: 'x' };
    const answer = await ask(demo, 'POST', '/api/v1/things?tenantId=t2', { ...DASHBOARD, body });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/tenantId' }] });
  });

  test.each(['tenantId=t1&tenantId=t2', 'tenantId=', 'tenantId=t1%20', 'tenantId=__proto__.x'])(
    'answers 422 to the tenant selector %s',
    async (query) => {
      const answer = await ask(demo, 'GET', `/api/v1/things?${query}`, DASHBOARD);
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ errors: [{ pointer: 'query/tenantId' }] });
    },
  );

  test("another tenant's, another agency's and nobody's tenant are the same 404", async () => {
    const answers = await Promise.all([
      ask(demo, 'GET', '/api/v1/things?tenantId=t2', SESSION),
      ask(demo, 'GET', '/api/v1/things?agencyId=globex&tenantId=t1', SESSION),
      ask(demo, 'GET', '/api/v1/things?agencyId=globex&tenantId=t1', DASHBOARD),
      ask(demo, 'GET', '/api/v1/things?tenantId=nobody', DASHBOARD),
      ask(demo, 'GET', '/api/v1/things?agencyId=acme&tenantId=nobody', { key: MASTER_KEY }),
    ]);
    const seen = answers.map(({ status, body }) => JSON.stringify({ status, ...without(body, 'requestId') }));
    expect(new Set(seen).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('says that it is the agency which is missing to the master key, from which none is hidden', async () => {
    const answer = await ask(demo, 'GET', '/api/v1/things?agencyId=nobody&tenantId=t1', { key: MASTER_KEY });
    expect(answer).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching(/^Agency not found\..*register/) },
    });
  });

  test("another tenant's object is the same 404 as a missing one", async () => {
    const other = await ask(demo, 'GET', '/api/v1/things/thg_2', SESSION);
    const missing = await ask(demo, 'GET', '/api/v1/things/thg_0', SESSION);
    expect(other.status).toBe(404);
    expect(without(other.body, 'requestId')).toEqual(without(missing.body, 'requestId'));
  });

  test('takes a tenant that nobody has seen only where it may come into being', async () => {
    const answer = await ask(demo, 'PUT', '/api/v1/tenants/brandnew/settings', DASHBOARD);
    expect(answer).toMatchObject({ status: 200, body: { tenantId: 'brandnew' } });
  });

  test('takes the master key with both ids only', async () => {
    const master = { key: MASTER_KEY };
    const both = await ask(demo, 'GET', '/api/v1/things?agencyId=acme&tenantId=t1', master);
    expect(both.body).toMatchObject({ scope: { agencyId: 'acme', tenantId: 't1', sessionId: null } });
    expect((await ask(demo, 'GET', '/api/v1/things?tenantId=t1', master)).body).toMatchObject({
      errors: [{ pointer: 'query/agencyId' }],
    });
    expect((await ask(demo, 'GET', '/api/v1/things?agencyId=acme', master)).body).toMatchObject({
      errors: [{ pointer: 'query/tenantId' }],
    });
  });
});

describe('keys', () => {
  test.each([
    ['no key', {}],
    ['an empty key', { 'x-api-key': '' }],
    ['an unknown key', { 'x-api-key': 'mae_sk_unknown' }],
    ['a key in the wrong header', { authorization: `Bearer ${MASTER_KEY}` }],
    ['the PSK on a tenant route', { authorization: `PSK ${PSK}` }],
  ])('%s is 401 with the same body', async (_what, headers) => {
    const { status, body, headers: answered } = await ask(demo, 'GET', '/api/v1/things', { headers });
    expect(status).toBe(401);
    expect(body).toMatchObject({
      code: 'unauthorized',
      detail: expect.stringMatching(/^Send a valid key in the X-API-Key header\. /),
    });
    expect(answered.get('www-authenticate')).toContain('ApiKey');
  });

  test('no key is refused before the body is read', async () => {
    const answer = await ask(demo, 'POST', '/api/v1/things', { body: '{', headers: { 'content-type': 'text/csv' } });
    expect(answer.status).toBe(401);
  });

  test('the alias API-Key is as good, but not with another value', async () => {
    expect((await ask(demo, 'GET', '/api/v1/things', { headers: { 'api-key': SESSION.key } })).status).toBe(200);
    const same = { 'x-api-key': SESSION.key, 'api-key': SESSION.key };
    expect((await ask(demo, 'GET', '/api/v1/things', { headers: same })).status).toBe(200);
    const different = { 'x-api-key': SESSION.key, 'api-key': DASHBOARD.key };
    expect(await ask(demo, 'GET', '/api/v1/things', { headers: different })).toMatchObject({
      status: 400,
      body: { code: 'ambiguous_credentials' },
    });
  });

  test('the keys of a suspended dashboard answer 403', async () => {
    for (const key of ['dashboard-of-umbra', 'session-of-umbra']) {
      const answer = await ask(demo, 'GET', '/api/v1/things?tenantId=t1', { key });
      expect(answer).toMatchObject({ status: 403, body: { code: 'dashboard_suspended' } });
    }
    const operator = await ask(demo, 'GET', '/api/v1/things?agencyId=umbra&tenantId=t1', { key: MASTER_KEY });
    expect(operator.status).toBe(200);
  });

  test('an admin route takes the master key only', async () => {
    expect((await ask(demo, 'GET', '/api/v1/admin/things', { key: MASTER_KEY })).body).toEqual({ keyId: 'master' });
    expect(await ask(demo, 'GET', '/api/v1/admin/things', DASHBOARD)).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
    expect((await ask(demo, 'GET', '/api/v1/admin/things')).status).toBe(401);
  });

  test('an internal route takes the PSK only', async () => {
    const psk = (secret: string) => ({ headers: { authorization: `PSK ${secret}` } });
    expect((await ask(demo, 'GET', '/v1/internal/things', psk(PSK))).body).toEqual({ keyId: 'psk' });
    expect((await ask(demo, 'GET', '/v1/internal/things', psk(MASTER_KEY))).status).toBe(401);
    const withKey = await ask(demo, 'GET', '/v1/internal/things', { key: MASTER_KEY });
    expect(withKey.status).toBe(401);
    expect(withKey.headers.get('www-authenticate')).toContain('PSK');
  });

  test("an agency's route takes the dashboard's key, and the master key with the agency", async () => {
    expect((await ask(demo, 'POST', '/api/v1/api-keys', DASHBOARD)).body).toEqual({ agencyId: 'acme' });
    const asked = (agencyId: string, key: string) => ask(demo, 'POST', '/api/v1/api-keys', { key, body: { agencyId } });
    expect((await asked('globex', MASTER_KEY)).body).toEqual({ agencyId: 'globex' });
    expect(await asked('globex', DASHBOARD.key)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await asked('nobody', MASTER_KEY)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await ask(demo, 'POST', '/api/v1/api-keys', { key: MASTER_KEY })).body).toMatchObject({
      errors: [{ pointer: '/agencyId' }],
    });
    expect((await ask(demo, 'POST', '/api/v1/api-keys', SESSION)).status).toBe(403);
  });
});

function without(body: unknown, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(body)).filter(([key]) => key !== name));
}
