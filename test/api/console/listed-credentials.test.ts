import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { takeUnusedFiles } from '../../../db/media/keys.ts';
import { UploadedFile } from '../../../domain/sending/upload.ts';
import { startApiOn } from '../../support/api.ts';
import { anAgency, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { StreamReader } from '../../support/event-stream.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { takeDatabase } from '../../support/servers.ts';
import { Browser, OWN } from './browser.ts';
import { aDashboardKey, aLink, openedBy } from './made-credentials.ts';

const directory = await mkdtemp(join(tmpdir(), 'listed-test-'));
const api = await startApiOn(await takeDatabase(), 'listed', directory);
afterAll(async () => {
  await api.close();
  await rm(directory, { recursive: true });
});

const acme = await anAgency(api, { agencyId: 'acme' });
const globex = await anAgency(api, { agencyId: 'globex' });

const Logins = z.object({
  logins: z.array(z.object({ id: z.string(), keyId: z.string(), linkId: z.string().nullable() })),
});
const Uploads = z.object({
  uploads: z.array(
    z.object({ id: z.string(), madeBy: z.string(), loginId: z.string().nullable(), sizeBytes: z.int() }),
  ),
});

const loginsOf = async (key: string, query = '') =>
  Logins.parse((await call(api, 'GET', `/api/v1/console/logins${query}`, { key })).body).logins;
const uploadsOf = async (key: string, query = '') =>
  Uploads.parse((await call(api, 'GET', `/api/v1/files${query}`, { key })).body).uploads;
const end = async (path: string, key: string) => (await call(api, 'DELETE', path, { key })).status;
const reads = async (browser: Browser) => (await browser.ask('GET', '/api/v1/inbox/chats')).status;

async function upload({ scopedKey }: Agency, text: string, key = scopedKey, query = ''): Promise<UploadedFile> {
  const answer = await call(api, 'POST', `/api/v1/files${query}`, { key, file: Buffer.from(text) });
  return UploadedFile.parse(answer.body);
}

const names = async ({ scopedKey }: Agency, fileId: string) => {
  const body = { to: '15550170010', attachments: [{ kind: 'document', fileId }] };
  return (await call(api, 'POST', '/api/v1/messages/send', { key: scopedKey, body })).status;
};

describe('logins', () => {
  it('are listed for their agency by key and link, and one ends alone', async () => {
    const key = await aDashboardKey(api, acme);
    const byKey = new Browser(api);
    await byKey.login(key.apiKey);
    const link = await aLink(api, key.apiKey);
    const byLink = await openedBy(api, link.url);
    const listed = await loginsOf(acme.dashboardKey, `?keyId=${key.id}`);
    expect(listed.map(({ keyId, linkId }) => [keyId, linkId])).toEqual([
      [key.id, link.id],
      [key.id, null],
    ]);
    const [ofLink, ofKey] = listed;
    const path = `/api/v1/console/logins/${ofLink?.id ?? ''}`;
    expect(await loginsOf(globex.dashboardKey)).toEqual([]);
    expect([await end(path, globex.dashboardKey), await end(path, acme.scopedKey), await reads(byLink)]).toEqual([
      404, 404, 200,
    ]);
    expect(await end(path, acme.dashboardKey)).toBe(204);
    expect([await reads(byLink), await reads(byKey)]).toEqual([401, 200]);
    expect((await loginsOf(acme.dashboardKey, `?keyId=${key.id}`)).map(({ id }) => id)).toEqual([ofKey?.id]);
    const { body } = await call(api, 'GET', '/api/v1/audit?object=console_login', { key: acme.dashboardKey });
    expect(body).toMatchObject({ entries: [{ objectId: ofLink?.id, action: 'revoked' }] });
    // The maker has gone, and its logins with it.
    await call(api, 'DELETE', `/api/v1/api-keys/${key.id}`, { key: acme.dashboardKey });
    expect(await loginsOf(acme.dashboardKey, `?keyId=${key.id}`)).toEqual([]);
  });
});

describe('what a login has made', () => {
  it('names the login and its key wherever it is listed, and its maker lists and ends it', async () => {
    const of = await anAgency(api, { agencyId: 'named' });
    const key = await aDashboardKey(api, of);
    const browser = new Browser(api);
    await browser.login(key.apiKey);
    const [login] = await loginsOf(of.dashboardKey, `?keyId=${key.id}`);
    const loginId = login?.id ?? '';
    const made = await aDashboardKey(api, of, { name: 'made' }, browser);
    const link = await aLink(api, browser);
    const headers = { ...OWN, cookie: browser.cookie };
    const stream = await StreamReader.open(`${api.url}/api/v1/events/stream`, headers);
    await stream.untilReady();
    const file = Buffer.from('a file of a login');
    const uploaded = await call(api, 'POST', '/api/v1/files?tenantId=t1', { headers, file });
    const connect = `/api/v1/sessions/${of.session.id}/connect-link`;
    expect((await browser.ask('POST', connect, {})).status).toBe(201);
    const seen = async (path: string, name: string, by = key.apiKey) =>
      (await call(api, 'GET', `/api/v1${path}`, { key: by })).body[name];
    for (const by of [key.apiKey, of.dashboardKey]) {
      const wanted = { madeBy: key.id, loginId };
      expect(await seen('/api-keys', 'apiKeys', by)).toContainEqual(
        expect.objectContaining({ id: made.id, ...wanted }),
      );
      expect(await seen(`/console/links?keyId=${key.id}`, 'links', by)).toMatchObject([
        { id: link.id, keyId: key.id, loginId },
      ]);
      expect(await seen('/files?tenantId=t1', 'uploads', by)).toMatchObject([{ id: uploaded.body['id'], ...wanted }]);
      expect(await seen(connect.replace('/api/v1', ''), 'link', by)).toMatchObject(wanted);
      expect(await seen('/events/streams', 'streams', by)).toMatchObject([{ keyId: key.id, linkId: null, loginId }]);
    }
    // A link of the same key without a login.
    const plain = await aLink(api, key.apiKey);
    expect(await seen(`/console/links?keyId=${key.id}`, 'links')).toMatchObject([{ id: plain.id, loginId: null }, {}]);
    expect(await end(`/api/v1/files/${String(uploaded.body['id'])}?tenantId=t1`, key.apiKey)).toBe(204);
    expect(await end(connect, key.apiKey)).toBe(204);
    // The keys of the agency say so once the login has ended, and so does the list of its links.
    expect(await end(`/api/v1/console/logins/${loginId}`, key.apiKey)).toBe(204);
    expect(await seen('/api-keys', 'apiKeys')).toContainEqual(
      expect.objectContaining({ id: made.id, revokedAt: expect.any(String) }),
    );
    expect(await seen(`/console/links?keyId=${key.id}`, 'links')).toMatchObject([
      { id: plain.id, revokedAt: null },
      { id: link.id, revokedAt: expect.any(String) },
    ]);
    const { body } = await call(api, 'GET', '/api/v1/audit?object=key', { key: of.dashboardKey });
    expect(body['entries']).toContainEqual(
      expect.objectContaining({ objectId: made.id, action: 'revoked', keyId: key.id }),
    );
    expect((await stream.until(({ event }) => event === 'end')).at(-1)?.event).toBe('end');
  });

  it('ends with a login by a link, too, and the link of the console stays as it is', async () => {
    const of = await anAgency(api, { agencyId: 'guested' });
    const link = await aLink(api, of.dashboardKey);
    const guest = await openedBy(api, link.url);
    const headers = { ...OWN, cookie: guest.cookie };
    const file = Buffer.from('a file of a guest');
    const { id, fileId } = UploadedFile.parse((await call(api, 'POST', '/api/v1/files', { headers, file })).body);
    const [login] = await loginsOf(of.dashboardKey);
    expect(await uploadsOf(of.dashboardKey, '?tenantId=t1')).toMatchObject([
      { id, madeBy: link.id, loginId: login?.id },
    ]);
    expect(await names(of, fileId)).toBe(202);
    expect((await guest.ask('DELETE', '/console/session')).status).toBe(204);
    expect([await uploadsOf(of.dashboardKey, '?tenantId=t1'), await names(of, fileId)]).toEqual([[], 422]);
    const { body } = await call(api, 'GET', '/api/v1/console/links', { key: of.dashboardKey });
    expect(body['links']).toMatchObject([{ id: link.id, revokedAt: null }]);
  });
});

describe('what somebody has made', () => {
  /** Logs in by each of two keys that lack the scope `keys`, and by a link, and tells what each sees of the logins. */
  async function scene() {
    const [plain, other] = [
      await aDashboardKey(api, acme, { scopes: ['send'] }),
      await aDashboardKey(api, acme, { scopes: ['read'] }),
    ];
    const browsers = { plain: new Browser(api), other: new Browser(api), session: new Browser(api) };
    await browsers.plain.login(plain.apiKey);
    await browsers.other.login(other.apiKey);
    await browsers.session.login(acme.scopedKey);
    return { plain, other, browsers };
  }

  it('is listed and ended by its maker without the scope keys, and nothing else is', async () => {
    const { plain, other, browsers } = await scene();
    const [[ofPlain], [ofOther], [ofSession]] = [
      await loginsOf(plain.apiKey),
      await loginsOf(other.apiKey),
      await loginsOf(acme.scopedKey),
    ];
    expect([ofPlain?.keyId, ofOther?.keyId]).toEqual([plain.id, other.id]);
    for (const key of [plain.apiKey, other.apiKey, acme.scopedKey]) expect(await loginsOf(key)).toHaveLength(1);
    expect(await loginsOf(plain.apiKey, `?keyId=${other.id}`)).toEqual([]);
    const pathOf = (login: { id: string } | undefined) => `/api/v1/console/logins/${login?.id ?? ''}`;
    expect([
      await end(pathOf(ofPlain), other.apiKey),
      await end(pathOf(ofPlain), acme.scopedKey),
      await end(pathOf(ofSession), plain.apiKey),
      await end(pathOf(ofSession), globex.scopedKey),
    ]).toEqual([404, 404, 404, 404]);
    expect(await end(pathOf(ofSession), acme.scopedKey)).toBe(204);
    expect(await end(pathOf(ofPlain), plain.apiKey)).toBe(204);
    const seen = await loginsOf(acme.dashboardKey);
    expect(seen.map(({ id }) => id)).toContain(ofOther?.id);
    const chats = '/api/v1/inbox/chats?tenantId=t1';
    const statuses = Object.values(browsers).map(async (browser) => (await browser.ask('GET', chats)).status);
    expect(await Promise.all(statuses)).toEqual([401, 200, 401]);
  });

  it('is its own of a link, too: its login, its uploads and its connect link', async () => {
    const idle = await anAgency(api, { agencyId: 'idle' });
    const [guest, stranger] = [
      await openedBy(api, (await aLink(api, idle.dashboardKey, { readOnly: true })).url),
      await openedBy(api, (await aLink(api, idle.dashboardKey)).url),
    ];
    const logins = async (browser: Browser) =>
      Logins.parse((await browser.ask('GET', '/api/v1/console/logins')).body).logins;
    const [[ofGuest, ...none], [ofStranger]] = [await logins(guest), await logins(stranger)];
    expect(none).toEqual([]);
    const ends = async (browser: Browser, path: string) => (await browser.ask('DELETE', path)).status;
    expect(await ends(guest, `/api/v1/console/logins/${ofStranger?.id ?? ''}`)).toBe(404);
    expect(await ends(guest, `/api/v1/console/logins/${ofGuest?.id ?? ''}`)).toBe(204);
    expect(await reads(guest)).toBe(401);

    const ofOwner = await upload(idle, 'a file of the owner', idle.dashboardKey, '?tenantId=t1');
    expect((await stranger.ask('GET', '/api/v1/files')).body).toMatchObject({ uploads: [] });
    expect(await ends(stranger, `/api/v1/files/${ofOwner.id}`)).toBe(404);

    const connect = `/api/v1/sessions/${idle.session.id}/connect-link`;
    const link = async () => (await stranger.ask('GET', connect)).body['link'];
    expect((await call(api, 'POST', connect, { key: idle.dashboardKey, body: {} })).status).toBe(201);
    expect([await link(), await ends(stranger, connect)]).toEqual([null, 204]);
    expect((await call(api, 'GET', connect, { key: idle.dashboardKey })).body['link']).not.toBeNull();
    expect((await stranger.ask('POST', connect, {})).status).toBe(201);
    expect(await link()).not.toBeNull();
    expect(await ends(stranger, connect)).toBe(204);
    expect((await call(api, 'GET', connect, { key: idle.dashboardKey })).body['link']).toBeNull();
  });
});

describe('uploads', () => {
  it('are listed for their owner, and for their maker its own, and each of them may end them', async () => {
    const ofSession = await upload(acme, 'a file of the session');
    const ofDashboard = await upload(acme, 'a file of the dashboard', acme.dashboardKey, '?tenantId=t1');
    const all = (await uploadsOf(acme.dashboardKey, '?tenantId=t1')).map(({ id }) => id);
    expect(all).toEqual([ofDashboard.id, ofSession.id]);
    expect((await uploadsOf(acme.scopedKey)).map(({ id }) => id)).toEqual([ofSession.id]);
    expect(await uploadsOf(globex.scopedKey)).toEqual([]);
    const path = `/api/v1/files/${ofDashboard.id}`;
    expect([await end(path, acme.scopedKey), await end(path, globex.dashboardKey)]).toEqual([404, 404]);
    expect(await end(`/api/v1/files/${ofSession.id}`, acme.scopedKey)).toBe(204);
    expect([await names(acme, ofSession.fileId), await names(acme, ofDashboard.fileId)]).toEqual([422, 202]);
    expect(await end(`${path}?tenantId=t1`, acme.dashboardKey)).toBe(204);
    expect(await names(acme, ofDashboard.fileId)).toBe(422);
    expect(await uploadsOf(acme.dashboardKey, '?tenantId=t1')).toEqual([]);
  });

  it('that ended are deleted unless a message has the file, and come back with a new upload', async () => {
    const [sent, unsent] = [await upload(acme, 'a file that is sent'), await upload(acme, 'a file that is not')];
    expect(await names(acme, sent.fileId)).toBe(202);
    for (const { id } of [sent, unsent]) expect(await end(`/api/v1/files/${id}`, acme.scopedKey)).toBe(204);
    const taken = await api.database.transaction((tx) => takeUnusedFiles(tx, 100));
    expect(taken).toContain(`acme/${unsent.sha256}`);
    expect(taken).not.toContain(`acme/${sent.sha256}`);
    const again = await upload(acme, 'a file that is sent');
    expect([again.id, await names(acme, again.fileId)]).toEqual([sent.id, 202]);
  });

  it('of the master key stay, as documented, and only their owner ends them', async () => {
    const file = await upload(acme, 'a file of the operator', MASTER_KEY, '?agencyId=acme&tenantId=t1');
    const [listed] = await uploadsOf(acme.dashboardKey, '?tenantId=t1');
    expect(listed).toMatchObject({ id: file.id, madeBy: 'master' });
    expect(await end(`/api/v1/files/${file.id}?tenantId=t1`, acme.dashboardKey)).toBe(204);
    expect(await names(acme, file.fileId)).toBe(422);
  });
});
