import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { EQUAL_SHARES } from '../../../domain/shares.ts';
import { createEgress } from '../../../adapters/egress/egress.ts';
import { createDirectoryStore } from '../../../adapters/media-store/directory.ts';
import { createMediaActivities } from '../../../activities/sending/media.ts';
import { createPrepare } from '../../../activities/sending/prepare.ts';
import { createBackends } from '../../../adapters/backend/backends.ts';
import { findBeforeSend } from '../../../db/sending/before-send.ts';
import type { BeforeSend } from '../../../db/sending/before-send.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { findMessageById } from '../../../db/conversations/message.ts';
import { newId } from '../../../db/engine/new-id.ts';
import type { AttachmentSource } from '../../../domain/sending/content.ts';
import { EngineError } from '../../../domain/error.ts';
import type { MediaStore } from '../../../domain/sending/media.ts';
import { MessageView } from '../../../domain/sending/message.ts';
import { inActivity } from '../../activities/in-activity.ts';
import { startApiOn } from '../../support/api.ts';
import type { RunningApi } from '../../support/api.ts';
import { call, registerDashboard } from '../../support/client.ts';
import { startFileServer } from '../../support/file-server.ts';
import type { FileServer } from '../../support/file-server.ts';
import { addRow, changeRows, databaseNow, findRow, json } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';

const TARGET = { agencyId: 'acme', tenantId: 't1' };
const AS = new URLSearchParams(TARGET).toString();
const THUMBNAIL = { bytes: Buffer.from('a thumbnail'), width: 2, height: 1 };
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(1_000, 7)]);
const PDF = Buffer.from('%PDF-1.7 for the test');
const STATEMENT = Buffer.from('%PDF-1.7 another one');
const MAX_BYTES = 20_000;

let directory: string;
let files: FileServer;
let api: RunningApi;
let key: string;
let conversation: { id: string; sessionId: string };
let media: ReturnType<typeof createMediaActivities>;
let prepare: ReturnType<typeof createPrepare>;
let failing = true;
let storeIsAway = false;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'media-test-'));
  files = await startFileServer({
    '/photo.png': (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG),
    '/again/photo.png': (response) => void response.end(PNG),
    '/offer.pdf': (response) => void response.end(PDF),
    '/page': (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('<html>Sign in</html>'),
    '/large': (response) => void response.end(Buffer.alloc(MAX_BYTES + 1)),
    '/private': (response) => void response.writeHead(401).end(),
    '/inside': (response) => void response.writeHead(302, { location: 'http://10.0.0.1/secret' }).end(),
    '/statement.pdf': (response) => void response.end(STATEMENT),
    '/down': (response) => void response.writeHead(503).end(),
    '/flapping': (response) => void response.writeHead(failing ? 503 : 200).end(PDF),
  });
  const databaseUrl = await takeDatabase();
  api = await startApiOn(databaseUrl, 'media-api', directory);
  const deps = {
    database: api.database,
    backends: createBackends([]),
    egress: createEgress({ allow: ['127.0.0.1/32'], userAgent: 'test' }),
    shares: EQUAL_SHARES,
    media: { store: sometimesAway(createDirectoryStore(directory)), maxBytes: MAX_BYTES },
    thumbnails: { make: async () => THUMBNAIL, stop: () => undefined },
  };
  media = createMediaActivities(deps);
  prepare = createPrepare(deps);
  key = await registerDashboard(api, { agencyId: TARGET.agencyId });
  const created = await call(api, 'POST', '/api/v1/sessions', { key, body: TARGET });
  const sessionId = z.object({ id: z.string() }).parse(created.body).id;
  const { id } = await api.database.transaction((tx) =>
    ensureConversation(tx, { ...TARGET, sessionId }, { chatId: '15550100001@c.us' }),
  );
  conversation = { id, sessionId };
});

afterAll(async () => {
  await api.close();
  await files.close();
  await rm(directory, { recursive: true });
});

async function aMessage(kind: string, attachment: AttachmentSource): Promise<string> {
  const id = newId('msg');
  await addRow(api.database, 'message', {
    id,
    agencyId: 'acme',
    tenantId: 't1',
    sessionId: conversation.sessionId,
    conversationId: conversation.id,
    direction: 'out',
    origin: 'api',
    kind,
    content: json({ attachment }),
    occurredAt: databaseNow,
    status: 'queued',
  });
  return id;
}

async function aPreparedMessage(kind: string, path: string, more: Partial<AttachmentSource> = {}): Promise<string> {
  const messageId = await aMessage(kind, { url: files.url + path, ...more });
  expect(await media.prepareMedia({ messageId })).toEqual({ state: 'ready' });
  return messageId;
}

