import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { lockKeys, rotateApiKey } from '../../../db/tenants/rotate-key.ts';
import { startApiOn } from '../../support/api.ts';
import { anAgency, call } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { untilBlocked } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';
import { Browser, OWN } from './browser.ts';
import { endsOfKeys } from './ends-of-keys.ts';
import type { KeyOfAgency } from './ends-of-keys.ts';
import { aDashboardKey, aLink, everythingOf, KINDS_OF_KEYS, openedBy } from './made-credentials.ts';

const directory = await mkdtemp(join(tmpdir(), 'made-in-login-test-'));
const api = await startApiOn(await takeDatabase(), 'made-in-login', directory);
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

/** Somebody who is logged in by the key. */
interface LoggedIn extends KeyOfAgency {
  loginId: string;
  browser: Browser;
}

/** Ends of a login with which everything ends that it made. */
const LOGIN_ENDS: Record<string, (login: LoggedIn) => Promise<unknown>> = {
  'its owner ends it': ({ of, loginId }) => endLogin(loginId, of.dashboardKey),
  'its key ends it': ({ key, loginId }) => endLogin(loginId, key.apiKey),
  'it ends itself': ({ browser, loginId }) => browser.ask('DELETE', `/api/v1/console/logins/${loginId}`),
  ...Object.fromEntries(
    Object.entries(ENDS)
      .filter(([name]) => name !== 'its own maker is revoked')
      .map(([name, end]) => [`its key: ${name}`, end]),
  ),
};
const HOURS_MS = 3_600_000;

/** Ends of a login that happen to everybody, which leave keys to the programs that use them. */
const ORDINARY_ENDS: Record<string, (login: LoggedIn) => Promise<unknown>> = {
  'the person logs out': ({ browser }) => browser.ask('DELETE', '/console/session'),
  'another login replaces it in the browser': ({ of, browser }) => browser.login(of.dashboardKey),
  'it expires': async () => api.database.clock.advance(12 * HOURS_MS),
  'its key is replaced, and works on for a while': ({ of, key }) =>
    call(api, 'POST', `/api/v1/api-keys/${key.id}/rotate`, { key: of.dashboardKey, body: { overlapSeconds: 86_400 } }),
};

const endLogin = (id: string, key: string) => call(api, 'DELETE', `/api/v1/console/logins/${id}`, { key });

async function aLogin(more: object = {}): Promise<LoggedIn> {
  const of = await aNewAgency();
  const key = await aDashboardKey(api, of, more);
  const browser = new Browser(api);
  expect((await browser.login(key.apiKey)).status).toBe(200);
  const { logins } = (await call(api, 'GET', `/api/v1/console/logins?keyId=${key.id}`, { key: of.dashboardKey })).body;
  const [{ id: loginId }] = z.tuple([z.object({ id: z.string() })]).parse(logins);
  return { of, key, browser, loginId };
}

