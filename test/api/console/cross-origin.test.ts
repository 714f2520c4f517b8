import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { routes } from '../../../api/routes.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import { Browser } from './browser.ts';

const api = await apiOfThisFile('cross-origin');
const acme = await anAgency(api, { agencyId: 'acme' });
const globex = await anAgency(api, { agencyId: 'globex' });

const SHOP = 'https://shop.example';
const EVIL = 'https://evil.example';
const CHATS = '/api/v1/inbox/chats';
const RESEND = '/api/v1/inbox/messages/msg_none/resend';

const Link = z.object({ id: z.string(), url: z.url() });
type Opened = { browser: Browser; id: string; query: string };

/** A browser that has opened a link which an agency's page may show. */
async function opened(embedIn: readonly string[], by = acme): Promise<Opened> {
  const body = { tenantId: 't1', name: 'Ada', readOnly: false, embedIn };
  const made = await call(api, 'POST', '/api/v1/console/links', { key: by.dashboardKey, body });
  const { id, url } = Link.parse(made.body);
  const browser = new Browser(api);
  const ticket = new URL(url).hash.replace('#ticket=', '');
  expect((await browser.ask('POST', '/console/session', { ticket })).status).toBe(200);
  return { browser, id, query: new URL(url).search };
}

/** A request that a page of that origin makes with the cookie of this browser. */
function from(origin: string, { browser }: Pick<Opened, 'browser'>, method = 'GET', path = CHATS) {
  const guard = method === 'GET' ? {} : { 'x-requested-with': 'engine-console' };
  return browser.askFromElsewhere(method, path, { origin, 'sec-fetch-site': 'cross-site', ...guard });
}

const preflight = (origin: string, path = CHATS, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-api-key,content-type',
      ...headers,
    },
  });

/** The headers of an answer that let a page of another origin read it. */
const shared = (headers: Headers): [string, string][] =>
  [...headers].filter(([name]) => name.startsWith('access-control-'));

describe('a page of another origin', () => {
  it('calls the API with a login whose link names its origin, and reads the answer', async () => {
    const login = await opened([SHOP]);
    const { status, headers } = await from(SHOP, login);
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe(SHOP);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('vary')?.toLowerCase()).toContain('origin');
    const changed = await from(SHOP, login, 'POST', RESEND);
    expect([changed.status, changed.headers.get('access-control-allow-origin')]).toEqual([404, SHOP]);
  });

  it('neither calls nor reads with a login whose link does not name it', async () => {
    const named = await opened([EVIL], globex);
    for (const login of [await opened([SHOP]), await opened([])]) {
      for (const method of ['GET', 'POST']) {
        const { status, body, headers } = await from(EVIL, login, method, method === 'GET' ? CHATS : RESEND);
        expect([status, body['code']]).toEqual([403, 'cross_site_refused']);
        expect(shared(headers)).toEqual([]);
      }
    }
    const byKey = new Browser(api);
    await byKey.login(acme.dashboardKey);
    expect((await from(EVIL, { browser: byKey })).body).toMatchObject({ code: 'cross_site_refused' });
    expect((await from(EVIL, named)).status).toBe(200);
  });

  it('changes nothing without the header that no form can have', async () => {
    const { browser } = await opened([SHOP]);
    const headers = { origin: SHOP, 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' };
    expect((await browser.askFromElsewhere('POST', RESEND, headers)).status).toBe(403);
  });

  it('logs nobody in or out, whatever origins the login has', async () => {
    const login = await opened([SHOP]);
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, headers } = await from(SHOP, login, method, '/console/session');
      expect([status, shared(headers)]).toEqual([403, []]);
    }
    expect((await from(SHOP, login)).status).toBe(200);
  });

  it('reads nothing with a key, wherever the key is from', async () => {
    const login = await opened([SHOP]);
    for (const cookie of [login.browser.cookie, '']) {
      const headers = { 'x-api-key': acme.dashboardKey, origin: SHOP, 'sec-fetch-site': 'cross-site', cookie };
      const answer = await call(api, 'GET', '/api/v1/sessions?tenantId=t1', { headers });
      expect([answer.status, shared(answer.headers)]).toEqual([200, []]);
    }
  });

  it('stops with the link', async () => {
    const login = await opened([SHOP]);
    await call(api, 'DELETE', `/api/v1/console/links/${login.id}`, { key: acme.dashboardKey });
    const { status, headers } = await from(SHOP, login);
    expect([status, shared(headers)]).toEqual([403, []]);
  });
});

describe('a preflight', () => {
  it('is answered for the origins of links that work, without x-api-key, on every route', async () => {
    await opened([SHOP]);
    for (const { path } of routes.filter((route) => route.path.startsWith('/api/v1/'))) {
      const { status, headers } = await preflight(SHOP, path.replaceAll(/:\w+/g, 'x'));
      expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 204, SHOP]);
      expect(headers.get('access-control-allow-headers')).toContain('x-requested-with');
      expect(shared(headers).join(' ').toLowerCase()).not.toMatch(/api-key|authorization|\*/);
    }
  });

  it('says nothing to any other origin', async () => {
    const { id } = await opened(['https://gone.example']);
    expect((await preflight('https://gone.example')).headers.get('access-control-allow-origin')).not.toBe(null);
    await call(api, 'DELETE', `/api/v1/console/links/${id}`, { key: acme.dashboardKey });
    for (const origin of ['https://never.example', 'https://gone.example', `${SHOP}.evil.example`, 'null', '*']) {
      const { status, headers } = await preflight(origin);
      expect([origin, status, shared(headers)]).toEqual([origin, 204, []]);
    }
  });

  it('opens neither the logins nor internal routes nor those that are passed on', async () => {
    await opened([SHOP]);
    for (const path of ['/console/session', '/v1/internal/dashboard/register', '/api/sendText', '/media/msg_1/x']) {
      expect([path, shared((await preflight(SHOP, path)).headers)]).toEqual([path, []]);
    }
  });
});

describe('a page that another page may frame', () => {
  const page = async (query: string, cookie = '') => {
    const headers = { accept: 'text/html', cookie };
    return (await fetch(`${api.url}/console/inbox${query}`, { headers })).text();
  };

  it('says for which link it may be framed, and one that may not says nothing', async () => {
    const { id, query, browser } = await opened([SHOP]);
    expect(await page(query)).toContain(`<meta name="engine-link" content="${id}">`);
    expect(await page('', browser.cookie)).toContain(`content="${id}"`);
    expect(await page('')).not.toContain('engine-link');
    expect(await page('?embed=clk_of_nobody"><script>')).not.toContain('engine-link');
  });

  it('shows no other login than that of its link, also after the browser has got another', async () => {
    const framed = await opened([EVIL], globex);
    const bound = { 'x-engine-link': framed.id };
    expect((await framed.browser.ask('GET', CHATS, undefined, bound)).status).toBe(200);
    const victim = new Browser(api);
    await victim.login(acme.dashboardKey);
    for (const path of [CHATS, '/console/session']) {
      expect((await victim.ask('GET', `${path}?tenantId=t1`, undefined, bound)).status).toBe(401);
    }
    // A browser sends both cookies where the frame is of the same site.
    const both = new Browser(api);
    both.cookie = `${victim.cookie}; ${framed.browser.cookie}`;
    expect((await both.ask('GET', '/console/session', undefined, bound)).body).toMatchObject({ agencyId: 'globex' });
    expect((await both.ask('GET', '/console/session')).body).toMatchObject({ agencyId: 'acme' });
  });
});
