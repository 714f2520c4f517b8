import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { call, registerDashboard } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { BACKEND_KEY, MASTER_KEY } from '../../support/keys.ts';

const AtBackend = z.object({
  config: z.object({ metadata: z.record(z.string(), z.string()), webhooks: z.array(z.object({ url: z.string() })) }),
});
const FOREIGN_HOOK = 'http://127.0.0.1:9/crm';

describe('an account that the backend has for another program', () => {
  let engine: TestEngine;
  let key: string;
  const target = { agencyId: 'adopts', tenantId: 't1' };

  beforeAll(async () => {
    engine = await startEngine();
    key = await registerDashboard(engine, { agencyId: target.agencyId, dashboardUrl: 'http://127.0.0.1:9/' });
  });
  afterAll(() => engine.close());

  const backend = (method: string, path: string, body?: object) =>
    fetch(`${engine.sandbox.url}/api/sessions${path}`, {
      method,
      headers: { 'x-api-key': BACKEND_KEY, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const madeElsewhere = (name: string) =>
    backend('POST', '', {
      name,
      config: { metadata: { owner: 'crm' }, webhooks: [{ url: FOREIGN_HOOK, events: ['message'] }] },
    });
  const configOf = async (name: string) => AtBackend.parse(await (await backend('GET', `/${name}`)).json()).config;
  const create = (body: object, by = key) =>
    call(engine, 'POST', '/api/v1/sessions', { key: by, body: { ...target, ...body } });
  const statusOf = async (id: unknown) => {
    const query = new URLSearchParams(target).toString();
    return (await call(engine, 'GET', `/api/v1/sessions/${String(id)}?${query}`, { key })).body;
  };

  it('is not given to a dashboard that asks for its name', async () => {
    expect((await madeElsewhere('crm')).status).toBe(201);
    const refused = await create({ name: 'crm' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'name_taken' } });
    expect(refused.body['detail']).toContain('the operator can take it over with `"adopt": true`');
    // A name that was never free is refused in the same words, so they do not tell what is at the backend.
    expect((await create({ name: 'contacts' })).body['detail']).toBe(refused.body['detail']);
    expect(await create({ name: 'crm', adopt: true })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const config = await configOf('crm');
    expect(config.metadata).toEqual({ owner: 'crm' });
    expect(config.webhooks.map(({ url }) => url)).toEqual([FOREIGN_HOOK]);
  });

  it('is taken over by the operator, who says so', async () => {
    expect((await madeElsewhere('moved')).status).toBe(201);
    const made = await create({ name: 'moved', adopt: true }, MASTER_KEY);
    expect(made.status).toBe(201);
    await eventually(async () => (await statusOf(made.body['id']))['status'] === 'WORKING');
    const config = await configOf('moved');
    expect(config.metadata).toEqual({ owner: 'crm', sessionId: made.body['id'] });
    expect(config.webhooks.map(({ url }) => url)).not.toContain(FOREIGN_HOOK);
  });

  it('keeps its name when the engine would have derived the same one', async () => {
    const name = 'wa_agency_adopts_tenant_t2';
    expect((await madeElsewhere(name)).status).toBe(201);
    const made = await create({ tenantId: 't2' });
    expect(made).toMatchObject({ status: 201, body: { name } });
    const query = new URLSearchParams({ ...target, tenantId: 't2' }).toString();
    const failed = await eventually(async () => {
      const { body } = await call(engine, 'GET', `/api/v1/sessions/${String(made.body['id'])}?${query}`, { key });
      return body['status'] === 'FAILED' ? body : undefined;
    });
    expect(failed).toMatchObject({ lastError: 'session_name_taken' });
    expect((await configOf(name)).metadata).toEqual({ owner: 'crm' });
    for (const path of [`${name}/chats`, `sessions/${name}/qr`]) {
      expect(await call(engine, 'GET', `/api/v1/${path}?${query}`, { key })).toMatchObject({
        status: 409,
        body: { code: 'session_not_ready' },
      });
    }
  });

  it('is not taken for ours when it has taken the place of ours', async () => {
    const made = await create({ name: 'replaced' });
    await eventually(async () => (await statusOf(made.body['id']))['status'] === 'WORKING');
    const config = { metadata: { owner: 'crm' }, webhooks: [{ url: FOREIGN_HOOK, events: ['message'] }] };
    expect((await backend('PUT', '/replaced', { config })).status).toBe(200);
    await backend('POST', '/replaced/stop');
    const failed = await eventually(async () => {
      const status = await statusOf(made.body['id']);
      return status['lastError'] === null ? undefined : status;
    });
    expect(failed).toMatchObject({ status: 'FAILED', lastError: 'session_name_taken' });
    expect((await configOf('replaced')).metadata).toEqual({ owner: 'crm' });
  });

  it('is asked for once when the request is repeated under its key', async () => {
    const body = { ...target, name: 'twice' };
    const headers = { 'idempotency-key': 'connect-twice' };
    const first = await call(engine, 'POST', '/api/v1/sessions', { key, body, headers });
    await eventually(async () => (await backend('GET', '/twice')).status === 200);
    expect(await call(engine, 'POST', '/api/v1/sessions', { key, body, headers })).toMatchObject({
      status: 201,
      body: { id: first.body['id'] },
    });
  });

  it.each(['wa_agency_victim_tenant_shop', 'messages', 'contacts'])(
    'no dashboard chooses the name %s',
    async (name) => {
      expect(await create({ name })).toMatchObject({ status: 409, body: { code: 'name_taken' } });
    },
  );
});