async function aMessageToSend(url: string): Promise<BeforeSend> {
  const messageId = await aMessage('document', { url });
  const before = await api.database.read((queries) => findBeforeSend(queries, messageId));
  if (!before) throw new Error('The message is not there.');
  return before;
}

function rowOf({ messageId }: { messageId: string }) {
  return api.database.read((queries) => findMessageById(queries, messageId));
}

function sometimesAway(store: MediaStore): MediaStore {
  const here = () => {
    if (storeIsAway) throw new EngineError('unavailable', 'The store is away.');
    return store;
  };
  return { ...store, put: async (...file) => here().put(...file), get: async (...file) => here().get(...file) };
}

async function viewOf(messageId: string): Promise<MessageView> {
  const { body } = await call(api, 'GET', `/api/v1/inbox/conversations/${conversation.id}/messages?${AS}`, { key });
  const { messages } = z.object({ messages: z.array(MessageView) }).parse(body);
  const view = messages.find((message) => message.messageId === messageId);
  if (!view) throw new Error('The message is not in the list.');
  return view;
}

/** The public address, at the engine under test. */
async function fetchMedia(messageId: string, init: RequestInit = {}): Promise<Response> {
  const { mediaUrl } = await viewOf(messageId);
  expect(mediaUrl).toMatch(/^http:\/\/media\.test\/media\/msg_[0-9a-f-]+\/[\w-]{43}$/);
  return fetch(`${api.url}${new URL(mediaUrl ?? '').pathname}`, init);
}

