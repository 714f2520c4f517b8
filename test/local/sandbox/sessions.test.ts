import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';
import { eventually } from './eventually.ts';
import { aWebhookInbox } from './webhook-inbox.ts';
import type { WebhookInbox } from './webhook-inbox.ts';

const Report = z.object({
  status: z.string(),
  me: z.unknown(),
  statuses: z.array(z.object({ timestamp: z.number() })),
});

/** The reports of a session's status as the times in them order them, whatever order they came in. */
function inTime(inbox: WebhookInbox) {
  return inbox
    .of('session.status')
    .map(({ me, payload }) => Report.parse({ me, ...payload }))
    .toSorted((a, b) => (a.statuses.at(-1)?.timestamp ?? 0) - (b.statuses.at(-1)?.timestamp ?? 0))
    .map(({ status, me, statuses }) => ({ status, me: me !== null, told: statuses.length }));
}

describe('sessions of the sandbox', () => {
  let sandbox: ASandbox;
  let inbox: WebhookInbox;

  beforeEach(async () => {
    sandbox = await aSandbox({ autoScanAfterMs: null });
    inbox = await aWebhookInbox();
  });

  afterEach(async () => {
    await sandbox.close();
    inbox.close();
  });

  const aSessionWithQr = async () => {
    const webhooks = [{ url: inbox.url, events: ['session.status'], hmac: { key: 'secret' } }];
    await sandbox.post('/api/sessions', { name: 'shop', config: { metadata: { tenant: '7' }, webhooks } });
    await eventually('a QR', async () => (await sandbox.get('/api/sessions/shop')).text.includes('SCAN_QR_CODE'));
  };

  it('a new session shows its QR as a picture, as JSON and raw', async () => {
    await aSessionWithQr();
    const picture = await sandbox.get('/api/shop/auth/qr');
    expect(picture.headers.get('content-type')).toBe('image/png');
    const json = await sandbox.call('GET', '/api/shop/auth/qr', undefined, { accept: 'application/json' });
    expect(json.json()).toMatchObject({ mimetype: 'image/png', data: expect.stringMatching(/^iVBOR/) });
    const combined = await sandbox.call('GET', '/api/shop/auth/qr', undefined, { accept: 'application/json, */*' });
    expect(combined.headers.get('content-type')).toBe('image/png');
    const raw = await sandbox.get('/api/shop/auth/qr?format=raw');
    expect(raw.json()).toMatchObject({ value: expect.stringMatching(/^2@/) });
  });

  it('a scanned session works and told every step in signed webhooks', async () => {
    await aSessionWithQr();
    const scanned = await sandbox.post('/sandbox/sessions/shop/scan');
    expect(scanned.json()).toMatchObject({ status: 'WORKING', me: { pushName: 'Sandbox shop' } });
    await eventually('four events', () => inbox.received.length === 4);
    expect(inTime(inbox)).toEqual([
      { status: 'STARTING', me: false, told: 1 },
      { status: 'SCAN_QR_CODE', me: false, told: 2 },
      { status: 'STARTING', me: true, told: 3 },
      { status: 'WORKING', me: true, told: 3 },
    ]);
    for (const { event, raw, headers } of inbox.received) {
      expect(headers['x-webhook-hmac']).toBe(createHmac('sha512', 'secret').update(raw).digest('hex'));
      expect(headers['x-webhook-hmac-algorithm']).toBe('sha512');
      expect(headers['x-webhook-timestamp']).toBe(String(event.timestamp));
      expect(headers['x-webhook-request-id']).toMatch(/^[0-9A-Z]{26}$/);
      expect(event).toMatchObject({ session: 'shop', metadata: { tenant: '7' }, engine: 'NOWEB' });
      expect(event.id).toMatch(/^evt_[0-9a-z]{26}$/);
    }
  });

  it('a session that is restarted or logged out tells each step, and who it is as far as it knows', async () => {
    await aSessionWithQr();
    await sandbox.post('/sandbox/sessions/shop/scan');
    const steps = async (act: string, count: number) => {
      const before = inTime(inbox).length;
      await sandbox.post(`/api/sessions/shop/${act}`);
      await eventually(`the steps of ${act}`, () => inbox.received.length === before + count);
      return inTime(inbox)
        .slice(before)
        .map(({ status, me }) => `${status} ${me}`);
    };
    await eventually('the scan', () => inbox.received.length === 4);
    expect(await steps('restart', 3)).toEqual(['STOPPED true', 'STARTING false', 'WORKING true']);
    expect(await steps('logout', 3)).toEqual(['STOPPED true', 'STARTING false', 'SCAN_QR_CODE false']);
  });

  it('nobody is told who a session is before its login: its account is empty and left out', async () => {
    await aSessionWithQr();
    const me = await sandbox.get('/api/sessions/shop/me');
    expect({ status: me.status, text: me.text }).toEqual({ status: 200, text: '' });
    expect((await sandbox.get('/api/sessions/shop')).json()).not.toHaveProperty('me');
    expect((await sandbox.get('/api/sessions')).text).not.toContain('"me"');
  });

  it('a name of more than 54 characters is refused', async () => {
    const refused = await sandbox.post('/api/sessions', { name: 'x'.repeat(55) });
    expect(refused.status).toBe(400);
    expect(refused.json()).toEqual({
      message: ['name must be shorter than or equal to 54 characters'],
      error: 'Bad Request',
      statusCode: 400,
    });
    expect((await sandbox.post('/api/sessions', { name: 'x'.repeat(54) })).status).toBe(201);
  });

  it('a session that the backend has lost is gone without a word, and needs no scan when it is made again', async () => {
    await aSessionWithQr();
    await sandbox.post('/sandbox/sessions/shop/scan');
    const me = (await sandbox.get('/api/sessions/shop/me')).json();
    await eventually('the scan to be told', () => inbox.received.length === 4);
    const told = inbox.received.length;
    await sandbox.post('/sandbox/sessions/shop/lose');
    expect((await sandbox.get('/api/sessions/shop')).status).toBe(404);
    expect((await sandbox.get('/api/sessions?all=true')).json()).toEqual([]);
    expect(inbox.received).toHaveLength(told);
    await sandbox.post('/api/sessions', { name: 'shop' });
    await eventually('it works', async () => (await sandbox.get('/api/sessions/shop')).text.includes('"WORKING"'));
    expect((await sandbox.get('/api/sessions/shop/me')).json()).toEqual(me);
  });

  it('a session that the backend has lost has the engine that was chosen for it when it is made again', async () => {
    await aSessionWithQr();
    await sandbox.post('/sandbox/sessions/shop/engine', { engine: 'GOWS' });
    await sandbox.post('/sandbox/sessions/shop/lose');
    await sandbox.post('/api/sessions', { name: 'shop' });
    expect((await sandbox.get('/api/sessions/shop')).json()).toMatchObject({ engine: { engine: 'GOWS' } });
  });

  it('a session that does not work blocks a send and then refuses it with 422', async () => {
    await aSessionWithQr();
    const refused = await sandbox.sendText('shop', '15550100020@c.us', 'too early');
    expect(refused.status).toBe(422);
    expect(refused.json()).toMatchObject({ session: 'shop', status: 'SCAN_QR_CODE', expected: ['WORKING'] });
    const unknown = await sandbox.sendText('nobody', '15550100020@c.us', 'hello');
    expect(unknown.json()).toEqual({ error: 'Session "nobody" does not exist', session: 'nobody' });
    expect((await sandbox.record()).sends.map((send) => send.reachedNetwork)).toEqual([false, false]);
  });

  it('a session is stopped, started without a new QR, logged out into a QR, and deleted twice', async () => {
    await aSessionWithQr();
    await sandbox.post('/sandbox/sessions/shop/scan');
    const status = async () => (await sandbox.get('/api/sessions/shop')).text;
    await sandbox.post('/api/sessions/shop/stop');
    expect(await status()).toContain('"STOPPED"');
    await sandbox.post('/api/sessions/shop/start');
    await eventually('it works again', async () => (await status()).includes('"WORKING"'));
    await sandbox.post('/api/sessions/shop/logout');
    await eventually('it shows a QR', async () => (await status()).includes('"SCAN_QR_CODE"'));
    expect((await sandbox.call('DELETE', '/api/sessions/shop')).status).toBe(200);
    expect((await sandbox.call('DELETE', '/api/sessions/shop')).status).toBe(200);
    expect((await sandbox.get('/api/sessions/shop')).status).toBe(404);
  });

  it('errors have the shapes of the real backend', async () => {
    const anonymous = await fetch(`${sandbox.url}/api/sessions`);
    expect(anonymous.status).toBe(401);
    expect(await anonymous.json()).toEqual({ message: 'Unauthorized', statusCode: 401 });
    expect(anonymous.headers.get('x-sandbox')).toBe('simulation');
    expect((await fetch(`${sandbox.url}/ping`)).status).toBe(200);
    const unknown = await sandbox.post('/api/sessions/restart');
    expect(unknown.json()).toEqual({
      message: 'Cannot POST /api/sessions/restart',
      error: 'Not Found',
      statusCode: 404,
    });
    expect((await sandbox.post('/api/sessions', { name: 'no spaces' })).status).toBe(400);
    await sandbox.post('/api/sessions', { name: 'twice', start: false });
    const again = await sandbox.post('/api/sessions', { name: 'twice' });
    expect(again.status).toBe(422);
    expect(again.text).toContain('already exists. Use PUT to update it.');
  });
});
