import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitWorking, call, registerDashboard } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import { BACKEND_KEY } from '../../support/keys.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe('connectSession, followSession: connecting a messaging account', () => {
  let engine: TestEngine;
  let key: string;
  const target = { agencyId: 'connects', tenantId: 't1' };
  const query = new URLSearchParams(target).toString();

  beforeAll(async () => {
    // Nobody scans until the test does.
    engine = await startEngine({ sandbox: { autoScanAfterMs: null } });
    key = await registerDashboard(engine, { agencyId: target.agencyId, dashboardUrl: 'http://127.0.0.1:9/' });
  });
  afterAll(() => engine.close());

  const create = (body: object) => call(engine, 'POST', '/api/v1/sessions', { key, body: { ...target, ...body } });
  const statusOf = async (session?: string) =>
    (await call(engine, 'GET', `/api/v1/sessions/status?${query}${session ? `&session=${session}` : ''}`, { key }))
      .body;
  const qr = (id: string, accept: string, more = '') =>
    fetch(`${engine.url}/api/v1/sessions/${id}/qr?${query}${more}`, { headers: { 'x-api-key': key, accept } });

  it('a dashboard creates a session, shows its QR code and sees it work once it is scanned', async () => {
    const created = await create({});
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      id: expect.stringMatching(/^ses_/),
      name: 'wa_agency_connects_tenant_t1',
      default: true,
      status: 'STARTING',
      phone: null,
      ...target,
    });
    const id = String(created.body['id']);
    expect(created.headers.get('location')).toBe(`/api/v1/sessions/${id}`);
    await eventually(async () => (await statusOf())['status'] === 'SCAN_QR_CODE');
    expect((await call(engine, 'GET', `/api/v1/sessions/me?${query}`, { key })).body).toMatchObject({
      code: 'session_not_ready',
    });

    const png = await qr(id, 'image/png');
    expect(png.headers.get('content-type')).toContain('image/png');
    expect(Buffer.from(await png.arrayBuffer()).subarray(0, 8)).toEqual(PNG);
    const json: unknown = await (await qr(id, 'application/json')).json();
    expect(json).toEqual({ mimetype: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) });
    const raw = await (await qr('wa_agency_connects_tenant_t1', 'text/plain')).text();
    expect(raw).toMatch(/^2@/);
    // Another code than before when the backend has shown a new one meanwhile.
    expect(await (await qr(id, '*/*', '&format=raw')).json()).toEqual({ value: expect.stringMatching(/^2@/) });

    await engine.control('POST', '/sessions/wa_agency_connects_tenant_t1/scan', {});
    await awaitWorking(engine, key, target);
    const status = await statusOf();
    expect(status).toMatchObject({
      status: 'WORKING',
      phone: expect.stringMatching(/^\d{7,15}$/),
      accountName: expect.any(String),
      platform: 'NOWEB',
      lastError: null,
    });
    const me = await call(engine, 'GET', `/api/v1/sessions/me?${query}`, { key });
    expect(me.body).toEqual({
      pushname: status['accountName'],
      platform: 'NOWEB',
      wid: { server: 'c.us', user: status['phone'], _serialized: `${String(status['phone'])}@c.us` },
    });
    expect((await call(engine, 'GET', `/api/v1/sessions/${id}?${query}`, { key })).body).toEqual(status);
  });

  it('a dashboard that asks for the QR code of a session that works is told so', async () => {
    const answer = await call(engine, 'GET', `/api/v1/sessions/wa_agency_connects_tenant_t1/qr?${query}`, { key });
    expect(answer.status).toBe(409);
    expect(answer.body).toMatchObject({ code: 'session_not_ready' });
  });

  it('a dashboard lists the sessions of a tenant as an array', async () => {
    const second = await create({ name: 'second' });
    expect(second.body).toMatchObject({ name: 'second', default: false });
    const list = await call(engine, 'GET', `/api/v1/sessions?${query}`, { key });
    expect(list.body['items']).toMatchObject([
      { name: 'wa_agency_connects_tenant_t1', default: true },
      { name: 'second', default: false },
    ]);
    expect(await statusOf('second')).toMatchObject({ id: second.body['id'] });
    const third = await create({ name: 'third', default: true });
    expect(await statusOf()).toMatchObject({ id: third.body['id'], default: true });
    await eventually(async () => (await statusOf('third'))['status'] === 'SCAN_QR_CODE');
  });

  it('a name that is taken is refused, whoever has it', async () => {
    expect((await create({ name: 'second' })).body).toMatchObject({ code: 'name_taken', status: 409 });
    // Names that differ in case are one account on some disks.
    expect((await create({ name: 'Second' })).body).toMatchObject({ code: 'name_taken', status: 409 });
    expect((await create({ name: 'no spaces' })).status).toBe(422);
  });

  it('a session that is lost is recorded, and works again when it comes back', async () => {
    const name = 'wa_agency_connects_tenant_t1';
    await engine.control('POST', `/sessions/${name}/status`, { status: 'FAILED' });
    await eventually(async () => (await statusOf(name))['status'] === 'FAILED');
    await engine.control('POST', `/sessions/${name}/status`, { status: 'WORKING' });
    await eventually(async () => (await statusOf(name))['status'] === 'WORKING');
  });

  it('a session that vanished at the backend is made again', async () => {
    const name = 'wa_agency_connects_tenant_t1';
    const { sandbox } = engine;
    const headers = { 'x-api-key': BACKEND_KEY };
    const gone = await fetch(`${sandbox.url}/api/sessions/${name}`, { method: 'DELETE', headers });
    expect(gone.status).toBe(200);
    const { id } = await statusOf(name);
    await engine.temporal.workflow.getHandle(`session/${String(id)}`).signal('statusChanged');
    await eventually(async () => (await fetch(`${sandbox.url}/api/sessions/${name}`, { headers })).status === 200);
    await eventually(async () => (await statusOf(name))['status'] === 'SCAN_QR_CODE');
  });

  it('two tenants whose names run together get different sessions', async () => {
    const names: string[] = [];
    for (const [agencyId, tenantId] of [
      ['a', 'b_tenant_c'],
      ['a_tenant_b', 'c'],
    ] as const) {
      const dashboard = await registerDashboard(engine, { agencyId, dashboardUrl: 'http://127.0.0.1:9/' });
      const body = { agencyId, tenantId };
      const made = await call(engine, 'POST', '/api/v1/sessions', { key: dashboard, body });
      expect(made.status).toBe(201);
      names.push(String(made.body['name']));
      const own = await call(engine, 'GET', `/api/v1/sessions?agencyId=${agencyId}&tenantId=${tenantId}`, {
        key: dashboard,
      });
      expect(own.body['items']).toMatchObject([{ id: made.body['id'], agencyId, tenantId }]);
    }
    expect(names[0]).toBe('wa_agency_a_tenant_b_tenant_c');
    expect(names[1]).toMatch(/^wa_agency_a_tenant_b_tenant_c_\w+$/);
  });

  it('a dashboard that connects again without a name gets the session that there is', async () => {
    const body = { agencyId: target.agencyId, tenantId: 'eager' };
    const made = await Promise.all(
      Array.from({ length: 4 }, () => call(engine, 'POST', '/api/v1/sessions', { key, body })),
    );
    expect(made.map(({ status }) => Number(status)).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 201]);
    expect(new Set(made.map(({ body: session }) => session['id'])).size).toBe(1);
    const named = await call(engine, 'POST', '/api/v1/sessions', { key, body: { ...body, name: 'second-of-eager' } });
    expect(named).toMatchObject({ status: 201, body: { default: false } });
  });

  it('sessions that are created at the same time for one tenant have one default', async () => {
    const body = { agencyId: target.agencyId, tenantId: 'busy' };
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        call(engine, 'POST', '/api/v1/sessions', { key, body: { ...body, name: `busy${index}` } }),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const list = await call(engine, 'GET', `/api/v1/sessions?${new URLSearchParams(body).toString()}`, { key });
    const defaults = Array.isArray(list.body['items']) ? list.body['items'] : [];
    expect(JSON.stringify(defaults).match(/"default":true/g)).toHaveLength(1);
  });
});
