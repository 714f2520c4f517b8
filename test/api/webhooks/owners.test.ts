import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { PSK } from '../../support/keys.ts';
import { changeRows, countRows } from '../../support/rows.ts';
import { aScene, deliveriesOf, signingSecrets } from './a-webhook-scene.ts';

const api = await apiOfThisFile('webhook-owners');
const acme = await aScene(api, 'acme');
const other = await aScene(api, 'other');

describe('an endpoint of another agency', () => {
  const DOORS: [string, string, object | null][] = [
    ['GET', '', null],
    ['PATCH', '', { description: 'x' }],
    ['DELETE', '', null],
    ['POST', '/pause', {}],
    ['POST', '/resume', {}],
    ['POST', '/rotate-secret', {}],
    ['POST', '/test', {}],
    ['POST', '/recover', { since: '2020-01-01T00:00:00Z' }],
    ['POST', '/replay', { since: '2020-01-01T00:00:00Z' }],
  ];

  it.each(DOORS)('is to others as if it did not exist: %s %s', async (method, path, body) => {
    const { id } = await other.endpoint();
    const ask = async (named: string) => {
      const answer = await call(api, method, `/api/v1/webhooks/endpoints/${named}${path}`, {
        key: acme.key,
        ...(body === null ? {} : { body }),
      });
      return { status: answer.status, body: { ...answer.body, requestId: '' } };
    };
    const found = await ask(id);
    expect(found.status).toBe(404);
    expect(found).toEqual(await ask('whe_00000000-0000-7000-8000-000000000000'));
    expect(await countRows(api.database, 'endpoint', { id, status: 'active', deletedAt: null })).toBe(1);
  });

  it("and no endpoint is managed with a session's key", async () => {
    for (const path of ['/endpoints', `/endpoints/${acme.dashboardEndpoint}`, '/notices']) {
      expect((await acme.get(path, acme.scopedKey)).status).toBe(403);
    }
    const answer = await call(api, 'POST', '/api/v1/webhooks/endpoints', {
      key: acme.scopedKey,
      body: { url: 'http://127.0.0.1:9' },
    });
    expect(answer.status).toBe(403);
  });
});

describe('the URL of a dashboard or a tenant', () => {
  const internal = (method: string, path: string, body: object) =>
    call(api, method, `/v1/internal/dashboard${path}`, { headers: { authorization: `PSK ${PSK}` }, body });
  const PRIVATE = 'http://10.0.0.5/in';
  const BLOCKED = expect.stringContaining('blocked_address');

  it('is refused at once if it is a private address, and taken with a warning if it is not https', async () => {
    const dashboard = { agencyId: 'warned', dashboardName: 'Warned', webhookSecret: 'x'.repeat(40) };
    const refused = await internal('POST', '/register', { ...dashboard, dashboardUrl: PRIVATE });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/dashboardUrl', message: BLOCKED }] } });
    const first = await internal('POST', '/register', { ...dashboard, dashboardUrl: 'https://hooks.example.com/in' });
    expect(first).toMatchObject({ status: 200, body: { warning: null } });
    // An address that a former release has taken.
    await changeRows(api.database, 'endpoint', { url: PRIVATE }, { agencyId: 'warned' });
    const rotated = await internal('POST', '/register', {
      ...dashboard,
      dashboardUrl: 'https://hooks.example.com/in',
      rotateKey: true,
    });
    expect(rotated.body).toMatchObject({ warning: BLOCKED });
    const configure = (dashboardUrl: string) => internal('PATCH', '/config', { agencyId: 'warned', dashboardUrl });
    expect((await configure('https://hooks.example.com/in')).body).toMatchObject({ warning: null });
    expect((await configure('http://93.184.216.34/in')).body).toMatchObject({
      warning: expect.stringContaining('insecure_url'),
    });
    const set = async (body: object) =>
      (await call(api, 'PUT', '/api/v1/tenants/t1/settings', { key: String(rotated.body['apiKey']), body })).body;
    expect((await internal('PATCH', '/config', { agencyId: 'warned', dashboardUrl: PRIVATE })).status).toBe(422);
    expect(await set({ webhookUrl: PRIVATE })).toMatchObject({ status: 422, errors: [{ pointer: '/webhookUrl' }] });
    expect(await set({ webhookUrl: 'https://hooks.example.com/t1' })).toMatchObject({ warning: null });
    expect(await set({ webhookUrl: null })).toMatchObject({ webhookUrl: null, warning: null });
  });
});