describe('what a login has made', () => {
  it.each(Object.entries(LOGIN_ENDS))('ends when %s', async (_, end) => {
    const expiresAt = new Date(api.database.clock.now().getTime() + 600_000).toISOString();
    const login = await aLogin({ expiresAt });
    const made = await everythingOf(api, login.of, login.browser);
    await end(login);
    for (const { kind, works } of made) {
      await eventually(async () => !(await works()), { what: `the ${kind} to end`, withinMs: ENDS_WITHIN_MS });
    }
  });

  it.each(Object.entries(ORDINARY_ENDS))(
    'ends when %s, but its keys only once somebody ends the login',
    async (_, end) => {
      const login = await aLogin();
      const { of, key, loginId } = login;
      const made = await everythingOf(api, of, login.browser);
      await end(login);
      const isOfKeys = ({ kind }: { kind: string }) => Object.values(KINDS_OF_KEYS).includes(kind);
      for (const { kind, works } of made.filter((each) => !isOfKeys(each))) {
        await eventually(async () => !(await works()), { what: `the ${kind} to end`, withinMs: ENDS_WITHIN_MS });
      }
      // A login by a key lasts as long as any other.
      const keys = made.filter((each) => isOfKeys(each) && !each.kind.startsWith('login'));
      expect(keys).toHaveLength(3);
      for (const { kind, works } of keys) expect([kind, await works()]).toEqual([kind, true]);
      const { apiKeys } = (await call(api, 'GET', '/api/v1/api-keys', { key: of.dashboardKey })).body;
      expect(apiKeys).toContainEqual(expect.objectContaining({ name: 'made', madeBy: key.id, loginId }));
      const stranger = await aNewAgency();
      expect((await endLogin(loginId, stranger.dashboardKey)).status).toBe(404);
      for (const { kind, works } of keys) expect([kind, await works()]).toEqual([kind, true]);
      expect((await endLogin(loginId, of.dashboardKey)).status).toBe(204);
      for (const { kind, works } of made) {
        await eventually(async () => !(await works()), { what: `the ${kind} to end`, withinMs: ENDS_WITHIN_MS });
      }
      expect((await endLogin(loginId, of.dashboardKey)).status).toBe(404);
      expect((await call(api, 'GET', '/api/v1/inbox/chats', { key: key.apiKey })).status).toBe(200);
    },
  );

  it.each([
    ['the person logs out', 'the key'],
    ['another login replaces it in the browser', 'the key'],
    ['its owner ends it', 'the owner'],
  ])('has its links revoked in the audit when %s, by %s', async (end, who) => {
    const login = await aLogin();
    const { of, key, browser, loginId } = login;
    const [link, ended] = [await aLink(api, browser), await aLink(api, browser)];
    await call(api, 'DELETE', `${LINKS}/${ended.id}`, { key: of.dashboardKey });
    await { ...LOGIN_ENDS, ...ORDINARY_ENDS }[end]?.(login);
    const { body } = await call(api, 'GET', '/api/v1/audit?object=console_link', { key: of.dashboardKey });
    const keyId = who === 'the key' ? key.id : of.dashboardKey.split('_')[2];
    expect(body['entries']).toMatchObject([
      { objectId: link.id, tenantId: 't1', action: 'revoked', keyId, detail: { loginId } },
      { objectId: ended.id, action: 'revoked', detail: null },
      { action: 'created' },
      { action: 'created' },
    ]);
  });

  it('ends along the whole chain: a link, the login by it, and the connect link of that', async () => {
    const { of, browser } = await aLogin();
    const guest = await openedBy(api, (await aLink(api, browser)).url);
    const made = await guest.ask('POST', `/api/v1/sessions/${of.session.id}/connect-link`, {});
    const page = async () => (await fetch(api.url + new URL(z.url().parse(made.body['url'])).pathname)).status;
    expect(await page()).toBe(200);
    expect((await browser.ask('DELETE', '/console/session')).status).toBe(204);
    await eventually(async () => (await page()) === 404, { what: 'the connect link to end', withinMs: ENDS_WITHIN_MS });
  });

  it('is said to last no longer than the login', async () => {
    const { of, browser } = await aLogin();
    const { logins } = (await call(api, 'GET', '/api/v1/console/logins', { key: of.dashboardKey })).body;
    const [{ expiresAt }] = z.tuple([z.object({ expiresAt: z.string() })]).parse(logins);
    api.database.clock.advance(12 * HOURS_MS - 300_000);
    const file = Buffer.from('of a login that is nearly over');
    const made = [
      await browser.ask('POST', LINKS, { tenantId: 't1', name: 'late', expiresInSeconds: 86_400 }),
      await browser.ask('POST', `/api/v1/sessions/${of.session.id}/connect-link`, { expiresInSeconds: 3_600 }),
      await call(api, 'POST', '/api/v1/files?tenantId=t1', { headers: { ...OWN, cookie: browser.cookie }, file }),
    ];
    expect(made.map(({ status, body }) => [status, body['expiresAt']])).toEqual(made.map(() => [201, expiresAt]));
  });

  it.each([
    ['before', 201],
    ['after', 403],
  ])('has no key that is made while somebody ends the login, just %s its end', async (order, status) => {
    const { of, browser, loginId } = await aLogin();
    const make = () => browser.ask('POST', '/api/v1/api-keys/dashboard', { agencyId: of.agencyId, name: 'late' });
    const end = () => endLogin(loginId, of.dashboardKey);
    const inTurn = order === 'before' ? [make, end] : [end, make];
    const answers: Promise<Answer>[] = [];
    await api.database.transaction(async (tx) => {
      await lockKeys(tx, of.agencyId, { keyId: 'none' });
      for (const ask of inTurn) {
        answers.push(ask());
        await untilBlocked(api.database, 'made-in-login', answers.length);
      }
    });
    const statuses = (await Promise.all(answers)).map((answer) => answer.status);
    expect(statuses).toEqual(order === 'before' ? [status, 204] : [204, status]);
    const { apiKeys } = (await call(api, 'GET', '/api/v1/api-keys', { key: of.dashboardKey })).body;
    expect(apiKeys).not.toContainEqual(expect.objectContaining({ loginId, revokedAt: null }));
  });

  it('has no key that is replaced while somebody ends the login', async () => {
    const { of, browser, loginId } = await aLogin();
    const made = await aDashboardKey(api, of, { name: 'made' }, browser);
    let ending: Promise<Answer> | undefined;
    const successor = await api.database.transaction(async (tx) => {
      await lockKeys(tx, of.agencyId, { keyId: made.id });
      const which = { agencyId: of.agencyId, id: made.id };
      const rotated = await rotateApiKey(tx, which, { overlapSeconds: 600 }, { keyId: made.id });
      ending = endLogin(loginId, of.dashboardKey);
      await untilBlocked(api.database, 'made-in-login');
      return rotated;
    });
    expect((await ending)?.status).toBe(204);
    const { apiKeys } = (await call(api, 'GET', '/api/v1/api-keys', { key: of.dashboardKey })).body;
    for (const id of [made.id, successor?.key.id]) {
      expect(apiKeys).toContainEqual(expect.objectContaining({ id, loginId, revokedAt: expect.any(String) }));
    }
  });
});