describe('an attachment', () => {
  it('is shown as the caller named it until the engine has it, and its address never', async () => {
    const id = await aMessage('image', { url: `${files.url}/photo.png?token=secret`, fileName: 'cat.png' });
    const view = await viewOf(id);
    expect(view).toMatchObject({ hasMedia: true, mediaUrl: null, media: { url: null, fileName: 'cat.png' } });
    expect(JSON.stringify(view)).not.toContain('secret');
  });

  it('is fetched once, and its bytes are handed over', async () => {
    const before = files.asked.length;
    const messageId = await aPreparedMessage('image', '/photo.png', { mimeType: 'image/jpeg' });
    expect(await media.prepareMedia({ messageId })).toEqual({ state: 'ready' });
    expect(files.asked.length - before).toBe(1);
    const message = await api.database.read((queries) => findMessageById(queries, messageId));
    expect(await media.storedFile({ media: message?.media ?? null }).load()).toEqual({
      data: PNG,
      mimeType: 'image/png',
      fileName: 'photo.png',
    });
    const { url: _, ...shown } = (await viewOf(messageId)).media?.thumbnail ?? {};
    expect(shown).toEqual({ width: 2, height: 1 });
    expect((await viewOf(messageId)).media).toMatchObject({ mimeType: 'image/png', sizeBytes: PNG.length });
  });

  it('that is the same as another is stored once', async () => {
    const before = await readdir(join(directory, 'acme'));
    await aPreparedMessage('image', '/again/photo.png');
    expect(await readdir(join(directory, 'acme'))).toEqual(before);
  });

  it.each([
    ['image', '/page', 'media_type_refused'],
    ['image', '/offer.pdf', 'media_type_refused'],
    ['document', '/large', 'media_too_large'],
    ['document', '/private', 'media_unavailable'],
    ['document', '/missing', 'media_unavailable'],
    ['document', '/inside', 'media_unavailable'],
  ])('of kind %s at %s ends with %s', async (kind, path, reason) => {
    const messageId = await aMessage(kind, { url: `${files.url}${path}` });
    const prepared = await media.prepareMedia({ messageId });
    expect(prepared).toMatchObject({ state: 'failed', reason });
    expect(JSON.stringify(prepared)).not.toContain(files.url);
    expect((await viewOf(messageId)).mediaUrl).toBeNull();
  });

  it('is tried again while its server has trouble', async () => {
    const messageId = await aMessage('document', { url: `${files.url}/flapping` });
    expect(await media.prepareMedia({ messageId })).toMatchObject({ state: 'unavailable' });
    failing = false;
    expect(await media.prepareMedia({ messageId })).toEqual({ state: 'ready' });
  });

  it('whose server has trouble six times ends its message, and says why', async () => {
    const before = await aMessageToSend(`${files.url}/down`);
    for (let times = 1; times < 6; times += 1) {
      const again = { type: 'media_unavailable', nonRetryable: false };
      await expect(inActivity(prepare.fetchFile, before)).rejects.toMatchObject(again);
    }
    expect(await prepare.fetchFile(before)).toMatchObject({ state: 'ended', reason: 'media_unavailable' });
    expect(await rowOf(before)).toMatchObject({
      status: 'failed',
      errorCode: 'media_unavailable',
      errorDetail: "The file's server returned 503.",
    });
  });

  it('that our own store cannot take for a while is neither counted nor given up', async () => {
    const before = await aMessageToSend(`${files.url}/statement.pdf`);
    storeIsAway = true;
    for (let times = 1; times <= 8; times += 1) {
      await expect(prepare.fetchFile(before)).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(await rowOf(before)).toMatchObject({ status: 'queued', errorCode: null, errorDetail: null });
    storeIsAway = false;
    expect(await prepare.fetchFile(before)).toBeUndefined();
    const file = await prepare.prepare(before);
    storeIsAway = true;
    await expect(file?.load()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await rowOf(before)).toMatchObject({ status: 'queued', errorCode: null });
    storeIsAway = false;
    expect(await file?.load()).toMatchObject({ data: STATEMENT });
  });
});

describe('GET /media', () => {
  it('gives anybody with the address the file, harmless in a browser', async () => {
    const response = await fetchMedia(await aPreparedMessage('image', '/photo.png'));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PNG);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': 'inline; filename="photo.png"',
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
    });
  });

  it('has documents saved under their name', async () => {
    const messageId = await aPreparedMessage('document', '/offer.pdf', { fileName: '../Оферта "2".pdf' });
    const response = await fetchMedia(messageId);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"]+"; filename\*=UTF-8''%D0%9E%D1%84%D0%B5%D1%80%D1%82%D0%B0%20_2_\.pdf$/,
    );
  });

  it.each(['text/jscript', 'text/html', 'image/svg+xml', 'application/javascript; charset=utf-8'])(
    'gives a file that is stored as %s as bytes to save',
    async (mimeType) => {
      const messageId = await aPreparedMessage('document', '/offer.pdf');
      const found = await findRow(api.database, 'message', { id: messageId }, ['media']);
      await changeRows(
        api.database,
        'message',
        { media: json({ ...z.looseObject({}).parse(found.media), mimeType }) },
        { id: messageId },
      );
      const response = await fetchMedia(messageId);
      expect([response.status, Object.fromEntries(response.headers)]).toEqual([
        200,
        expect.objectContaining({
          'content-type': 'application/octet-stream',
          'content-disposition': expect.stringMatching(/^attachment;/),
          'content-security-policy': expect.stringContaining('sandbox'),
          'x-content-type-options': 'nosniff',
        }),
      ]);
    },
  );

  it.each([
    ['bytes=0-3', 206, '%PDF', 'bytes 0-3/21'],
    ['bytes=17-', 206, 'test', 'bytes 17-20/21'],
    ['bytes=-4', 206, 'test', 'bytes 17-20/21'],
    ['bytes=17-999', 206, 'test', 'bytes 17-20/21'],
    ['bytes=5-1', 200, PDF.toString(), null],
    ['bytes=0-1,4-5', 200, PDF.toString(), null],
  ])('answers the range %s', async (range, status, text, contentRange) => {
    const response = await fetchMedia(await aPreparedMessage('document', '/offer.pdf'), { headers: { range } });
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(text.length));
  });

  it('refuses a range that is not there, and sends nothing to who has the file or asks for its head', async () => {
    const messageId = await aPreparedMessage('document', '/offer.pdf');
    const beyond = await fetchMedia(messageId, { headers: { range: 'bytes=21-' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */21']);
    const head = await fetchMedia(messageId, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '21', '']);
    const etag = head.headers.get('etag') ?? '';
    const known = await fetchMedia(messageId, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
    expect([known.status, await known.text()]).toEqual([304, '']);
  });

  it('answers one 404 to a wrong signature, to a message of another, without a file and to none', async () => {
    const [own, other] = [
      await aPreparedMessage('image', '/photo.png'),
      await aMessage('image', { url: 'http://a.test/' }),
    ];
    const signature = ((await viewOf(own)).mediaUrl ?? '').split('/').at(-1) ?? '';
    const answers = await Promise.all(
      [`${own}/${'A'.repeat(43)}`, `${own}/x`, `${other}/${signature}`, `msg_none/${signature}`].map(async (path) => {
        const response = await fetch(`${api.url}/media/${path}`);
        const { requestId, ...problem } = z.record(z.string(), z.unknown()).parse(await response.json());
        expect(requestId).toBeDefined();
        return { status: response.status, problem };
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(answers.map(({ problem }) => JSON.stringify(problem))).size).toBe(1);
  });

  it('is 410 when the store has lost a file that nobody can give again', async () => {
    const messageId = await aPreparedMessage('image', '/photo.png');
    await rm(join(directory, 'acme'), { recursive: true });
    expect((await fetchMedia(messageId)).status).toBe(410);
  });
});
