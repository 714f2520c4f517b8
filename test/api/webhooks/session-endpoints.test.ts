import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { deleteEndpointsOf } from '../../../db/webhooks/session-endpoints.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';
import { among, changeRows, countRows, findRows } from '../../support/rows.ts';
import { aMessageEvent, aScene, deliveriesOf, signingSecrets } from './a-webhook-scene.ts';

const api = await apiOfThisFile('session-endpoints');
const acme = await aScene(api, 'acme');
const WithKey = z.object({ apiKey: z.string() });
const WithId = z.object({ id: z.string() });
const Listed = z.object({ endpoints: z.array(WithId.extend({ url: z.string() })) });
const session = acme.sessions.t1;
const otherSession = WithId.parse(
  (await call(api, 'POST', '/api/v1/sessions', { key: acme.key, body: { tenantId: 't1', name: 'two' } })).body,
).id;
const key = await aKey(session);

async function aKey(sessionId: string): Promise<string> {
  const body = { tenantId: 't1', sessionId, name: 'n8n', scopes: ['send', 'read', 'webhooks'] };
  return WithKey.parse((await call(api, 'POST', '/api/v1/api-keys', { key: acme.key, body })).body).apiKey;
}

const at = (of: string) => `/api/v1/sessions/${of}/webhooks`;
const put = (body: object, { of = session, by = key } = {}): Promise<Answer> =>
  call(api, 'PUT', at(of), { key: by, body });
const list = async () => Listed.parse((await call(api, 'GET', at(session), { key })).body).endpoints;
const remove = (id: string, by = key) => call(api, 'DELETE', `${at(session)}/${id}`, { key: by });

/** Tells a message of a session in a conversation of its own, and answers who gets it. */
async function told(sessionId: string, conversation: string): Promise<string[]> {
  const of = { agencyId: 'acme', tenantId: 't1', sessionId };
  await api.database.transaction(async (tx) => tx.emit(aMessageEvent(of, conversation)));
  const found = await findRows(
    api.database,
    'delivery',
    { eventId: among('event', { conversationId: conversation }) },
    { id: 'endpointId' },
  );
  return found.map(({ id }) => id);
}

