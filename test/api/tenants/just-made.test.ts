import { describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call, registerDashboard } from '../../support/client.ts';
import { MASTER_KEY } from '../../support/keys.ts';

const api = await apiOfThisFile('just-made');

describe('what was not there when it was asked for', () => {
  it('an agency and a tenant are there as soon as they are made', async () => {
    const settingsOf = (tenantId: string, key: string, agencyId = '') =>
      call(api, 'GET', `/api/v1/tenants/${tenantId}/settings${agencyId && `?agencyId=${agencyId}`}`, { key });
    const unknown = await settingsOf('shop', MASTER_KEY, 'young');
    expect(unknown).toMatchObject({ status: 404, body: { detail: expect.stringContaining('Agency') } });
    const key = await registerDashboard(api, { agencyId: 'young' });
    expect((await settingsOf('shop', key)).status).toBe(404);
    expect((await settingsOf('shop', MASTER_KEY, 'young')).body['detail']).toContain('Tenant');
    const made = await call(api, 'POST', '/api/v1/sessions', { key, body: { tenantId: 'shop' } });
    expect(made.status).toBe(201);
    expect((await settingsOf('shop', key)).status).toBe(200);
    expect((await settingsOf('shop', MASTER_KEY, 'young')).status).toBe(200);
  });
});
