import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isOfBackend } from '../../../api/network/backend-door.ts';
import { startApiOn } from '../../support/api.ts';
import type { RunningApi } from '../../support/api.ts';
import { BACKEND_WEBHOOK_SECRET, MASTER_KEY, PSK } from '../../support/keys.ts';
import { findRows } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';

/** A part of this machine's own network plays that of the backend. */
const BACKEND_NETWORK = '127.77.0.0/16';
const [OF_BACKEND, OF_CLIENT] = ['127.77.0.5', '127.0.0.1'];
const EVENTS = '/v1/internal/backend/events';

interface Asked {
  from: string;
  to?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

describe('the network of the backend', () => {
  let api: RunningApi;
  beforeAll(async () => {
    const environment = { HOST: '0.0.0.0', METRICS_HOST: '0.0.0.0', BACKEND_NETWORK };
    api = await startApiOn(await takeDatabase(), 'backend-network', undefined, environment);
  });
  afterAll(() => api.close());

  /** A request from an address of this machine; null where the connection is cut. */
  function ask(url: string, path: string, { from, to = OF_CLIENT, method = 'GET', headers = {}, body }: Asked) {
    const { port } = new URL(url);
    return new Promise<{ status: number; text: string } | null>((resolve) => {
      const asked = request({ host: to, port, localAddress: from, path, method, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: text.slice(0, 100) }));
      });
      asked.on('error', () => resolve(null));
      asked.end(body);
    });
  }

  const SECRETS = [{ 'x-api-key': MASTER_KEY }, { authorization: `PSK ${PSK}` }];
  const PLACES: [string, string][] = [
    ['GET', '/'],
    ['GET', '/livez'],
    ['GET', '/readyz'],
    ['GET', '/docs'],
    ['GET', '/openapi.json'],
    ['GET', '/console'],
    ['GET', '/metrics'],
    ['GET', '/api/v1/admin/dashboards'],
    ['POST', '/api/v1/messages/send'],
    ['POST', '/v1/internal/dashboard/register'],
    ['GET', EVENTS],
    ['OPTIONS', EVENTS],
    ['POST', `${EVENTS}/`],
    ['POST', `${EVENTS}/../../../../api/v1/messages/send`],
    ['POST', `/V1/internal/backend/events`],
    ['POST', `//v1/internal/backend/events`],
    ['POST', `http://127.0.0.1${EVENTS}/x`],
  ];

  it.each(PLACES)('gets nothing at %s %s, with whatever secret', async (method, path) => {
    for (const headers of SECRETS) {
      expect(await ask(api.url, path, { from: OF_BACKEND, method, headers })).toEqual({ status: 404, text: '' });
      // An address of the engine's own in that network is the backend's door, too.
      const to = '127.77.0.1';
      expect(await ask(api.url, path, { from: OF_CLIENT, to, method, headers })).toEqual({ status: 404, text: '' });
    }
  });

  it('is not believed to be another by a header of a proxy', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1', 'x-api-key': MASTER_KEY };
    expect((await ask(api.url, '/api/v1/admin/dashboards', { from: OF_BACKEND, headers }))?.status).toBe(404);
  });

  it('gets no metrics', async () => {
    expect(await ask(api.metricsUrl, '/metrics', { from: OF_BACKEND })).toBe(null);
    expect(await ask(api.metricsUrl, '/metrics', { from: OF_CLIENT, to: '127.77.0.1' })).toBe(null);
    expect((await ask(api.metricsUrl, '/metrics', { from: OF_CLIENT }))?.status).toBe(200);
  });

  it('reports its events, each with a signature', async () => {
    // An event that cannot be applied would leave the table as soon as it has failed.
    const payload = { status: 'WORKING' };
    const body = JSON.stringify({ id: 'evt_1', event: 'session.status', session: 'wa_a', timestamp: 1, payload });
    const signature = createHmac('sha512', BACKEND_WEBHOOK_SECRET).update(body).digest('hex');
    const signed = { 'content-type': 'application/json', 'x-webhook-hmac': signature };
    const post = { from: OF_BACKEND, method: 'POST', body };
    expect((await ask(api.url, EVENTS, { ...post, headers: { 'x-webhook-hmac': 'no' } }))?.status).toBe(401);
    expect((await ask(api.url, EVENTS, { ...post, headers: signed }))?.status).toBe(200);
    expect(await findRows(api.database, 'backendEvent', {}, ['body'])).toEqual([{ body }]);
  });

  it('is known by its addresses in either spelling', () => {
    const is = isOfBackend([BACKEND_NETWORK, 'fd00:77::/32']);
    expect(is({ remoteAddress: `::ffff:${OF_BACKEND}`, localAddress: '::1' })).toBe(true);
    expect(is({ remoteAddress: '::1', localAddress: 'fd00:77::1' })).toBe(true);
    expect(is({ remoteAddress: '::ffff:127.78.0.5', localAddress: 'fd00:78::1' })).toBe(false);
    expect(isOfBackend([])({ remoteAddress: OF_BACKEND, localAddress: OF_BACKEND })).toBe(false);
  });

  it('leaves clients what they had', async () => {
    const headers = { 'x-api-key': MASTER_KEY };
    expect((await ask(api.url, '/api/v1/admin/dashboards', { from: OF_CLIENT, headers }))?.status).toBe(200);
  });
});