describe("a session's key with the scope for it", () => {
  it('has the events of its session posted to a URL, and those of no other session of the tenant', async () => {
    const made = await put({ url: 'https://n8n.example/webhook/a', description: 'n8n' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      url: 'https://n8n.example/webhook/a',
      events: ['message', 'message.ack'],
      tenantIds: ['t1'],
      sessionId: session,
      description: 'n8n',
      status: 'active',
      source: 'api',
      secret: expect.stringMatching(/^whsec_/),
    });
    const { id } = WithId.parse(made.body);
    expect(await told(session, 'cnv_own')).toContain(id);
    expect(await told(otherSession, 'cnv_other')).not.toContain(id);
    expect((await acme.get(`/endpoints/${id}`)).body).toMatchObject({
      sessionId: session,
      history: [{ action: 'create' }],
    });
    expect((await remove(id)).status).toBe(204);
    expect(await told(session, 'cnv_gone')).not.toContain(id);
    expect(await deliveriesOf(api, id)).toMatchObject([{ status: 'cancelled' }]);
    expect((await remove(id)).status).toBe(404);
  });

  it('has one endpoint for each URL: asked again it changes, with a secret that is known to who asked', async () => {
    const url = 'https://n8n.example/webhook/again';
    const first = await put({ url });
    const second = await put({ url: 'HTTPS://n8n.example:443/webhook/x/../again', events: ['message.ack'] });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toMatchObject({ id: first.body['id'], url, events: ['message.ack'] });
    const { id } = WithId.parse(first.body);
    expect(await signingSecrets(api, 'acme', id)).toEqual([second.body['secret'], first.body['secret']]);
    const given = 'given'.repeat(8);
    expect((await put({ url, secret: given })).body).toMatchObject({
      id,
      secret: given,
      events: ['message', 'message.ack'],
    });
    expect((await list()).filter((each) => each.url === url)).toHaveLength(1);
    await remove(id);
  });

  it('makes one endpoint when it asks twice at the same time', async () => {
    const url = 'https://n8n.example/webhook/twice';
    const answers = await Promise.all([put({ url }), put({ url }), put({ url })]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    expect(await countRows(api.database, 'endpoint', { url })).toBe(1);
    await remove(String(answers[0]?.body['id']));
  });

  it('lets one go on that the engine has disabled, and not one that a person has paused', async () => {
    const url = 'https://n8n.example/webhook/disabled';
    const { id } = WithId.parse((await put({ url })).body);
    await changeRows(api.database, 'endpoint', { status: 'disabled', disabledReason: 'failing_for_days' }, { id });
    expect((await put({ url })).body).toMatchObject({ id, status: 'active', disabledReason: null });
    await acme.post(`/endpoints/${id}/pause`);
    expect((await put({ url })).body).toMatchObject({ id, status: 'paused' });
    await remove(id);
  });

  it("does not take over what the agency's endpoint with the same URL gets", async () => {
    const { id: agencys } = await acme.endpoint({ url: 'https://crm.example/in' });
    const { id } = WithId.parse((await put({ url: 'https://crm.example/in' })).body);
    await acme.post(`/endpoints/${agencys}/pause`);
    const receivers = await told(session, 'cnv_shared');
    expect(receivers).toEqual(expect.arrayContaining([agencys, id]));
    await remove(id);
  });

  it('is given the events of its session alone when somebody replays or resends', async () => {
    const { id } = WithId.parse((await put({ url: 'https://n8n.example/webhook/replayed' })).body);
    const since = '2020-01-01T00:00:00Z';
    await told(otherSession, 'cnv_never');
    const [theirs] = await findRows(api.database, 'event', { conversationId: 'cnv_never' }, ['id']);
    const resent = await acme.post(`/events/${theirs?.id ?? ''}/resend`, { endpointId: id });
    expect(resent).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await acme.post(`/endpoints/${id}/replay`, { since });
    const events = { id: among('delivery', { endpointId: id }, 'eventId') };
    const given = await findRows(api.database, 'event', events, ['sessionId']);
    expect(new Set(given.map(({ sessionId }) => sessionId))).toEqual(new Set([session]));
    await remove(id);
  });

  it('may have ten, beside the hundred of its agency', async () => {
    const of = otherSession;
    const by = await aKey(of);
    for (let n = 0; n < 10; n += 1)
      expect((await put({ url: `https://n8n.example/${n}` }, { of, by })).status).toBe(201);
    const refused = await put({ url: 'https://n8n.example/10' }, { of, by });
    expect(refused).toMatchObject({ status: 409, body: { code: 'endpoint_limit' } });
    expect((await put({ url: 'https://n8n.example/9' }, { of, by })).status).toBe(200);
    await api.database.transaction((tx) => deleteEndpointsOf(tx, of));
    expect(await countRows(api.database, 'endpoint', { sessionId: of, deletedAt: null })).toBe(0);
    expect(await countRows(api.database, 'endpoint', { sessionId: session, deletedAt: null })).toBe(0);
  });

  it('cannot change whose events it gets, also by the dashboard', async () => {
    const { id } = WithId.parse((await put({ url: 'https://n8n.example/webhook/fixed' })).body);
    expect((await acme.patch(`/endpoints/${id}`, { tenantIds: null })).body).toMatchObject({
      code: 'endpoint_managed',
    });
    expect((await put({ url: 'https://n8n.example/', tenantIds: ['t2'] })).status).toBe(422);
    await remove(id);
  });
});

describe('the endpoints of a session are closed to', () => {
  it("a session's key without the scope", async () => {
    const refused = await put({ url: 'https://n8n.example/' }, { by: acme.scopedKey });
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringContaining('webhooks') },
    });
    expect((await call(api, 'GET', at(session), { key: acme.scopedKey })).status).toBe(403);
  });

  it("another session's key, which also cannot delete an endpoint of the agency", async () => {
    const by = await aKey(otherSession);
    expect((await put({ url: 'https://n8n.example/' }, { by })).status).toBe(404);
    const { id } = WithId.parse((await put({ url: 'https://n8n.example/mine' })).body);
    expect((await remove(id, by)).status).toBe(404);
    expect((await call(api, 'DELETE', `${at(otherSession)}/${id}`, { key: by })).status).toBe(404);
    expect((await remove(acme.dashboardEndpoint)).status).toBe(404);
    expect((await list()).map((each) => each.id)).toEqual([id]);
    await remove(id);
  });
});
