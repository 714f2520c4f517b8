import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitWorking, call, registerDashboard } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { runOn } from '../../support/platform.ts';
import { findRows, toldPayloads } from '../../support/rows.ts';

const agencyId = 'accounts';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';

describe('an agency with several accounts', () => {
  let engine: TestEngine;
  let key: string;
  let scopedKey: string;
  let shop: string;
  let spare: string;

  beforeAll(async () => {
    engine = await startEngine({ sandbox: { autoScanAfterMs: null } });
    key = await registerDashboard(engine, { agencyId, dashboardUrl: 'http://127.0.0.1:9/' });
    const made = await ask('POST', '/sessions', { tenantId: 'one', name: 'shop' });
    shop = String(made.body['id']);
    spare = String((await ask('POST', '/sessions', { tenantId: 'one', name: 'spare' })).body['id']);
    await ask('POST', '/sessions', { tenantId: 'two', name: 'other' });
    const issued = await ask('POST', '/api-keys', { tenantId: 'one', sessionId: shop, name: 'tool' });
    scopedKey = String(issued.body['apiKey']);
    await eventually(async () => (await statusOf('shop')) === 'SCAN_QR_CODE');
    await engine.control('POST', '/sessions/shop/scan', {});
    await awaitWorking(engine, key, { agencyId, tenantId: 'one' });
  });
  afterAll(() => engine.close());

  function ask(method: string, path: string, body?: object, as = key): Promise<Answer> {
    return call(engine, method, `/api/v1${path}`, { key: as, ...(body === undefined ? {} : { body }) });
  }
  async function statusOf(session: string): Promise<unknown> {
    return (await ask('GET', `/sessions/${session}`)).body['status'];
  }
  const namesIn = ({ body }: Answer): unknown[] =>
    (Array.isArray(body['items']) ? body['items'] : []).map((item: { name: string }) => item.name);

  describe('lists them', () => {
    it('all with its own key, those of a tenant where it names one, and one with the key of a session', async () => {
      expect(namesIn(await ask('GET', '/sessions'))).toEqual(['shop', 'spare', 'other']);
      expect(namesIn(await ask('GET', '/sessions?tenantId=two'))).toEqual(['other']);
      expect(namesIn(await ask('GET', `/sessions?agencyId=${agencyId}&tenantId=one`))).toEqual(['shop', 'spare']);
      expect(namesIn(await ask('GET', '/sessions', undefined, scopedKey))).toEqual(['shop']);
      expect(namesIn(await ask('GET', `/sessions?agencyId=${agencyId}`, undefined, MASTER_KEY))).toHaveLength(3);
      expect((await ask('GET', '/sessions?tenantId=nobodys')).status).toBe(404);
      expect((await ask('GET', '/sessions?agencyId=strangers')).status).toBe(404);
    });

    it('by status', async () => {
      for (const name of ['other', 'spare']) await eventually(async () => (await statusOf(name)) === 'SCAN_QR_CODE');
      expect(namesIn(await ask('GET', '/sessions?status=working'))).toEqual(['shop']);
      expect(namesIn(await ask('GET', '/sessions?status=FAILED'))).toEqual([]);
      expect(namesIn(await ask('GET', '/sessions?status=WORKING,SCAN_QR_CODE'))).toHaveLength(3);
      expect((await ask('GET', '/sessions?status=a%20b')).status).toBe(422);
    });

    it('page by page, whose headers lead on while the answer stays an array', async () => {
      const first = await ask('GET', '/sessions?limit=2');
      expect(namesIn(first)).toEqual(['shop', 'spare']);
      const [, next = ''] = /^<(\/api\/v1\/sessions\?.+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
      expect(next).toContain(`cursor=${first.headers.get('x-next-cursor')}`);
      const last = await call(engine, 'GET', next, { key });
      expect(namesIn(last)).toEqual(['other']);
      expect([last.headers.get('link'), last.headers.get('x-next-cursor')]).toEqual([null, null]);
      expect((await ask('GET', '/sessions?cursor=junk')).status).toBe(422);
    });
  });

  it('makes another session the default of a tenant, which requests without a session then use', async () => {
    const isDefault = async () => (await ask('GET', '/sessions/status?tenantId=one')).body['name'];
    expect((await ask('PATCH', `/sessions/${shop}`, { default: true }, scopedKey)).status).toBe(403);
    expect((await ask('PATCH', '/sessions/spare', { default: false })).status).toBe(422);
    expect(await ask('PATCH', '/sessions/spare', { default: true })).toMatchObject({
      status: 200,
      body: { id: spare, default: true },
    });
    expect(await isDefault()).toBe('spare');
    await Promise.all(['shop', 'spare', 'shop'].map((name) => ask('PATCH', `/sessions/${name}`, { default: true })));
    await ask('PATCH', '/sessions/shop', { default: true });
    expect(await isDefault()).toBe('shop');
    expect(
      await findRows(engine.database, 'session', { agencyId, tenantId: 'one', isDefault: true }, ['name']),
    ).toEqual([{ name: 'shop' }]);
  });

  describe('has a profile for each', () => {
    it('which both kinds of keys read', async () => {
      const phone = (await ask('GET', '/sessions/shop')).body['phone'];
      const own = await ask('GET', '/sessions/me/profile', undefined, scopedKey);
      const { name } = own.body;
      expect(own.body).toEqual({
        sessionId: shop,
        status: 'WORKING',
        name: 'Sandbox shop',
        about: null,
        picture: null,
        phone,
        chatId: `${String(phone)}@c.us`,
      });
      expect((await ask('GET', `/sessions/${shop}/profile`)).body).toMatchObject({ name });
    });

    it('whose name, about text and picture it changes', async () => {
      const name = await ask('POST', '/shop/profile/name', { name: 'Shop One' });
      expect(name).toMatchObject({ status: 200, body: { success: true, name: 'Shop One' } });
      expect((await ask('GET', '/sessions/shop')).body['accountName']).toBe('Shop One');
      const about = await ask('POST', `/${shop}/profile/about`, { about: 'Open till nine' }, scopedKey);
      expect(about).toMatchObject({ status: 200, body: { success: true, about: 'Open till nine' } });
      expect((await ask('PUT', '/sessions/shop/profile/picture', { data: PNG })).body).toEqual({ success: true });
      const { body: shown } = await ask('GET', '/sessions/shop/profile');
      expect(shown['name']).toBe('Shop One');
      // The engine keeps the picture, and shows it without a key.
      const { pathname } = new URL(String(shown['picture']));
      expect(pathname).toMatch(new RegExp(`^/media/${shop}/`));
      const served = await fetch(`${engine.url}${pathname}`);
      expect(served.headers.get('content-type')).toBe('image/png');
      expect(Buffer.from(await served.arrayBuffer()).toString('base64')).toBe(PNG);
      expect((await fetch(`${engine.url}${pathname.slice(0, -3)}abc`)).status).toBe(404);
      expect((await ask('DELETE', '/sessions/shop/profile/picture')).body).toEqual({ success: true });
      expect((await ask('GET', '/sessions/shop/profile')).body['picture']).toBeNull();
    });

    it('whose picture is one picture, given once', async () => {
      const put = async (body: object) => (await ask('PUT', '/sessions/shop/profile/picture', body)).body;
      expect(await put({})).toMatchObject({ status: 422, code: 'invalid_request' });
      expect(await put({ data: PNG, url: 'https://files.test/a.png' })).toMatchObject({ status: 422 });
      expect(await put({ data: Buffer.from('no picture').toString('base64') })).toMatchObject({ status: 422 });
      expect(await put({ url: 'http://127.0.0.1:9/a.png' })).toMatchObject({ code: 'media_unavailable' });
    });

    it('but not before it is connected', async () => {
      await eventually(async () => (await statusOf('spare')) === 'SCAN_QR_CODE');
      const answers = [
        await ask('GET', '/sessions/spare/profile'),
        await ask('POST', '/spare/profile/name', { name: 'x' }),
        await ask('PUT', '/sessions/spare/profile/picture', { data: PNG }),
      ];
      for (const { body } of answers) {
        expect(body).toMatchObject({ code: 'session_not_ready', detail: expect.stringContaining('/qr') });
      }
    });

    it('of which the engine behind the session tells and takes what it can', async () => {
      await runOn(engine, { id: shop, name: 'shop' }, 'WEBJS');
      expect((await ask('GET', '/sessions/shop/profile')).body['about']).toBe('Open till nine');
      await runOn(engine, { id: shop, name: 'shop' }, 'NOWEB');
      // As editions of the backend do that have no pictures.
      await engine.control('POST', '/faults', { route: 'picture', kind: 'plusOnly', count: 1 });
      expect((await ask('DELETE', '/sessions/shop/profile/picture')).body).toMatchObject({
        status: 501,
        code: 'not_supported_by_engine',
      });
    });
  });

  it('reads what each can, by the engine behind it', async () => {
    const of = async () => (await ask('GET', '/sessions/shop/capabilities')).body;
    expect(await of()).toMatchObject({
      sessionId: shop,
      platform: 'NOWEB',
      version: '2026.7.1',
      capabilities: {
        buttons: { supported: true, instead: null },
        callerChosenIds: { supported: true },
        block: { supported: false, instead: expect.stringMatching(/^[A-Z].+\.$/) },
      },
    });
    await runOn(engine, { id: shop, name: 'shop' }, 'WEBJS');
    expect(await of()).toMatchObject({
      platform: 'WEBJS',
      capabilities: {
        buttons: { supported: false },
        callerChosenIds: { supported: false },
        block: { supported: true },
      },
    });
    await runOn(engine, { id: shop, name: 'shop' }, 'NOWEB');
    const sent = await ask('POST', '/sendButtons', {
      tenantId: 'one',
      to: '+15550100020',
      body: 'Yes?',
      buttons: [{ type: 'reply', id: 'y', text: 'Yes' }],
    });
    expect(sent.body['renderedAs']).toBe('native');
  });

  it('shows the quota of new chats of a warned account, and tells its dashboard', async () => {
    await ask('POST', '/webhooks/endpoints', { url: 'http://127.0.0.1:9/', events: ['session.quota'] });
    const capping = { cappingStatus: 'FIRST_WARNING', usedQuota: 80, totalQuota: 100 };
    await engine.control('POST', '/sessions/shop/capping', capping);
    for (const status of ['FAILED', 'WORKING']) {
      await engine.control('POST', '/sessions/shop/status', { status });
      await eventually(async () => (await statusOf('shop')) === status);
    }
    const [event] = await eventually(async () => {
      const found = await toldPayloads(engine.database, { type: 'session.quota' });
      return found.length > 0 && found;
    });
    expect(event).toMatchObject({ step: 'first_warning' });
    expect((await ask('GET', '/tenants/one/load')).body['sessions']).toContainEqual(
      expect.objectContaining({
        sessionId: shop,
        newChats: { step: 'first_warning', used: 80, total: 100, until: null },
      }),
    );
  });

  it('gets a pairing code for a phone while its session waits for a scan', async () => {
    await eventually(async () => (await statusOf('spare')) === 'SCAN_QR_CODE');
    const asked = await ask('POST', '/sessions/spare/pairing-code', { phone: '+1 (555) 010-0020' });
    expect(asked).toMatchObject({
      status: 200,
      body: { sessionId: spare, code: expect.stringMatching(/^\w{4}-\w{4}$/), phone: '15550100020' },
    });
    expect((await ask('POST', '/sessions/spare/pairing-code', { phone: 'not a phone' })).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: '/phone' }],
    });
    expect((await ask('POST', '/sessions/shop/pairing-code', { phone: '+15550100020' })).body).toMatchObject({
      code: 'session_not_ready',
      detail: expect.stringContaining('logout'),
    });
  });
});
