import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { sessionWebhookSecret } from '../../../adapters/backend/events/session-secret.ts';
import { anAgency, call, registerDashboard } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { BACKEND_WEBHOOK_SECRET, MASTER_KEY } from '../../support/keys.ts';
import { countRows } from '../../support/rows.ts';
import { nameOf, opensToTenants } from './doors.ts';
import type { Entrance } from './doors.ts';

const api = await apiOfThisFile('keys-api');

describe('a key', () => {
  let ours: Agency;
  let stranger: Agency;

  beforeAll(async () => {
    ours = await anAgency(api, { agencyId: 'ours', tenantId: 'one' });
    stranger = await anAgency(api, { agencyId: 'strangers', tenantId: 'one' });
    const neighbour = { agencyId: 'ours', tenantId: 'two' };
    await call(api, 'POST', '/api/v1/sessions', { key: ours.dashboardKey, body: neighbour });
  });

  /** Asks for nothing that there is: who may ask is settled before. */
  function ask({ method, path }: Entrance, target: Record<string, string>, key?: string): Promise<Answer> {
    const named = path.replace(':tenantId', target['tenantId'] ?? '').replaceAll(/:\w+/g, 'none');
    return call(api, method, `${named}?${new URLSearchParams(target).toString()}`, {
      ...(key === undefined ? {} : { key }),
      ...(['GET', 'DELETE'].includes(method) ? {} : { body: {} }),
    });
  }

  const open = routes.filter(opensToTenants).map((route) => ({ name: nameOf(route), route }));

  it.each(open)('that names a tenant that is not its own gets 404 of $name', async ({ route }) => {
    // A session's key is told that the route is not for it, whatever it names.
    const lacks = ['keys', 'admin:read', 'webhooks'].includes(String(route.scope));
    const refused = route.dashboardOnly || lacks ? 403 : 404;
    for (const agencyId of ['strangers', 'nobody']) {
      const target = { agencyId, tenantId: 'one' };
      expect((await ask(route, target, ours.scopedKey)).status).toBe(refused);
      expect((await ask(route, target, ours.dashboardKey)).status).toBe(404);
    }
    expect((await ask(route, { agencyId: 'ours', tenantId: 'two' }, ours.scopedKey)).status).toBe(refused);
  });

  it.each(open)('that is not valid does not get past $name', async ({ route }) => {
    const target = { agencyId: 'ours', tenantId: 'one' };
    const damaged = `${ours.scopedKey.slice(0, -1)}${ours.scopedKey.endsWith('a') ? 'b' : 'a'}`;
    for (const key of [undefined, '', 'nonsense', damaged, ours.scopedKey.toUpperCase()]) {
      const answer = await ask(route, target, key);
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ code: 'unauthorized' });
    }
  });

  it('of the operator acts for any tenant that it names, and for none that it does not', async () => {
    const named = await call(api, 'GET', '/api/v1/sessions/status?agencyId=strangers&tenantId=one', {
      key: MASTER_KEY,
    });
    expect(named.body).toMatchObject({ id: stranger.session.id });
    expect((await call(api, 'GET', '/api/v1/sessions/status', { key: MASTER_KEY })).status).toBe(422);
  });

  it('that is shared before is what registers a dashboard, and only once', async () => {
    const register = (authorization?: string, agencyId = 'new') =>
      call(api, 'POST', '/v1/internal/dashboard/register', {
        ...(authorization === undefined ? {} : { headers: { authorization } }),
        body: { agencyId, dashboardName: 'N', dashboardUrl: 'http://127.0.0.1:9/', webhookSecret: 'x'.repeat(32) },
      });
    for (const authorization of [undefined, 'PSK wrong', `Bearer ${MASTER_KEY}`]) {
      expect((await register(authorization)).status).toBe(401);
    }
    expect(await registerDashboard(api, { agencyId: 'new' })).toMatch(/\w{20,}/);
    await expect(registerDashboard(api, { agencyId: 'new' })).rejects.toThrow();
  });

  it('that signs an event of the backend must fit its body: it is refused and leaves no row', async () => {
    const body = JSON.stringify({
      id: 'evt_1',
      event: 'message.any',
      session: ours.session.name,
      payload: { id: 'false_15550100703@c.us_X', body: 'forged', timestamp: 1 },
    });
    const sign = (key: string, text = body) => createHmac('sha512', key).update(text).digest('hex');
    const strangers = sign(
      sessionWebhookSecret(BACKEND_WEBHOOK_SECRET, { backend: 'default', name: stranger.session.name }),
    );
    for (const hmac of [undefined, '', 'zz', strangers, sign('wrong'), sign('x', `${body} `), sign('y').slice(0, 64)]) {
      const response = await fetch(`${api.url}/v1/internal/backend/events`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-webhook-request-id': randomUUID(),
          ...(hmac === undefined ? {} : { 'x-webhook-hmac': hmac }),
        },
        body,
      });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: 'invalid_signature' });
    }
    expect(await countRows(api.database, 'backendEvent')).toBe(0);
  });
});
