import { expect } from '@jest/globals';
import { z } from 'zod';
import { UploadedFile } from '../../../domain/sending/upload.ts';
import type { RunningApi } from '../../support/api.ts';
import { call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { StreamReader } from '../../support/event-stream.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { Browser, OWN } from './browser.ts';

export const Key = z.object({ id: z.string(), apiKey: z.string() });
export type Key = z.output<typeof Key>;
const Link = z.object({ id: z.string(), url: z.url() });

/** One credential that a key has made, with a way to try it. */
export interface Made {
  kind: string;
  /** True while it still does something. */
  works: () => Promise<boolean>;
}

/** A maker of credentials: a key, or the browser of somebody who is logged in. */
type Maker = string | Browser;

const headersOf = (by: Maker): Record<string, string> =>
  typeof by === 'string' ? { 'x-api-key': by } : { ...OWN, cookie: by.cookie };

export const ticketOf = (url: string): string => new URL(url).hash.replace('#ticket=', '');

/** Keys, and what keys have made in turn, which a login's ordinary end leaves. */
export const KINDS_OF_KEYS = {
  dashboard: 'key of the dashboard',
  grandchild: 'key made by a made key',
  session: 'key of a session',
  login: 'login by a made key',
  link: 'login by a link of a made key',
};

/** Makes a key for the dashboard, by the key that the agency has now. */
export async function aDashboardKey(
  api: RunningApi,
  of: Agency,
  more: object = {},
  by: Maker = of.dashboardKey,
): Promise<Key> {
  const body = { agencyId: of.agencyId, name: 'test', ...more };
  const made = await call(api, 'POST', '/api/v1/api-keys/dashboard', { headers: headersOf(by), body });
  expect(made.status).toBe(201);
  return Key.parse(made.body);
}

export async function aLink(api: RunningApi, by: Maker, more: object = {}): Promise<z.output<typeof Link>> {
  const body = { tenantId: 't1', name: 'Ada', readOnly: false, loginSeconds: 604_800, expiresInSeconds: 604_800 };
  const wanted = { headers: headersOf(by), body: { ...body, ...more } };
  const made = await call(api, 'POST', '/api/v1/console/links', wanted);
  expect([made.status, made.body['detail']]).toEqual([201, undefined]);
  return Link.parse(made.body);
}

/** Opens a link, and returns the browser that is logged in by it. */
export async function openedBy(api: RunningApi, url: string): Promise<Browser> {
  const browser = new Browser(api);
  expect((await browser.ask('POST', '/console/session', { ticket: ticketOf(url) })).status).toBe(200);
  return browser;
}

/**
 * Makes one credential of each kind with the key or the login. Each is tried once at its making by the caller, so that a
 * kind that never works cannot pass as one that has ended.
 */
export async function everythingOf(api: RunningApi, of: Agency, maker: Maker): Promise<Made[]> {
  const target = { agencyId: of.agencyId, tenantId: of.tenantId };
  const headers = headersOf(maker);
  const reads = async (key: string) => (await call(api, 'GET', '/api/v1/inbox/chats', { key })).status === 200;
  const readsBy = async (browser: Browser) => (await browser.ask('GET', '/api/v1/inbox/chats')).status === 200;
  const dashboard = await aDashboardKey(api, of, { name: 'made' }, maker);
  const grandchild = await aDashboardKey(api, of, { name: 'made by made' }, dashboard.apiKey);
  const session = await call(api, 'POST', '/api/v1/api-keys', { headers, body: { ...target, name: 'made' } });
  const sessionKey = Key.parse(session.body);
  const byKey = new Browser(api);
  expect((await byKey.login(typeof maker === 'string' ? maker : dashboard.apiKey)).status).toBe(200);
  const unopened = await aLink(api, maker);
  const byLink = await openedBy(api, (await aLink(api, maker)).url);
  const linkOfMade = await openedBy(api, (await aLink(api, dashboard.apiKey)).url);
  const uploaded = await call(api, 'POST', '/api/v1/files?tenantId=t1', {
    file: Buffer.from('%PDF-1.7 for the test'),
    headers: { ...headers, 'content-type': 'application/pdf' },
  });
  const { fileId } = UploadedFile.parse(uploaded.body);
  const connect = `/api/v1/sessions/${of.session.id}/connect-link`;
  const page = z.object({ url: z.url() }).parse((await call(api, 'POST', connect, { headers, body: {} })).body).url;
  const isStreaming = await anOpenStream(api, maker);
  const made: Made[] = [
    { kind: KINDS_OF_KEYS.dashboard, works: () => reads(dashboard.apiKey) },
    { kind: KINDS_OF_KEYS.grandchild, works: () => reads(grandchild.apiKey) },
    { kind: KINDS_OF_KEYS.session, works: () => reads(sessionKey.apiKey) },
    { kind: typeof maker === 'string' ? 'login by the key' : KINDS_OF_KEYS.login, works: () => readsBy(byKey) },
    { kind: 'login by a link', works: () => readsBy(byLink) },
    { kind: KINDS_OF_KEYS.link, works: () => readsBy(linkOfMade) },
    { kind: 'connect link', works: async () => (await readPage(api, page)) === 200 },
    { kind: 'upload id', works: () => isFileKnown(api, of, fileId) },
    { kind: 'stream', works: async () => isStreaming() },
  ];
  for (const { kind, works } of made) expect([kind, await works()]).toEqual([kind, true]);
  return [...made, { kind: 'unopened ticket', works: () => opensTicket(api, unopened.url) }];
}

/** Opens a stream of events, and tells whether it is still open. */
async function anOpenStream(api: RunningApi, by: Maker): Promise<() => boolean> {
  const headers = { ...headersOf(by), accept: 'text/event-stream' };
  const stream = await StreamReader.open(`${api.url}/api/v1/events/stream`, headers);
  let isOpen = true;
  void (async () => {
    while ((await stream.next()) !== undefined);
    isOpen = false;
  })().catch(() => undefined);
  return () => isOpen;
}

/** Makes one credential of each kind that belongs to the session of the agency. */
export async function everythingOfSession(api: RunningApi, of: Agency): Promise<Made[]> {
  const sessionId = of.session.id;
  const readsBy = async (browser: Browser) => (await browser.ask('GET', '/api/v1/inbox/chats')).status === 200;
  const byKey = new Browser(api);
  expect((await byKey.login(of.scopedKey)).status).toBe(200);
  const [opened, unopened] = [
    await aLink(api, of.dashboardKey, { sessionId }),
    await aLink(api, of.dashboardKey, { sessionId }),
  ];
  const byLink = await openedBy(api, opened.url);
  const file = Buffer.from('%PDF-1.7 of the session');
  const { fileId } = UploadedFile.parse((await call(api, 'POST', '/api/v1/files', { key: of.scopedKey, file })).body);
  const connect = `/api/v1/sessions/${sessionId}/connect-link`;
  const { url } = (await call(api, 'POST', connect, { key: of.dashboardKey, body: {} })).body;
  const isStreaming = await anOpenStream(api, of.scopedKey);
  const made: Made[] = [
    {
      kind: 'key of the session',
      works: async () => (await call(api, 'GET', '/api/v1/inbox/chats', { key: of.scopedKey })).status === 200,
    },
    { kind: "login by the session's key", works: () => readsBy(byKey) },
    { kind: 'login by a link of the session', works: () => readsBy(byLink) },
    { kind: 'connect link', works: async () => (await readPage(api, z.url().parse(url))) === 200 },
    { kind: 'upload id', works: () => isFileKnown(api, of, fileId) },
    { kind: 'stream', works: async () => isStreaming() },
  ];
  for (const { kind, works } of made) expect([kind, await works()]).toEqual([kind, true]);
  return [...made, { kind: 'unopened ticket', works: () => opensTicket(api, unopened.url) }];
}

/** Opening a ticket uses it, so each is tried only at the end. */
async function opensTicket(api: RunningApi, url: string): Promise<boolean> {
  return (await new Browser(api).ask('POST', '/console/session', { ticket: ticketOf(url) })).status === 200;
}

async function readPage(api: RunningApi, url: string): Promise<number> {
  const answer = await fetch(api.url + new URL(url).pathname);
  await answer.arrayBuffer();
  return answer.status;
}

/** The operator names the file in a message, so that the answer says only whether the id still works. */
async function isFileKnown(api: RunningApi, { agencyId, tenantId }: Agency, fileId: string): Promise<boolean> {
  const body = { agencyId, tenantId, to: '15550170009', attachments: [{ kind: 'document', fileId }] };
  const { status, body: said } = await call(api, 'POST', '/api/v1/messages/send', { key: MASTER_KEY, body });
  if (status < 300) return true;
  return !JSON.stringify(said['errors'] ?? []).includes('fileId');
}
