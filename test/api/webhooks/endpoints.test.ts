import { describe, expect, it } from '@jest/globals';
import { openHeaders } from '../../../db/webhooks/endpoint-secrets.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { addRows, changeRows, countRows } from '../../support/rows.ts';
import { aScene, deliveriesOf, SECRET, storedEndpoint, signingSecrets } from './a-webhook-scene.ts';

const api = await apiOfThisFile('webhook-endpoints');
const acme = await aScene(api, 'acme');

describe('a dashboard that manages its endpoints', () => {
  it('creates one with defaults, is shown its secret once, and reads, changes and deletes it', async () => {
    const created = await acme.post('/endpoints', { url: 'https://hooks.example.com/in', headers: { 'X-Team': 'a' } });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      url: 'https://hooks.example.com/in',
      events: ['message', 'message.ack'],
      tenantIds: null,
      ordering: 'conversation',
      ratePerSecond: null,
      concurrency: 10,
      timeoutMs: 15_000,
      retryLadderMs: null,
      headers: { 'X-Team': '********' },
      status: 'active',
      source: 'api',
      health: { state: 'healthy', pending: 0, failingSince: null, nextAttemptAt: null },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const id = String(created.body['id']);
    const change = {
      events: ['session.status', 'session.status'],
      ordering: 'fifo',
      ratePerSecond: 5,
      description: 'x',
    };
    const ladder = { retryLadderMs: [0, 1_000], headers: { 'x-team': 'b', 'X-More': 'c' }, timeoutMs: 2_000 };
    expect((await acme.patch(`/endpoints/${id}`, { ...change, ...ladder })).body).toMatchObject({
      ...change,
      ...ladder,
      events: ['session.status'],
      headers: { 'x-team': '********', 'X-More': '********' },
    });
    expect(openHeaders(api.database.secrets, id, (await storedEndpoint(api, 'acme', id)).headers)).toEqual({
      'x-team': 'b',
      'X-More': 'c',
    });
    const less = await acme.patch(`/endpoints/${id}`, { headers: { 'X-Team': null }, ratePerSecond: null });
    expect(less.body).toMatchObject({ headers: { 'X-More': '********' }, ratePerSecond: null, ordering: 'fifo' });
    const read = await acme.get(`/endpoints/${id}`);
    expect(read.body).not.toHaveProperty('secret');
    expect(read.body['history']).toMatchObject([
      { action: 'change' },
      { action: 'change' },
      { action: 'create', actor: 'api' },
    ]);
    expect((await acme.del(`/endpoints/${id}`)).status).toBe(204);
    expect((await acme.get(`/endpoints/${id}`)).status).toBe(404);
    expect((await acme.del(`/endpoints/${id}`)).status).toBe(404);
  });

  it.each([
    ['http://10.0.0.5/in', 'blocked_address'],
    ['https://[fd00::1]/in', 'blocked_address'],
    ['https://169.254.169.254/in', 'blocked_address'],
    ['http://93.184.216.34/in', 'insecure_url'],
  ])('is warned that nothing will be delivered to %s, which is taken all the same', async (url, why) => {
    const created = await acme.post('/endpoints', { url });
    expect(created).toMatchObject({ status: 201, body: { url, warning: expect.stringContaining(why) } });
    const endpoint = `/endpoints/${String(created.body['id'])}`;
    const read = await acme.get(endpoint);
    expect(read.body).not.toHaveProperty('warning');
    const mended = await acme.patch(endpoint, { url: 'https://hooks.example.com/in' });
    expect(mended).toMatchObject({ status: 200, body: { warning: null } });
    expect((await acme.patch(endpoint, { url })).body['warning']).toContain(why);
    await acme.del(endpoint);
  });

  // The configuration of the tests allows this machine, as `npm start` does with the sandbox.
  it.each(['http://127.0.0.1:9/in', 'http://localhost:9/in', 'http://hooks.internal/in', 'https://93.184.216.34/in'])(
    'is not warned of %s, which is allowed, or of which only a look-up tells',
    async (url) => {
      const created = await acme.post('/endpoints', { url });
      expect(created).toMatchObject({ status: 201, body: { warning: null } });
      await acme.del(`/endpoints/${String(created.body['id'])}`);
    },
  );

  it('lists them in pages, with its own of the registration first', async () => {
    await acme.endpoint({ tenantIds: ['t1'] });
    await acme.endpoint({ tenantIds: ['t2'] });
    const first = await acme.get('/endpoints?limit=1');
    expect(first.body).toMatchObject({
      endpoints: [{ id: acme.dashboardEndpoint, source: 'dashboard' }],
      hasMore: true,
    });
    const rest = await acme.get(`/endpoints?cursor=${String(first.body['nextCursor'])}`);
    expect(rest.body).toMatchObject({ endpoints: [{ tenantIds: ['t1'] }, { tenantIds: ['t2'] }], hasMore: false });
    expect((await acme.get('/endpoints?tenantId=t2')).body['endpoints']).toHaveLength(2);
    expect((await acme.get('/endpoints?cursor=nonsense')).status).toBe(422);
    expect(JSON.stringify([first.body, rest.body])).not.toContain(SECRET);
  });

  it.each([
    ['a URL that is none', { url: 'hooks' }],
    ['another protocol', { url: 'ftp://hooks.example.com' }],
    ['credentials in the URL', { url: 'https://u:p@hooks.example.com' }],
    ['a short secret', { secret: 'short' }],
    ['a secret that is not base64 after whsec_', { secret: `whsec_${'!'.repeat(40)}` }],
    ['an unknown event', { events: ['message.lost'] }],
    ['no event', { events: [] }],
    ['the test event', { events: ['endpoint.test'] }],
    ['an unknown ordering', { ordering: 'random' }],
    ['a rate of nothing', { ratePerSecond: 0 }],
    ['too many at a time', { concurrency: 101 }],
    ['a timeout that is too long', { timeoutMs: 30_001 }],
    ['a ladder that is too long', { retryLadderMs: Array.from({ length: 21 }, () => 1) }],
    ['a step of more than a day', { retryLadderMs: [86_400_001] }],
    ['a header of the signature', { headers: { 'Webhook-Id': 'x' } }],
    ['a header of ours', { headers: { 'x-engine-signature-256': 'x' } }],
    ['a header of HTTP', { headers: { 'Content-Length': '1' } }],
    ['the host', { headers: { HOST: 'x' } }],
    ['a hop-by-hop header', { headers: { 'transfer-encoding': 'chunked' } }],
    ['a cookie', { headers: { cookie: 'a=b' } }],
    ['a header with a line break', { headers: { 'x-a': 'b\r\nwebhook-id: c' } }],
    ['a name with a space', { headers: { 'x a': 'b' } }],
    ['an unknown field', { colour: 'red' }],
  ])('is refused %s', async (_what, body) => {
    const answer = await acme.post('/endpoints', { url: 'https://hooks.example.com', ...body });
    expect(answer.status).toBe(422);
    expect(answer.body['errors']).toHaveLength(1);
  });

  it('may have a hundred of its own, and no more', async () => {
    const many = await aScene(api, 'many');
    await addRows(api.database, 'endpoint', 99, (n) => ({
      id: `whe_${n}`,
      agencyId: 'many',
      url: 'http://127.0.0.1:9',
      secret: Buffer.alloc(1),
      events: ['message'],
    }));
    await many.endpoint();
    expect((await many.post('/endpoints', { url: 'http://127.0.0.1:9' })).body).toMatchObject({
      code: 'endpoint_limit',
    });
  });

  it('gets the same answer to a repeated request, and no second endpoint', async () => {
    const headers = { 'idempotency-key': 'once' };
    const [first, second] = [
      await acme.post('/endpoints', { url: 'http://127.0.0.1:9/once' }, headers),
      await acme.post('/endpoints', { url: 'http://127.0.0.1:9/once' }, headers),
    ];
    expect(second.body).toEqual(first.body);
    expect(await countRows(api.database, 'endpoint', { url: 'http://127.0.0.1:9/once' })).toBe(1);
  });

  it('gives an endpoint a new secret; the old ones sign along for a while, three at most', async () => {
    const { id } = await acme.endpoint({ secret: 'first'.repeat(8) });
    const rotated = await acme.post(`/endpoints/${id}/rotate-secret`, { secret: 'second'.repeat(8), overlapHours: 1 });
    expect(rotated.body).toMatchObject({ secret: 'second'.repeat(8), oldSecretsUntil: [expect.any(String)] });
    expect(await signingSecrets(api, 'acme', id)).toEqual(['second'.repeat(8), 'first'.repeat(8)]);
    const made = await acme.post(`/endpoints/${id}/rotate-secret`);
    expect(await signingSecrets(api, 'acme', id)).toEqual([made.body['secret'], 'second'.repeat(8), 'first'.repeat(8)]);
    api.database.clock.advance(2 * 3_600_000);
    expect(await signingSecrets(api, 'acme', id)).toEqual([made.body['secret'], 'second'.repeat(8)]);
    for (let n = 0; n < 4; n += 1) await acme.post(`/endpoints/${id}/rotate-secret`);
    expect(await signingSecrets(api, 'acme', id)).toHaveLength(4);
    const last = await acme.post(`/endpoints/${id}/rotate-secret`, { overlapHours: 0 });
    expect((await signingSecrets(api, 'acme', id))?.[0]).toBe(last.body['secret']);
    expect(JSON.stringify((await acme.get(`/endpoints/${id}`)).body)).not.toContain(String(last.body['secret']));
  });

  it('repeats a rotation that was done, or does two at once, and no secret that signs is lost', async () => {
    const { id } = await acme.endpoint({ secret: 'first'.repeat(8) });
    const [a, b] = ['A'.repeat(40), 'B'.repeat(40)];
    const rotate = (secret: string) => acme.post(`/endpoints/${id}/rotate-secret`, { secret });
    await Promise.all([rotate(a), rotate(b)]);
    const both = await signingSecrets(api, 'acme', id);
    expect(both?.toSorted()).toEqual([a, b, 'first'.repeat(8)]);
    for (let n = 0; n < 2; n += 1) expect((await rotate(both?.[0] ?? '')).body['oldSecretsUntil']).toHaveLength(2);
    expect(await signingSecrets(api, 'acme', id)).toEqual(both);
    await rotate('first'.repeat(8));
    expect((await signingSecrets(api, 'acme', id))?.toSorted()).toEqual([a, b, 'first'.repeat(8)]);
  });

  it('adds headers from two sides, twenty at most, each once whatever its case', async () => {
    const { id } = await acme.endpoint({ headers: { 'x-a': '1' } });
    const patch = (headers: object) => acme.patch(`/endpoints/${id}`, { headers });
    await Promise.all([patch({ 'x-b': '2' }), patch({ 'x-c': '3' })]);
    expect(openHeaders(api.database.secrets, id, (await storedEndpoint(api, 'acme', id)).headers)).toEqual({
      'x-a': '1',
      'x-b': '2',
      'x-c': '3',
    });
    const many = Object.fromEntries(Array.from({ length: 18 }, (_, n) => [`y-${n}`, '']));
    expect((await patch(many)).body['errors']).toMatchObject([{ pointer: '/headers' }]);
    expect((await patch({ 'X-D': '', 'x-d': '' })).body['errors']).toMatchObject([{ pointer: '/headers' }]);
  });

  it('begins again with another URL where the engine had disabled it, not where a person had', async () => {
    const { id } = await acme.endpoint();
    const disable = (reason: string) =>
      changeRows(api.database, 'endpoint', { status: 'disabled', disabledReason: reason }, { id });
    await disable('gone');
    expect((await acme.patch(`/endpoints/${id}`, { description: 'x' })).body).toMatchObject({ status: 'disabled' });
    const moved = await acme.patch(`/endpoints/${id}`, { url: 'HTTP://127.0.0.1:9/a/../moved' });
    expect(moved.body).toMatchObject({ status: 'active', disabledReason: null, url: 'http://127.0.0.1:9/moved' });
    await disable('by_request');
    expect((await acme.patch(`/endpoints/${id}`, { url: 'http://127.0.0.1:9/on' })).body).toMatchObject({
      status: 'disabled',
    });
  });

  it('can pause its own endpoint of the registration, but not delete it or give it to one tenant', async () => {
    const own = `/endpoints/${acme.dashboardEndpoint}`;
    expect((await acme.del(own)).body).toMatchObject({ code: 'endpoint_managed' });
    expect((await acme.patch(own, { tenantIds: ['t1'] })).body).toMatchObject({ code: 'endpoint_managed' });
    expect((await acme.post(`${own}/pause`)).body).toMatchObject({ status: 'paused' });
    await acme.post(`${own}/resume`);
  });

  it('tries an endpoint with a test event that goes there alone, past what waits', async () => {
    const { id } = await acme.endpoint({ events: ['session.status'], ordering: 'fifo', tenantIds: ['t1'] });
    const tried = await acme.post(`/endpoints/${id}/test`);
    expect(tried.status).toBe(202);
    const event = await acme.get(`/events/${String(tried.body['eventId'])}`);
    expect(event.body).toMatchObject({
      type: 'endpoint.test',
      test: true,
      tenantId: 't1',
      deliveries: [{ endpointId: id }],
    });
    expect(JSON.parse(String(event.body['body']))).toMatchObject({
      metadata: { test: true, sequence: 0 },
      payload: { endpointId: id },
    });
    const example = await acme.post(`/endpoints/${id}/test`, { event: 'message' });
    expect((await acme.get(`/events/${String(example.body['eventId'])}`)).body).toMatchObject({
      type: 'message',
      test: true,
    });
    expect((await deliveriesOf(api, id)).every((row) => row.ready)).toBe(true);
    expect((await acme.post(`/endpoints/${id}/test`, { event: 'nonsense' })).status).toBe(422);
  });

  it('deletes an endpoint: what waits is cancelled and its past stays', async () => {
    const { id } = await acme.endpoint();
    await acme.message('deleted');
    const [delivery] = await deliveriesOf(api, id);
    await acme.del(`/endpoints/${id}`);
    await acme.message('deleted');
    expect(await deliveriesOf(api, id)).toMatchObject([{ id: delivery?.id, status: 'cancelled' }]);
    expect((await acme.get(`/deliveries?endpointId=${id}`)).body['deliveries']).toHaveLength(1);
    expect((await acme.post(`/deliveries/${delivery?.id}/resend`)).status).toBe(404);
  });
});
