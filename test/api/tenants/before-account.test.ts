import { describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call, registerDashboard } from '../../support/client.ts';

const api = await apiOfThisFile('before-account');

describe('a tenant without an account', () => {
  const target = { agencyId: 'early', tenantId: 'new' };
  const query = new URLSearchParams(target).toString();

  it('is answered with what every tenant begins with, before and after its first setting', async () => {
    const key = await registerDashboard(api, { agencyId: 'early' });
    const post = (path: string) => call(api, 'POST', `/api/v1/ai-sales-agent/${path}`, { key, body: target });
    const beginning = async (): Promise<void> => {
      const chats = await call(api, 'GET', `/api/v1/inbox/chats?${query}`, { key });
      expect(chats).toMatchObject({ status: 200, body: { chats: [], total: 0, hasMore: false } });
      expect(await post('state')).toMatchObject({ status: 200, body: { enabled: false, mode: 'bot_active' } });
      const persona = await post('persona');
      expect(persona).toMatchObject({
        status: 200,
        body: { ...target, active: true, modelChoice: expect.any(String) },
      });
    };
    await beginning();
    const missing = async (method: string, path: string, body?: object): Promise<void> => {
      const answer = await call(api, method, path, { key, ...(body === undefined ? {} : { body }) });
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(answer.body['detail']).toMatch(/tenant has no session yet.*POST \/api\/v1\/sessions/);
    };
    const ask = async (): Promise<void> => {
      await missing('GET', `/api/v1/sessions/status?${query}`);
      await missing('GET', `/api/v1/sessions/me?${query}`);
      await missing('GET', `/api/v1/sessions/me/profile?${query}`);
      await missing('POST', '/api/v1/sessions/restart', target);
      await missing('POST', '/api/v1/sessions/logout', target);
    };
    await ask();
    const put = await call(api, 'PUT', '/api/v1/ai-sales-agent/state', { key, body: { ...target, enabled: false } });
    expect(put.status).toBe(200);
    await beginning();
    await ask();
    const named = await call(api, 'GET', `/api/v1/inbox/chats?${query}&session=nobody`, { key });
    expect(named.status).toBe(404);
    const foreign = await call(api, 'GET', '/api/v1/inbox/chats?agencyId=other&tenantId=new', { key });
    expect(foreign.status).toBe(404);
  });
});
