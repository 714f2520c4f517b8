import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ENDPOINT_ROUTES, READS_BY_POST, ROUTES_OF_PAGES } from '../../../api/console/opened-routes.ts';
import { routes } from '../../../api/routes.ts';
import { makeConsoleLink } from '../../../db/tenants/console-link.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { Browser } from './browser.ts';

const api = await apiOfThisFile('console-links');
const acme = await anAgency(api, { agencyId: 'acme' });
const globex = await anAgency(api, { agencyId: 'globex' });
const LINKS = '/api/v1/console/links';
const key = acme.dashboardKey;

const Link = z.object({ id: z.string(), url: z.url() });
type Link = z.output<typeof Link>;

async function aLink(more: object = {}, by = key): Promise<Link> {
  const { status, body } = await call(api, 'POST', LINKS, { key: by, body: { tenantId: 't1', name: 'Ada', ...more } });
  expect(status).toBe(201);
  return Link.parse(body);
}

const ticketOf = ({ url }: Link): string => new URL(url).hash.replace('#ticket=', '');
const open = (link: Link, by = new Browser(api)) => by.ask('POST', '/console/session', { ticket: ticketOf(link) });

async function opened(more: object = {}, by = key): Promise<Browser> {
  const browser = new Browser(api);
  expect((await open(await aLink(more, by), browser)).status).toBe(200);
  return browser;
}

const Made = z.object({ id: z.string() });
async function anEndpoint(of = acme, more: object = {}): Promise<string> {
  const body = { url: 'http://127.0.0.1:9/in', ...more };
  return Made.parse((await call(api, 'POST', '/api/v1/webhooks/endpoints', { key: of.dashboardKey, body })).body).id;
}

