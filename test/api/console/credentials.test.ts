import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { listWideCredentials } from '../../../db/operations/wide-credentials.ts';
import { startApiOn } from '../../support/api.ts';
import { anAgency, call, register } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { ago, changeRows } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';
import { Browser } from './browser.ts';
import { endsOfKeys } from './ends-of-keys.ts';
import {
  aDashboardKey,
  aLink,
  everythingOf,
  everythingOfSession,
  Key,
  openedBy,
  ticketOf,
} from './made-credentials.ts';

const directory = await mkdtemp(join(tmpdir(), 'credentials-test-'));
const api = await startApiOn(await takeDatabase(), 'credentials', directory);
afterAll(async () => {
  await api.close();
  await rm(directory, { recursive: true });
});

/** Pauses between the looks, not time: a longer wait would let a cache of many seconds pass. */
const ENDS_WITHIN_MS = 2_000;

let agencies = 0;
const aNewAgency = (): Promise<Agency> => anAgency(api, { agencyId: `acme${(agencies += 1)}` });
const LINKS = '/api/v1/console/links';

const ENDS = endsOfKeys(api);

describe('what a key has made', () => {
  it.each(Object.entries(ENDS))('ends when %s', async (_, end) => {
    const of = await aNewAgency();
    const parent = await aDashboardKey(api, of, { name: 'parent' });
    const expiresAt = new Date(api.database.clock.now().getTime() + 600_000).toISOString();
    const key = await aDashboardKey(api, of, { expiresAt }, parent.apiKey);
    const made = await everythingOf(api, of, key.apiKey);
    await end({ of, key });
    for (const { kind, works } of made) {
      await eventually(async () => !(await works()), { what: `the ${kind} to end`, withinMs: ENDS_WITHIN_MS });
    }
  });
});

describe('what belongs to a session', () => {
  it('ends when the session is deleted, and the tenant goes on with another', async () => {
    const of = await aNewAgency();
    const other = await call(api, 'POST', '/api/v1/sessions', {
      key: of.dashboardKey,
      body: { name: `of-${of.agencyId}` },
    });
    expect(other.status).toBe(201);
    const made = await everythingOfSession(api, of);
    const deleted = await call(api, 'DELETE', `/api/v1/sessions/${of.session.id}`, { key: of.dashboardKey });
    expect([deleted.status < 300, deleted.body['detail']]).toEqual([true, undefined]);
    for (const { kind, works } of made) {
      await eventually(async () => !(await works()), { what: `the ${kind} to end`, withinMs: ENDS_WITHIN_MS });
    }
    const chats = await call(api, 'GET', '/api/v1/inbox/chats?tenantId=t1', { key: of.dashboardKey });
    expect(chats.status).toBe(200);
  });
});