describe("a dashboard's configuration", () => {
  const at = (method: string, path: string, body?: object) =>
    call(api, method, `/v1/internal/dashboard${path}`, {
      headers: { authorization: `PSK ${PSK}` },
      ...(body && { body }),
    });

  it('is read and changed by the operator; the old secret signs along, and none is shown', async () => {
    const { agencyId, dashboardEndpoint: id } = acme;
    const [before] = (await signingSecrets(api, 'acme', id)) ?? [];
    const change = {
      agencyId,
      dashboardName: 'New',
      dashboardUrl: 'http://127.0.0.1:9/new',
      webhookSecret: 'new'.repeat(16),
    };
    const changed = await at('PATCH', '/config', change);
    const { webhookSecret, ...shown } = change;
    expect(changed).toMatchObject({ status: 200, body: { ...shown, webhookEndpointId: id, webhookStatus: 'active' } });
    expect(JSON.stringify(changed.body)).not.toContain(webhookSecret);
    expect(await signingSecrets(api, 'acme', id)).toEqual([webhookSecret, before]);
    const { warning, ...kept } = changed.body;
    expect(warning).toBeNull();
    expect((await at('GET', `/config?agencyId=${agencyId}`)).body).toEqual(kept);
    expect((await at('GET', '/agencies?limit=1')).body).toMatchObject({ agencies: [{ agencyId: expect.any(String) }] });
    expect((await at('GET', '/config?agencyId=nobody')).status).toBe(404);
    expect(
      (await call(api, 'GET', `/v1/internal/dashboard/config?agencyId=${agencyId}`, { key: acme.key })).status,
    ).toBe(401);
  });
});

describe("a tenant's webhook URL", () => {
  const settings = (method: 'GET' | 'PUT', body?: object) =>
    call(api, method, '/api/v1/tenants/t2/settings', { key: acme.key, ...(body === undefined ? {} : { body }) });
  const Listed = z.object({ endpoints: z.array(z.object({ id: z.string(), source: z.string() })) });

  it('is an endpoint that comes, changes and goes with the setting', async () => {
    expect((await settings('PUT', { webhookEvents: ['message'] })).body['errors']).toMatchObject([
      { pointer: '/webhookUrl' },
    ]);
    const made = await settings('PUT', { webhookUrl: 'http://127.0.0.1:9/t2', country: 'DE' });
    expect(made.body).toMatchObject({
      webhookUrl: 'http://127.0.0.1:9/t2',
      webhookEvents: ['message', 'message.ack'],
      webhookSecret: expect.stringMatching(/^whsec_/),
      country: 'DE',
    });
    const id = String(made.body['webhookEndpointId']);
    expect((await acme.get(`/endpoints/${id}`)).body).toMatchObject({ source: 'tenant', tenantIds: ['t2'] });

    await changeRows(api.database, 'endpoint', { status: 'disabled', disabledReason: 'gone' }, { id });
    expect((await settings('GET')).body).toMatchObject({ webhookStatus: 'disabled', webhookDisabledReason: 'gone' });

    const changed = await settings('PUT', { webhookUrl: 'http://127.0.0.1:9/t2b', webhookEvents: ['session.status'] });
    expect(changed.body).toMatchObject({
      webhookEndpointId: id,
      webhookEvents: ['session.status'],
      webhookStatus: 'active',
    });
    expect(changed.body).not.toHaveProperty('webhookSecret');
    await settings('PUT', { webhookSecret: 'third'.repeat(8), webhookEvents: null });
    expect(await signingSecrets(api, 'acme', id)).toEqual(['third'.repeat(8), made.body['webhookSecret']]);
    expect((await settings('GET')).body).toMatchObject({
      webhookUrl: 'http://127.0.0.1:9/t2b',
      webhookEvents: ['message', 'message.ack'],
    });

    await acme.message('t2', { tenantId: 't2' });
    await acme.message('t1', { tenantId: 't1' });
    expect(await deliveriesOf(api, id)).toHaveLength(1);
    expect((await settings('PUT', { webhookUrl: null })).body).toMatchObject({ webhookUrl: null, country: 'DE' });
    expect(await deliveriesOf(api, id)).toMatchObject([{ status: 'cancelled' }]);
    const { endpoints } = Listed.parse((await acme.get('/endpoints')).body);
    expect(endpoints.some(({ source }) => source === 'tenant')).toBe(false);
  });

  it('is gone from the setting when its endpoint is deleted', async () => {
    const made = await settings('PUT', { webhookUrl: 'http://127.0.0.1:9/t2', webhookSecret: 'given'.repeat(8) });
    expect(made.body).not.toHaveProperty('webhookSecret');
    await acme.del(`/endpoints/${String(made.body['webhookEndpointId'])}`);
    expect((await settings('GET')).body).toMatchObject({ webhookUrl: null, webhookEvents: null });
  });
});