describe('a link into the console', () => {
  it('is opened once, without a key, and shows what it is for', async () => {
    const link = await aLink({ pages: ['inbox', 'message'], readOnly: false });
    expect(link.url).toMatch(/^http:\/\/[^/]+\/console\/inbox#ticket=clk_[\w.-]+$/);
    const answer = await open(link);
    expect(answer.body).toMatchObject({
      kind: 'link',
      agencyId: 'acme',
      tenantId: 't1',
      readOnly: false,
      pages: ['inbox', 'message'],
      link: { id: link.id, name: 'Ada' },
      temporalUi: null,
    });
    expect((await open(link)).body).toMatchObject({ status: 401, code: 'ticket_invalid' });
  });

  it('opens its tenant and its pages, and nothing else', async () => {
    const inbox = await opened({ pages: ['inbox'], readOnly: false });
    expect((await inbox.ask('GET', '/api/v1/inbox/chats')).status).toBe(200);
    expect((await inbox.ask('GET', '/api/v1/inbox/chats?tenantId=t1')).status).toBe(200);
    expect((await inbox.ask('GET', '/api/v1/inbox/chats?tenantId=t2')).status).toBe(404);
    expect((await inbox.ask('GET', '/api/v1/inbox/chats?agencyId=globex')).status).toBe(404);
    const participants = '/api/v1/conversations/cnv_019a8f3e-7c00-7000-8000-000000000006/participants';
    // The names in a group are part of an inbox.
    expect((await inbox.ask('GET', participants)).status).toBe(404);
    const agent = await opened({ pages: ['agent'] });
    expect((await agent.ask('GET', participants)).status).toBe(403);
    expect((await inbox.ask('GET', `/api/v1/sessions/${globex.session.id}`)).status).toBe(404);
    for (const [method, path] of [
      ['GET', '/api/v1/api-keys'],
      ['POST', LINKS],
      ['GET', LINKS],
      ['GET', '/api/v1/webhooks/endpoints'],
      ['GET', '/api/v1/webhooks/events'],
      ['GET', '/api/v1/memories'],
      ['POST', '/api/v1/messages/send'],
      ['POST', '/api/sendText'],
      ['GET', '/api/v1/admin/dashboards'],
    ] as const) {
      const answer = await inbox.ask(method, path, method === 'POST' ? {} : undefined);
      expect([path, answer.status, answer.body['code']]).toEqual([path, 403, 'forbidden']);
    }
  });

  it('changes nothing unless its maker says so', async () => {
    const looks = await opened({ pages: ['agent'], scopes: ['read', 'ai:admin'] });
    expect((await looks.ask('POST', '/api/v1/ai-sales-agent/state', {})).status).toBe(200);
    const off = { enabled: false };
    expect((await looks.ask('PUT', '/api/v1/ai-sales-agent/state', off)).body).toMatchObject({
      status: 403,
      detail: 'This link is read-only.',
    });
    const cannot = await opened({ pages: ['agent'], readOnly: false });
    expect((await cannot.ask('PUT', '/api/v1/ai-sales-agent/state', off)).status).toBe(403);
    const changes = await opened({ pages: ['agent'], readOnly: false, scopes: ['read', 'ai:admin'] });
    expect((await changes.ask('PUT', '/api/v1/ai-sales-agent/state', off)).status).toBe(200);
  });

  it('has no scope that its maker lacks, and the agent only by name', async () => {
    const body = { name: 'weak', scopes: ['keys', 'read'] };
    const weak = await call(api, 'POST', '/api/v1/api-keys/dashboard', { key, body });
    const by = z.object({ apiKey: z.string() }).parse(weak.body).apiKey;
    const refused = await call(api, 'POST', LINKS, {
      key: by,
      body: { tenantId: 't1', name: 'Ada', scopes: ['read', 'ai:admin'] },
    });
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('of a session shows that one alone', async () => {
    const other = await call(api, 'POST', '/api/v1/sessions', { key, body: { tenantId: 't1', name: 'other' } });
    const otherId = Made.parse(other.body).id;
    const connect = await opened({ pages: ['connect'], sessionId: acme.session.id });
    const listed = await connect.ask('GET', '/api/v1/sessions');
    expect(JSON.stringify(listed.body)).toContain(acme.session.id);
    expect(JSON.stringify(listed.body)).not.toContain(otherId);
    expect((await connect.ask('GET', `/api/v1/sessions/${otherId}`)).status).toBe(404);
  });

  it('of an endpoint shows that one alone', async () => {
    const [mine, other] = [await anEndpoint(), await anEndpoint(acme, { url: 'http://127.0.0.1:9/other' })];
    const portal = await opened({ endpointId: mine });
    expect((await portal.ask('GET', `/api/v1/webhooks/endpoints/${mine}`)).status).toBe(200);
    expect((await portal.ask('GET', `/api/v1/webhooks/deliveries?endpointId=${mine}`)).status).toBe(200);
    for (const path of [
      `/api/v1/webhooks/endpoints/${other}`,
      `/api/v1/webhooks/deliveries?endpointId=${other}`,
      '/api/v1/webhooks/deliveries',
      '/api/v1/webhooks/attempts',
      '/api/v1/webhooks/events',
      '/api/v1/inbox/chats',
    ]) {
      expect([path, (await portal.ask('GET', path)).status]).toEqual([path, 403]);
    }
    expect((await portal.ask('POST', `/api/v1/webhooks/endpoints/${mine}/test`, {})).status).toBe(403);
    const tried = await call(api, 'POST', `/api/v1/webhooks/endpoints/${other}/test`, { key, body: {} });
    const query = `eventId=${String(tried.body['eventId'])}`;
    const listed = await call(api, 'GET', `/api/v1/webhooks/deliveries?${query}`, { key });
    const { id } = z.object({ deliveries: z.array(Made).min(1) }).parse(listed.body).deliveries[0] ?? { id: '' };
    expect((await portal.ask('GET', `/api/v1/webhooks/deliveries/${id}?endpointId=${mine}`)).status).toBe(404);
    expect((await portal.ask('GET', `/api/v1/webhooks/deliveries/${id}`)).status).toBe(403);
  });

  it('ends when it is revoked, with everybody whom it let in', async () => {
    const link = await aLink();
    const browser = new Browser(api);
    await open(link, browser);
    const unused = await aLink();
    for (const { id } of [link, unused]) {
      expect((await call(api, 'DELETE', `${LINKS}/${id}`, { key })).status).toBe(204);
      expect((await call(api, 'DELETE', `${LINKS}/${id}`, { key })).status).toBe(404);
    }
    await eventually(async () => (await browser.ask('GET', '/api/v1/inbox/chats')).status === 401);
    expect((await browser.ask('GET', '/console/session')).status).toBe(401);
    expect((await open(unused)).body).toMatchObject({ code: 'ticket_invalid' });
    const audit = await call(api, 'GET', `/api/v1/audit?object=console_link&objectId=${link.id}`, { key });
    expect(audit.body).toMatchObject({ entries: [{ action: 'revoked' }, { action: 'created' }] });
    expect(JSON.stringify(audit.body)).not.toContain('Ada');
  });

  it('ends with the key that made it', async () => {
    const made = await call(api, 'POST', '/api/v1/api-keys/dashboard', { key, body: { name: 'to be revoked' } });
    const maker = z.object({ id: z.string(), apiKey: z.string() }).parse(made.body);
    const browser = await opened({}, maker.apiKey);
    const unused = await aLink({}, maker.apiKey);
    await call(api, 'DELETE', `/api/v1/api-keys/${maker.id}`, { key });
    await eventually(async () => (await browser.ask('GET', '/api/v1/inbox/chats')).status === 401);
    expect((await open(unused)).body).toMatchObject({ code: 'ticket_invalid' });
  });

  it('is good for nothing after its time', async () => {
    const link = await aLink({ expiresInSeconds: 300 });
    api.database.clock.advance(301_000);
    expect((await open(link)).body).toMatchObject({ code: 'ticket_invalid' });
  });

  it('is framed by the pages that it names, and by no other', async () => {
    const link = await aLink({ embedIn: ['https://shop.example', 'http://localhost:3000'] });
    const page = async (query: string) => {
      const answer = await fetch(`${api.url}/console/inbox${query}`, { headers: { accept: 'text/html' } });
      await answer.arrayBuffer();
      return answer.headers;
    };
    const framed = await page(new URL(link.url).search);
    expect(framed.get('content-security-policy')).toContain(
      'frame-ancestors https://shop.example http://localhost:3000',
    );
    expect(framed.get('x-frame-options')).toBeNull();
    const alone = await page('?embed=clk_of_nobody');
    expect(alone.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(alone.get('x-frame-options')).toBe('DENY');
    expect((await open(link)).headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=None; Secure; Partitioned$/);
  });
});

describe('who makes links', () => {
  it('is a dashboard for what it has, or the operator', async () => {
    const endpointId = await anEndpoint(globex);
    const elsewhere = await anEndpoint(acme, { tenantIds: ['t9'], url: 'http://127.0.0.1:9/t9' });
    for (const [body, status] of [
      [{ sessionId: globex.session.id }, 404],
      [{ endpointId }, 404],
      [{ endpointId: elsewhere }, 404],
      [{ tenantId: 'nobody' }, 404],
      [{ sessionId: acme.session.id, endpointId }, 422],
      [{ endpointId, pages: ['inbox'] }, 422],
      [{ pages: [] }, 422],
      [{ pages: ['operations'] }, 422],
      [{ expiresInSeconds: 299 }, 422],
      [{ expiresInSeconds: 604_801 }, 422],
      [{ embedIn: ['https://shop.example/path'] }, 422],
      [{ embedIn: ['https://shop.example; script-src *'] }, 422],
      [{ embedIn: ['http://shop.example'] }, 422],
      [{ embedIn: ['https://*.example'] }, 422],
    ] as const) {
      const answer = await call(api, 'POST', LINKS, { key, body: { tenantId: 't1', name: 'Ada', ...body } });
      expect([body, answer.status]).toEqual([body, status]);
    }
    const scoped = await call(api, 'POST', LINKS, { key: acme.scopedKey, body: { name: 'Ada' } });
    expect(scoped.status).toBe(403);
    const operator = await aLink({ agencyId: 'acme' }, MASTER_KEY);
    expect((await open(operator)).body).toMatchObject({ kind: 'link', agencyId: 'acme', tenantId: 't1' });
  });

  it('sees those of the own agency, page by page, without their addresses', async () => {
    const links = z.object({ links: z.array(z.record(z.string(), z.unknown())), nextCursor: z.string().nullable() });
    const theirs = { key: globex.dashboardKey };
    expect((await call(api, 'GET', LINKS, theirs)).body).toEqual({ links: [], hasMore: false, nextCursor: null });
    const [first, second] = [
      await aLink({ pages: ['inbox'] }, globex.dashboardKey),
      await aLink({ pages: ['connect'] }, globex.dashboardKey),
    ];
    await open(first);
    const one = links.parse((await call(api, 'GET', `${LINKS}?limit=1`, theirs)).body);
    expect(one.links).toMatchObject([{ id: second.id, usedAt: null, tenantId: 't1', readOnly: true }]);
    const rest = links.parse((await call(api, 'GET', `${LINKS}?cursor=${one.nextCursor ?? ''}`, theirs)).body);
    expect(rest.links).toMatchObject([{ id: first.id, usedAt: expect.any(String), pages: ['inbox'] }]);
    expect(JSON.stringify([one, rest])).not.toContain('ticket');
    expect((await call(api, 'GET', `${LINKS}?tenantId=nobody`, theirs)).status).toBe(404);
  });
});

describe('a browser that is logged in', () => {
  it('shows its login in no frame of a page that another link names', async () => {
    const link = await aLink({ embedIn: ['https://evil.example'] }, globex.dashboardKey);
    const victim = new Browser(api);
    expect((await victim.login(key)).status).toBe(200);
    const framed = await fetch(`${api.url}/console/inbox${new URL(link.url).search}`, {
      headers: { accept: 'text/html', cookie: victim.cookie },
    });
    await framed.arrayBuffer();
    expect(framed.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(framed.headers.get('x-frame-options')).toBe('DENY');
  });

  it('keeps no former login when it opens a link', async () => {
    const browser = new Browser(api);
    await browser.login(key);
    const former = new Browser(api);
    former.cookie = browser.cookie;
    expect((await former.ask('GET', '/console/session')).status).toBe(200);
    expect((await open(await aLink(), browser)).body).toMatchObject({ kind: 'link' });
    expect((await former.ask('GET', '/console/session')).status).toBe(401);
    expect((await browser.ask('GET', '/console/session')).status).toBe(200);
  });

  /** The ids of the logins that work, whatever the processes still remember. */
  const loginsOf = async (keyId: string) => {
    const { body } = await call(api, 'GET', `/api/v1/console/logins?keyId=${keyId}`, { key });
    return z
      .array(Made)
      .parse(body['logins'])
      .map(({ id }) => id);
  };
  const idOf = ({ cookie }: Browser) => cookie.split('=')[1]?.split('.')[0] ?? '';
  const copyOf = (browser: Browser) => Object.assign(new Browser(api), { cookie: browser.cookie });

  async function aLoggedIn() {
    const made = await call(api, 'POST', '/api/v1/api-keys/dashboard', { key, body: { name: 'of a browser' } });
    const { id, apiKey } = z.object({ id: z.string(), apiKey: z.string() }).parse(made.body);
    const browser = new Browser(api);
    expect((await browser.login(apiKey)).status).toBe(200);
    const linkOf = async (by: Browser) =>
      Link.parse((await by.ask('POST', LINKS, { tenantId: 't1', name: 'Ada' })).body);
    return { keyId: id, apiKey, browser, linkOf };
  }

  it('keeps the former login when it opens a link of that, because both would end with it', async () => {
    const { keyId, browser, linkOf } = await aLoggedIn();
    const former = copyOf(browser);
    expect((await open(await linkOf(browser), browser)).body).toMatchObject({ kind: 'link' });
    expect(await loginsOf(keyId)).toEqual([idOf(browser), idOf(former)]);
    for (const each of [browser, former]) expect((await each.ask('GET', '/console/session')).status).toBe(200);
    expect((await former.ask('DELETE', '/console/session')).status).toBe(204);
    await eventually(async () => (await browser.ask('GET', '/console/session')).status === 401);
  });

  it('keeps it along a chain of links, too', async () => {
    const { keyId, browser, linkOf } = await aLoggedIn();
    const former = copyOf(browser);
    const guest = new Browser(api);
    await open(await linkOf(browser), guest);
    // The routes make no link by a link.
    const { ticket } = await api.database.transaction((tx) =>
      makeConsoleLink(tx, {
        place: { agencyId: 'acme', tenantId: 't1', sessionId: null, endpointId: null },
        name: 'of a guest',
        readOnly: true,
        scopes: ['read'],
        pages: ['inbox'],
        embedIn: [],
        by: { keyId },
        loginId: idOf(guest),
        loginSeconds: 600,
        expiresAt: new Date(tx.now.getTime() + 600_000),
      }),
    );
    expect((await browser.ask('POST', '/console/session', { ticket })).body).toMatchObject({ kind: 'link' });
    expect(await loginsOf(keyId)).toEqual([browser, guest, former].map(idOf));
  });

  it('keeps no former login when it opens a link of another login', async () => {
    const { keyId, apiKey, browser, linkOf } = await aLoggedIn();
    const other = new Browser(api);
    expect((await other.login(apiKey)).status).toBe(200);
    expect((await open(await linkOf(other), browser)).body).toMatchObject({ kind: 'link' });
    expect(await loginsOf(keyId)).toEqual([idOf(browser), idOf(other)]);
  });
});

describe('the table of what links open', () => {
  const named = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));

  it('names routes that there are', () => {
    const tables = [
      ...Object.values(ROUTES_OF_PAGES).flatMap((of) => [...of]),
      ...READS_BY_POST,
      ...ENDPOINT_ROUTES.keys(),
    ];
    expect(tables.filter((name) => !named.has(name))).toEqual([]);
  });

  it('opens by a page only what belongs to a tenant, because a link is of one', () => {
    const opened = Object.values(ROUTES_OF_PAGES).flatMap((of) => [...of]);
    const wider = opened.filter((name) => ['agency', 'master', 'psk'].includes(named.get(name)?.auth ?? 'none'));
    expect(wider).toEqual([]);
  });
});