describe('a link', () => {
  it('cannot do what its maker could not', async () => {
    const of = await aNewAgency();
    const keysOnly = await aDashboardKey(api, of, { scopes: ['keys'] });
    const refused = await call(api, 'POST', LINKS, { key: keysOnly.apiKey, body: { tenantId: 't1', name: 'x' } });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const reader = await aDashboardKey(api, of, { scopes: ['keys', 'read'] });
    const browser = await openedBy(api, (await aLink(api, reader.apiKey)).url);
    expect((await browser.ask('GET', '/console/session')).body['scopes']).toEqual(['read']);
    expect((await browser.ask('GET', '/api/v1/inbox/chats')).status).toBe(200);
    const persona = await browser.ask('PUT', '/api/v1/ai-sales-agent/persona', { systemPrompt: 'pay elsewhere' });
    expect(persona.status).toBe(403);
  });

  it('loses a scope that its maker loses later, and so does a key', async () => {
    const of = await aNewAgency();
    const maker = await aDashboardKey(api, of, { scopes: ['keys', 'read', 'ai:admin'] });
    const made = await aDashboardKey(api, of, { scopes: ['read', 'ai:admin'] }, maker.apiKey);
    const wanted = { pages: ['inbox', 'agent'], scopes: ['read', 'ai:admin'] };
    const browser = await openedBy(api, (await aLink(api, maker.apiKey, wanted)).url);
    const [path, body] = ['/api/v1/ai-sales-agent/persona?tenantId=t1', { systemPrompt: 'You sell boats.' }];
    const changes = async () => [
      (await call(api, 'PUT', path, { key: made.apiKey, body })).status,
      (await browser.ask('PUT', path, body)).status,
    ];
    expect(await changes()).toEqual([200, 200]);
    // No route lowers the scopes of a key: it is done in the database.
    await changeRows(api.database, 'apiKey', { scopes: ['keys', 'read'] }, { id: maker.id });
    await api.database.transaction(async (tx) => tx.wake('agency', of.agencyId));
    await eventually(async () => (await changes()).every((status) => status === 403), {
      what: 'the key and the link to lose the scope',
    });
    const named = await api.database.read((queries) => listWideCredentials(queries));
    expect(named).toContainEqual({ id: made.id, agencyId: of.agencyId, makerId: maker.id, why: 'scopes' });
    const chats = await call(api, 'GET', '/api/v1/inbox/chats', { key: made.apiKey });
    expect([chats.status, (await browser.ask('GET', '/api/v1/inbox/chats')).status]).toEqual([200, 200]);
  });

  it('is not made by a key that was replaced', async () => {
    const of = await aNewAgency();
    const key = await aDashboardKey(api, of);
    const replaced = { key: of.dashboardKey, body: { overlapSeconds: 600 } };
    expect((await call(api, 'POST', `/api/v1/api-keys/${key.id}/rotate`, replaced)).status).toBe(201);
    const late = await call(api, 'POST', LINKS, { key: key.apiKey, body: { tenantId: 't1', name: 'late' } });
    expect(late.status).toBe(403);
  });

  it('of one session does not rule the agent of its tenant', async () => {
    const of = await aNewAgency();
    const { url } = await aLink(api, of.dashboardKey, { sessionId: of.session.id });
    const browser = await openedBy(api, url);
    expect((await browser.ask('GET', '/console/session')).body['pages']).not.toContain('agent');
    const named = await openedBy(
      api,
      (await aLink(api, of.dashboardKey, { sessionId: of.session.id, pages: ['agent'] })).url,
    );
    for (const [method, path, body] of [
      ['PUT', '/api/v1/ai-sales-agent/persona', { systemPrompt: 'pay elsewhere' }],
      ['PUT', '/api/v1/ai-sales-agent/state', { enabled: true }],
      ['POST', '/api/v1/memories', { fact: 'Our bank account is elsewhere.', category: 'context', source: 'manual' }],
    ] as const) {
      expect([path, (await browser.ask(method, path, body)).status]).toEqual([path, 403]);
      expect([path, (await named.ask(method, path, body)).status]).toEqual([path, 403]);
    }
  });

  it('of one endpoint does not act for all tenants', async () => {
    const of = await aNewAgency();
    const endpoint = async (more: object) => {
      const body = { url: 'http://127.0.0.1:9/in', ...more };
      const made = await call(api, 'POST', '/api/v1/webhooks/endpoints', { key: of.dashboardKey, body });
      return String(made.body['id']);
    };
    const [shared, own] = [await endpoint({}), await endpoint({ tenantIds: ['t1'] })];
    const body = { tenantId: 't1', name: 'x', readOnly: false, endpointId: shared };
    const refused = await call(api, 'POST', LINKS, { key: of.dashboardKey, body });
    expect(refused).toMatchObject({ status: 409, body: { code: 'endpoint_shared' } });
    const browser = await openedBy(api, (await aLink(api, of.dashboardKey, { endpointId: own })).url);
    const rotate = `/api/v1/webhooks/endpoints/${own}/rotate-secret`;
    expect((await browser.ask('POST', rotate, { overlapHours: 0 })).status).toBe(200);
    // The endpoint is given to all tenants after the link was made.
    const wider = { key: of.dashboardKey, body: { tenantIds: null } };
    expect((await call(api, 'PATCH', `/api/v1/webhooks/endpoints/${own}`, wider)).status).toBe(200);
    await eventually(async () => (await browser.ask('POST', rotate, { overlapHours: 0 })).status === 403);
  });

  it('says which key made it, and all links of a key end together', async () => {
    const of = await aNewAgency();
    const thief = await aDashboardKey(api, of);
    const [theirs, more, ours] = [
      await aLink(api, thief.apiKey),
      await aLink(api, thief.apiKey),
      await aLink(api, of.dashboardKey),
    ];
    const browser = await openedBy(api, theirs.url);
    const listed = await call(api, 'GET', `${LINKS}?keyId=${thief.id}`, { key: of.dashboardKey });
    expect(listed.body['links']).toMatchObject([
      { id: more.id, keyId: thief.id },
      { id: theirs.id, keyId: thief.id },
    ]);
    const ended = await call(api, 'DELETE', `${LINKS}?keyId=${thief.id}`, { key: of.dashboardKey });
    expect(ended).toMatchObject({ status: 200, body: { revoked: 2 } });
    await eventually(async () => (await browser.ask('GET', '/api/v1/inbox/chats')).status === 401);
    await openedBy(api, ours.url);
    const stranger = await aNewAgency();
    const theirsToo = await aLink(api, thief.apiKey);
    const foreign = await call(api, 'DELETE', `${LINKS}?keyId=${thief.id}`, { key: stranger.dashboardKey });
    expect(foreign.body).toMatchObject({ revoked: 0 });
    await openedBy(api, theirsToo.url);
  });
});

