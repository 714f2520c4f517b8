import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { makeConsoleLink } from '../../../db/tenants/console-link.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { Browser } from './browser.ts';

const api = await apiOfThisFile('console-login');
const acme = await anAgency(api, { agencyId: 'acme' });
const globex = await anAgency(api, { agencyId: 'globex' });
const SESSION = '/console/session';

const browser = (): Browser => new Browser(api);
async function loggedIn(apiKey: string): Promise<Browser> {
  const made = browser();
  expect((await made.login(apiKey)).status).toBe(200);
  return made;
}

const Key = z.object({ id: z.string(), apiKey: z.string() });
async function aKey(of = acme): Promise<z.output<typeof Key>> {
  const body = { agencyId: of.agencyId, name: 'to be lost' };
  return Key.parse((await call(api, 'POST', '/api/v1/api-keys/dashboard', { key: of.dashboardKey, body })).body);
}

async function ticketOf(masterKey: string, expiresAt = new Date(Date.now() + 60_000)): Promise<string> {
  const link = {
    place: null,
    name: 'a start',
    readOnly: false,
    scopes: null,
    pages: null,
    embedIn: [],
    loginSeconds: 600,
  };
  return (await api.database.statement((tx) => makeConsoleLink(tx, { ...link, by: { masterKey }, expiresAt }))).ticket;
}

