import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';
import { eventually } from './eventually.ts';
import { aWebhookInbox } from './webhook-inbox.ts';
import type { WebhookInbox } from './webhook-inbox.ts';

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
    const statuses = inbox.received.map(({ event }) => event.payload['status']);
    expect(new Set(statuses)).toEqual(new Set(['STOPPED', 'STARTING', 'SCAN_QR_CODE', 'WORKING']));
    for (const { event, raw, headers } of inbox.received) {
      expect(headers['x-webhook-hmac']).toBe(createHmac('sha512', 'secret').update(raw).digest('hex'));
      expect(headers['x-webhook-hmac-algorithm']).toBe('sha512');
      expect(headers['x-webhook-timestamp']).toBe(String(event.timestamp));
      expect(headers['x-webhook-request-id']).toMatch(/^[0-9A-Z]{26}$/);
      expect(event).toMatchObject({ session: 'shop', metadata: { tenant: '7' }, engine: 'NOWEB' });
      expect(event.id).toMatch(/^evt_[0-9a-z]{26}$/);
    }
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