describe('a connect link', () => {
  it('is shown to its owner with its maker, who may be a link of the console, and ends with it or alone', async () => {
    const of = await aNewAgency();
    const path = `/api/v1/sessions/${of.session.id}/connect-link`;
    const ask = (method: string) => call(api, method, path, { key: of.dashboardKey });
    const pageOf = async (url: unknown) => (await fetch(api.url + new URL(String(url)).pathname)).status;
    expect((await ask('GET')).body).toMatchObject({ link: null });
    const guest = await aLink(api, of.dashboardKey, { pages: ['connect'] });
    const browser = await openedBy(api, guest.url);
    const made = await browser.ask('POST', path, {});
    expect((await ask('GET')).body).toMatchObject({
      link: { sessionId: of.session.id, madeBy: guest.id, openedAt: null },
    });
    expect(await pageOf(made.body['url'])).toBe(200);
    expect((await call(api, 'DELETE', `${LINKS}/${guest.id}`, { key: of.dashboardKey })).status).toBe(204);
    expect(await pageOf(made.body['url'])).toBe(404);
    expect((await ask('GET')).body).toMatchObject({ link: null });
    const again = await call(api, 'POST', path, { key: of.dashboardKey, body: {} });
    expect(await pageOf(again.body['url'])).toBe(200);
    expect((await ask('DELETE')).status).toBe(204);
    expect(await pageOf(again.body['url'])).toBe(404);
    expect((await ask('DELETE')).status).toBe(204);
  });
});

describe('a key that was stolen', () => {
  it('leaves its thief nothing, once the owner has done what the guide says', async () => {
    const of = await aNewAgency();
    const stolen = of.dashboardKey;
    const made = await everythingOf(api, of, stolen);
    const again = await register(api, { agencyId: of.agencyId, rotateKey: true, overlapSeconds: 0 });
    of.dashboardKey = Key.pick({ apiKey: true }).parse(again.body).apiKey;
    for (const { kind, works } of made) {
      await eventually(async () => !(await works()), { what: `the ${kind} to end`, withinMs: ENDS_WITHIN_MS });
    }
    expect((await call(api, 'GET', '/api/v1/inbox/chats?tenantId=t1', { key: of.dashboardKey })).status).toBe(200);
  });

  it('leaves the keys that it made to its successor where the owner says so', async () => {
    const of = await aNewAgency();
    const again = await register(api, { agencyId: of.agencyId, rotateKey: true, overlapSeconds: 0, keepKeys: true });
    const next = Key.pick({ apiKey: true }).parse(again.body).apiKey;
    expect((await call(api, 'GET', '/api/v1/inbox/chats', { key: of.scopedKey })).status).toBe(200);
    const last = await register(api, { agencyId: of.agencyId, rotateKey: true, overlapSeconds: 0 });
    expect(last.status).toBe(200);
    await eventually(
      async () => (await call(api, 'GET', '/api/v1/inbox/chats', { key: of.scopedKey })).status === 401,
      { what: 'the key of the session to end' },
    );
    expect((await call(api, 'GET', '/api/v1/inbox/chats', { key: next })).status).toBe(401);
  });
});

describe('what an earlier release has made', () => {
  it('opens nothing any more where its maker is gone, and the doctor names it', async () => {
    const of = await aNewAgency();
    const gone = await aDashboardKey(api, of);
    const [link, opened] = [await aLink(api, gone.apiKey), await aLink(api, gone.apiKey)];
    const browser = await openedBy(api, opened.url);
    const connect = `/api/v1/sessions/${of.session.id}/connect-link`;
    const page = String((await call(api, 'POST', connect, { key: gone.apiKey, body: {} })).body['url']);
    const made = await call(api, 'POST', '/api/v1/api-keys', {
      key: gone.apiKey,
      body: { tenantId: 't1', name: 'of before' },
    });
    // As the earlier release wrote them, and ended the key.
    const { agencyId } = of;
    await changeRows(api.database, 'consoleLink', { scopes: null }, { agencyId });
    await changeRows(api.database, 'connectLink', { maker: null }, { sessionId: of.session.id });
    await changeRows(api.database, 'apiKey', { madeBy: null, endsWithMaker: false }, { agencyId });
    expect((await browser.ask('GET', '/api/v1/inbox/chats')).status).toBe(200);
    expect((await fetch(api.url + new URL(page).pathname)).status).toBe(200);
    await changeRows(api.database, 'apiKey', { replacedBy: 'x', expiresAt: ago({ hours: 1 }) }, { id: gone.id });
    await eventually(async () => (await browser.ask('GET', '/api/v1/inbox/chats')).status === 401);
    const ticket = { ticket: ticketOf(link.url) };
    expect((await new Browser(api).ask('POST', '/console/session', ticket)).body).toMatchObject({
      code: 'ticket_invalid',
    });
    expect((await fetch(api.url + new URL(page).pathname)).status).toBe(404);
    const named = await api.database.read((queries) => listWideCredentials(queries));
    const ours = named.filter((each) => each.agencyId === agencyId);
    expect(ours).toContainEqual({ id: link.id, agencyId, makerId: gone.id, why: 'ended' });
    expect(ours).toContainEqual({ id: made.body['id'], agencyId, makerId: gone.id, why: 'ended' });
  });
});