describe('a login to the console', () => {
  it('takes each kind of key, and tells whose it is by a cookie that no script can read', async () => {
    const master = browser();
    const answer = await master.login(MASTER_KEY);
    expect(answer.body).toMatchObject({ kind: 'master', agencyId: null, scopes: 'all', readOnly: false, pages: null });
    // The network of these tests is no sandbox of `npm start`, and nobody said where Temporal's pages are.
    expect(answer.body).toMatchObject({ temporalUi: null, mediaOrigin: 'http://media.test', sandbox: false });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^engine_console_80=clg_[\w-]+\.[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(JSON.stringify(answer.body)).not.toContain(MASTER_KEY);
    expect((await (await loggedIn(acme.dashboardKey)).ask('GET', SESSION)).body).toMatchObject({
      kind: 'dashboard',
      agencyId: 'acme',
      tenantId: null,
    });
    expect((await (await loggedIn(acme.scopedKey)).ask('GET', SESSION)).body).toMatchObject({
      kind: 'session',
      agencyId: 'acme',
      tenantId: 't1',
      sessionId: acme.session.id,
      keyName: 'n8n',
    });
  });

  it('is refused without a key of the engine, and with more than one thing', async () => {
    const other = browser();
    expect((await other.login(`${acme.dashboardKey}x`)).body).toMatchObject({ status: 401, code: 'unauthorized' });
    expect((await other.ask('POST', SESSION, {})).status).toBe(422);
    expect((await other.ask('POST', SESSION, { apiKey: MASTER_KEY, ticket: 'x' })).status).toBe(422);
    expect(other.cookie).toBe('');
    expect((await other.ask('GET', SESSION)).body).toMatchObject({ status: 401, code: 'unauthorized' });
  });

  it('opens what its key opens, and nothing of another agency', async () => {
    const dashboard = await loggedIn(acme.dashboardKey);
    expect((await dashboard.ask('GET', '/api/v1/webhooks/endpoints')).status).toBe(200);
    expect((await dashboard.ask('GET', '/api/v1/admin/dashboards')).body).toMatchObject({ code: 'forbidden' });
    expect((await dashboard.ask('GET', `/api/v1/sessions/${globex.session.id}`)).status).toBe(404);
    const scoped = await loggedIn(acme.scopedKey);
    expect((await scoped.ask('GET', '/api/v1/api-keys')).body).toMatchObject({ code: 'forbidden' });
    const settings = '/api/v1/tenants/t1/settings';
    const put = await dashboard.ask('PUT', settings, { country: 'DE' });
    expect(put.status).toBe(200);
    const audit = await dashboard.ask('GET', '/api/v1/audit?object=settings');
    const keyId = acme.dashboardKey.split('_')[2];
    expect(audit.body).toMatchObject({ entries: [{ objectId: 't1', keyId }] });
    const stream = await dashboard.ask('GET', '/api/v1/events/stream?after=start');
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
  });

  it('does not count beside a key that is sent', async () => {
    const dashboard = await loggedIn(acme.dashboardKey);
    const headers = { 'x-api-key': globex.dashboardKey, 'sec-fetch-site': 'cross-site', 'x-requested-with': '' };
    const keys = await dashboard.ask('GET', '/api/v1/api-keys', undefined, headers);
    expect(keys.body).toMatchObject({ apiKeys: [{ agencyId: 'globex' }, { agencyId: 'globex' }] });
  });

  it('ends by itself, by its key, and leaves others alone', async () => {
    const one = await loggedIn(acme.dashboardKey);
    const other = await loggedIn(acme.dashboardKey);
    const stolen = one.cookie;
    expect((await one.ask('DELETE', SESSION)).status).toBe(204);
    expect(one.cookie).toBe('');
    one.cookie = stolen;
    expect((await one.ask('GET', '/api/v1/webhooks/endpoints')).status).toBe(401);
    expect((await other.ask('GET', '/api/v1/webhooks/endpoints')).status).toBe(200);

    const [lost, replaced] = [await aKey(), await aKey()];
    const [byLost, byReplaced] = [await loggedIn(lost.apiKey), await loggedIn(replaced.apiKey)];
    await call(api, 'DELETE', `/api/v1/api-keys/${lost.id}`, { key: acme.dashboardKey });
    const rotated = `/api/v1/api-keys/${replaced.id}/rotate`;
    await call(api, 'POST', rotated, { key: acme.dashboardKey, body: { overlapSeconds: 3_600 } });
    for (const ended of [byLost, byReplaced]) {
      const asked = () => ended.ask('GET', '/api/v1/webhooks/endpoints');
      await eventually(async () => (await asked()).status === 401, { what: 'the login to end with its key' });
      expect((await asked()).body).toMatchObject({ code: 'unauthorized' });
      expect((await ended.ask('GET', SESSION)).status).toBe(401);
    }
  });

  it('is nothing to whoever guesses its id', async () => {
    const dashboard = await loggedIn(acme.dashboardKey);
    dashboard.cookie = `${dashboard.cookie.split('.')[0]}.${'A'.repeat(43)}`;
    expect((await dashboard.ask('GET', SESSION)).status).toBe(401);
  });
});

describe('a request that another page makes with the cookie', () => {
  it.each([
    ['a form of another origin', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' }],
    ['a page of the same site', { 'sec-fetch-site': 'same-site', 'x-requested-with': 'engine-console' }],
    ['another origin of an older browser', { origin: 'https://evil.test', 'x-requested-with': 'engine-console' }],
    ['an origin that is none', { origin: 'null', 'x-requested-with': 'engine-console' }],
    ['a form of its own origin', { 'sec-fetch-site': 'same-origin' }],
    ['nobody says where', { 'x-requested-with': 'engine-console' }],
  ])('is refused: %s', async (_who, headers) => {
    const dashboard = await loggedIn(acme.dashboardKey);
    for (const [method, path] of [
      ['POST', '/api/v1/messages/send'],
      ['DELETE', SESSION],
      ['POST', '/api/sendText'],
    ] as const) {
      const answer = await dashboard.askFromElsewhere(method, path, headers);
      expect(answer.body).toMatchObject({ status: 403, code: 'cross_site_refused' });
    }
    expect((await dashboard.ask('GET', SESSION)).status).toBe(200);
  });

  it('is refused as a read of another origin, too, and as a login', async () => {
    const dashboard = await loggedIn(acme.dashboardKey);
    const elsewhere = { 'sec-fetch-site': 'cross-site' };
    const read = await dashboard.askFromElsewhere('GET', '/api/v1/webhooks/endpoints', elsewhere);
    expect(read.body).toMatchObject({ status: 403, code: 'cross_site_refused' });
    const login = await browser().ask('POST', SESSION, { apiKey: globex.dashboardKey }, elsewhere);
    expect(login.body).toMatchObject({ status: 403, code: 'cross_site_refused' });
    expect(login.headers.get('set-cookie')).toBeNull();
  });

  it('is taken from the console of a browser that names its origin alone', async () => {
    const dashboard = await loggedIn(acme.dashboardKey);
    const headers = { origin: api.url, 'x-requested-with': 'engine-console' };
    expect((await dashboard.askFromElsewhere('DELETE', SESSION, headers)).status).toBe(204);
  });
});

describe('a ticket of a start', () => {
  it('logs in once, as the master key, and ends with that', async () => {
    const ticket = await ticketOf(MASTER_KEY);
    const first = browser();
    expect((await first.ask('POST', SESSION, { ticket })).body).toMatchObject({ kind: 'master', link: null });
    expect((await first.ask('GET', '/api/v1/admin/dashboards')).status).toBe(200);
    expect((await browser().ask('POST', SESSION, { ticket })).body).toMatchObject({
      status: 401,
      code: 'ticket_invalid',
    });
    const formerly = await ticketOf('another master key, of before 0123456789');
    expect((await browser().ask('POST', SESSION, { ticket: formerly })).body).toMatchObject({ code: 'ticket_invalid' });
  });

  it('is good for nothing after its time, and when it is made up', async () => {
    const late = await ticketOf(MASTER_KEY, new Date(Date.now() - 1_000));
    for (const ticket of [late, 'clk_1.x', `${late}x`]) {
      expect((await browser().ask('POST', SESSION, { ticket })).body).toMatchObject({ code: 'ticket_invalid' });
    }
  });
});
