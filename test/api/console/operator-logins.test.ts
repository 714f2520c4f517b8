import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { makeConsoleLink } from '../../../db/tenants/console-link.ts';
import { lockKeys, rotateApiKey } from '../../../db/tenants/rotate-key.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { untilBlocked } from '../../support/rows.ts';
import { Browser } from './browser.ts';
import { aDashboardKey, aLink, openedBy } from './made-credentials.ts';

const api = await apiOfThisFile('operator-logins');
const acme = await anAgency(api, { agencyId: 'acme' });
const globex = await anAgency(api, { agencyId: 'globex' });

const Logins = z.object({ logins: z.array(z.object({ id: z.string() })) });
const loginsOf = async (key: string) =>
  Logins.parse((await call(api, 'GET', '/api/v1/console/logins', { key })).body).logins;
const end = async (path: string, key: string) => (await call(api, 'DELETE', path, { key })).status;
const reads = async (browser: Browser) => (await browser.ask('GET', '/api/v1/inbox/chats')).status;

describe('the logins of the operator', () => {
  const Operators = z.object({
    logins: z.array(z.object({ id: z.string(), linkId: z.string().nullable(), isTicket: z.boolean() })),
  });
  const listed = async () =>
    Operators.parse((await call(api, 'GET', '/api/v1/admin/console/logins', { key: MASTER_KEY })).body).logins;
  const endOwn = (id: string, key = MASTER_KEY) => end(`/api/v1/admin/console/logins/${id}`, key);

  /** As `npm start` makes one. */
  const aTicket = (masterKey: string) =>
    api.database.transaction((tx) =>
      makeConsoleLink(tx, {
        place: null,
        name: 'npm start',
        readOnly: false,
        scopes: null,
        pages: null,
        embedIn: [],
        by: { masterKey },
        loginSeconds: 3_600,
        expiresAt: new Date(tx.now.getTime() + 3_600_000),
      }),
    );
  const opened = async (ticket: string) => {
    const browser = new Browser(api);
    return { browser, status: (await browser.ask('POST', '/console/session', { ticket })).status };
  };
  const readsAll = async (browser: Browser) => (await browser.ask('GET', '/api/v1/admin/dashboards')).status;

  it('and the tickets of npm start are listed for the master key, and each ends alone', async () => {
    const byKey = new Browser(api);
    expect((await byKey.login(MASTER_KEY)).status).toBe(200);
    const [used, unused, former] = [
      await aTicket(MASTER_KEY),
      await aTicket(MASTER_KEY),
      await aTicket('a former master key of the engine'),
    ];
    const { browser: byTicket, status } = await opened(used.ticket);
    expect(status).toBe(200);
    // The agency's own list has its logins.
    await aLink(api, acme.dashboardKey);
    const all = await listed();
    expect(all.map(({ linkId, isTicket }) => [linkId, isTicket])).toEqual([
      [used.id, false],
      [unused.id, true],
      [null, false],
    ]);
    expect(all.map(({ id }) => id)).not.toContain(former.id);
    const [ofTicket, , ofKey] = all;
    expect([await endOwn(ofKey?.id ?? '', acme.dashboardKey), await readsAll(byKey)]).toEqual([403, 200]);
    expect([await endOwn(ofKey?.id ?? ''), await endOwn(ofKey?.id ?? '')]).toEqual([204, 404]);
    expect([await readsAll(byKey), await readsAll(byTicket)]).toEqual([401, 200]);
    expect([await endOwn(unused.id), (await opened(unused.ticket)).status]).toEqual([204, 401]);
    expect([await endOwn(ofTicket?.id ?? ''), await readsAll(byTicket)]).toEqual([204, 401]);
    expect(await listed()).toEqual([]);
    const [ofAgency] = await loginsOf(globex.dashboardKey);
    expect(ofAgency).toBeUndefined();
    const { body } = await call(api, 'GET', '/api/v1/admin/audit?object=console_link', { key: MASTER_KEY });
    expect(body['entries']).toContainEqual(
      expect.objectContaining({ objectId: unused.id, action: 'revoked', agencyId: '*', keyId: 'master' }),
    );
  });

  it('end with what they made for agencies, and leave their keys when the operator only logs out', async () => {
    const of = await anAgency(api, { agencyId: 'operated' });
    const target = { agencyId: of.agencyId, tenantId: 't1' };
    const { id: ticketId, ticket } = await aTicket(MASTER_KEY);
    const { browser } = await opened(ticket);
    const [ofTicket] = await listed();
    const kept = await aDashboardKey(api, of, { name: 'kept' }, browser);
    const works = async (key: string) => (await call(api, 'GET', '/api/v1/inbox/chats?tenantId=t1', { key })).status;
    const guest = await openedBy(api, (await aLink(api, browser, target)).url);
    expect(await reads(guest)).toBe(200);
    expect((await browser.ask('DELETE', '/console/session')).status).toBe(204);
    await eventually(async () => (await reads(guest)) === 401, { what: 'the link of the login to end' });
    expect(await works(kept.apiKey)).toBe(200);
    const loginId = ofTicket?.id ?? '';
    // It is none of the agency's.
    expect(await end(`/api/v1/console/logins/${loginId}`, of.dashboardKey)).toBe(404);
    expect(await works(kept.apiKey)).toBe(200);
    expect([await endOwn(loginId), await endOwn(loginId)]).toEqual([204, 404]);
    await eventually(async () => (await works(kept.apiKey)) === 401, { what: 'the key of the login to end' });

    const { id, ticket: another } = await aTicket(MASTER_KEY);
    const second = await opened(another);
    const ofLink = await aDashboardKey(api, of, { name: 'made' }, second.browser);
    expect(await works(ofLink.apiKey)).toBe(200);
    expect([await endOwn(ticketId), await endOwn(id)]).toEqual([204, 204]);
    await eventually(async () => (await works(ofLink.apiKey)) === 401, { what: 'the key of the link to end' });
    expect(await works(of.dashboardKey)).toBe(200);
  });

  it('that are over are unknown where they made no key', async () => {
    const { id, ticket } = await aTicket(MASTER_KEY);
    const { browser } = await opened(ticket);
    const loginId = (await listed()).find(({ linkId }) => linkId === id)?.id ?? '';
    expect((await browser.ask('DELETE', '/console/session')).status).toBe(204);
    expect(await endOwn(loginId)).toBe(404);
    const byKey = new Browser(api);
    await byKey.login(acme.dashboardKey);
    const [ofAgency] = await loginsOf(acme.dashboardKey);
    expect((await byKey.ask('DELETE', '/console/session')).status).toBe(204);
    expect(await end(`/api/v1/console/logins/${ofAgency?.id ?? ''}`, acme.dashboardKey)).toBe(404);
  });

  it('end with a key that is replaced meanwhile', async () => {
    const of = await anAgency(api, { agencyId: 'operated-late' });
    const { id, ticket } = await aTicket(MASTER_KEY);
    const made = await aDashboardKey(api, of, { name: 'made' }, (await opened(ticket)).browser);
    let ending: Promise<number> | undefined;
    const successor = await api.database.transaction(async (tx) => {
      await lockKeys(tx, of.agencyId, { keyId: made.id });
      const which = { agencyId: of.agencyId, id: made.id };
      const rotated = await rotateApiKey(tx, which, { overlapSeconds: 600 }, { keyId: made.id });
      ending = endOwn(id);
      await untilBlocked(api.database, 'operator-logins');
      return rotated;
    });
    expect(await ending).toBe(204);
    const { apiKeys } = (await call(api, 'GET', '/api/v1/api-keys', { key: of.dashboardKey })).body;
    for (const key of [made.id, successor?.key.id]) {
      expect(apiKeys).toContainEqual(expect.objectContaining({ id: key, revokedAt: expect.any(String) }));
    }
  });

  it('end no keys by a login that somebody ends meanwhile', async () => {
    const of = await anAgency(api, { agencyId: 'operated-by-two' });
    const [owners, thiefs] = [await aTicket(MASTER_KEY), await aTicket(MASTER_KEY)];
    const [owner, thief] = [await opened(owners.ticket), await opened(thiefs.ticket)];
    const made = await aDashboardKey(api, of, { name: 'made' }, owner.browser);
    let ending: Promise<Answer> | undefined;
    await api.database.transaction(async (tx) => {
      await lockKeys(tx, of.agencyId, { keyId: 'none' });
      ending = thief.browser.ask('DELETE', `/api/v1/admin/console/logins/${owners.id}`);
      await untilBlocked(api.database, 'operator-logins');
      expect(await endOwn(thiefs.id)).toBe(204);
    });
    expect((await ending)?.status).toBe(403);
    expect([
      (await call(api, 'GET', '/api/v1/api-keys', { key: made.apiKey })).status,
      await endOwn(owners.id),
    ]).toEqual([200, 204]);
  });

  it('of an agency are not among them, and are not ended by their route', async () => {
    const byKey = new Browser(api);
    await byKey.login(acme.dashboardKey);
    const [own] = await loginsOf(acme.dashboardKey);
    const [link, made] = [await aLink(api, acme.dashboardKey), await aDashboardKey(api, acme, {}, byKey)];
    expect([await endOwn(own?.id ?? ''), await endOwn(link.id)]).toEqual([404, 404]);
    expect((await call(api, 'GET', '/api/v1/api-keys', { key: made.apiKey })).status).toBe(200);
    expect([await reads(byKey), (await openedBy(api, link.url)).cookie === '']).toEqual([200, false]);
  });

  it('end by their ticket with the keys that they made, also long after a logout', async () => {
    const of = await anAgency(api, { agencyId: 'operated-before' });
    const { id, ticket } = await aTicket(MASTER_KEY);
    const { browser } = await opened(ticket);
    const made = await aDashboardKey(api, of, { name: 'made' }, browser);
    expect((await browser.ask('DELETE', '/console/session')).status).toBe(204);
    expect((await listed()).map(({ linkId }) => linkId)).not.toContain(id);
    api.database.clock.advance(100 * 86_400_000);
    // A login clears away what has ended for long.
    expect((await new Browser(api).login(of.dashboardKey)).status).toBe(200);
    const works = async () => (await call(api, 'GET', '/api/v1/api-keys', { key: made.apiKey })).status;
    expect(await works()).toBe(200);
    expect([await endOwn(id), await endOwn(id)]).toEqual([204, 404]);
    await eventually(async () => (await works()) === 401, { what: 'the key of the ticket to end' });
  });
});
