import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createDirectoryStore } from '../../../adapters/media-store/directory.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { endFetch } from '../../../db/media/news.ts';
import { removeFiles } from '../../../db/media/remove.ts';
import { importMessages } from '../../../db/network/history.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import { mediaKey, thumbnailKey } from '../../../domain/sending/media.ts';
import type { MediaStore } from '../../../domain/sending/media.ts';
import { MessageView } from '../../../domain/sending/message.ts';
import { startApiOn } from '../../support/api.ts';
import type { RunningApi } from '../../support/api.ts';
import { call, registerDashboard } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, countRows, findRows, merged } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';

const TARGET = { agencyId: 'acme', tenantId: 't1' };
const PHOTO = Buffer.from('\xff\xd8\xff\xe0 a photo', 'latin1');
const THUMBNAIL = Buffer.from('a small photo');
const SHA256 = createHash('sha256').update(PHOTO).digest('hex');
const KEY = mediaKey(TARGET.agencyId, SHA256);

let directory: string;
let store: MediaStore;
let api: RunningApi;
let key: string;
let sessionId: string;
let photos = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'media-kept-'));
  store = createDirectoryStore(directory);
  const databaseUrl = await takeDatabase();
  api = await startApiOn(databaseUrl, 'media-kept', directory);
  key = await registerDashboard(api, { agencyId: TARGET.agencyId });
  const created = await call(api, 'POST', '/api/v1/sessions', { key, body: TARGET });
  sessionId = z.object({ id: z.string() }).parse(created.body).id;
});

afterAll(async () => {
  await api.close();
  await rm(directory, { recursive: true });
});

/** A photo that was found in the history of the account: its row, and how the inbox shows it. */
async function aPhotoOfTheHistory(): Promise<{ id: string; view: MessageView }> {
  photos += 1;
  const chatId = `1555${6_000_000 + photos}@c.us`;
  const timestamp = Math.floor(Date.now() / 1_000);
  const old = { kind: 'image', hasMedia: true, media: null } as const;
  const message = aNetworkMessage({ networkId: `OLD${photos}`, chatId, timestamp, ...old });
  const session = await api.database.read((queries) => findSessionById(queries, sessionId));
  if (!session) throw new Error('The session is not there.');
  const conversation = await api.database.transaction(async (tx) => {
    const chat = await ensureConversation(tx, { ...TARGET, sessionId }, { chatId });
    await importMessages(tx, session, chat, { messages: [message] });
    return chat;
  });
  const path = `/api/v1/inbox/conversations/${conversation.id}/messages?${new URLSearchParams(TARGET).toString()}`;
  const { body } = await call(api, 'GET', path, { key });
  const [view] = z.object({ messages: z.array(MessageView) }).parse(body).messages;
  if (!view) throw new Error('The message is not in the list.');
  return { id: view.messageId, view };
}

const read = (url: string | null | undefined) => fetch(`${api.url}${new URL(url ?? '').pathname}`);
const isPromised = async (id: string) => (await countRows(api.database, 'mediaFetch', { messageId: id })) === 1;

/** Does a worker's work after the file is promised. */
async function fetched(id: string, { isThere = true } = {}): Promise<void> {
  await eventually(() => isPromised(id));
  const stored = { key: KEY, sizeBytes: PHOTO.length, sha256: SHA256 };
  const thumbnail = { sizeBytes: THUMBNAIL.length, width: 320, height: 200 };
  if (isThere) {
    await store.put(KEY, PHOTO, 'image/jpeg');
    await store.put(thumbnailKey(KEY), THUMBNAIL, 'image/webp');
  }
  const end = isThere
    ? { stored, mimeType: 'image/jpeg', fileName: null, thumbnail }
    : { error: 'media_unavailable' as const };
  await api.database.transaction((tx) => endFetch(tx, id, end));
}

describe('GET /media of a file that is not in the store', () => {
  it('has a file of the history fetched at once and answers with it, and later with its thumbnail', async () => {
    const { id, view } = await aPhotoOfTheHistory();
    expect(view.media).toMatchObject({ url: expect.stringContaining(id), sizeBytes: null });
    expect(await isPromised(id)).toBe(false);
    const answer = read(view.mediaUrl);
    await fetched(id);
    expect(Buffer.from(await (await answer).arrayBuffer())).toEqual(PHOTO);
    const [row] = await findRows(api.database, 'dispatch', { workflowId: `media/${id}` }, ['priority']);
    expect(row).toEqual({ priority: 2 });
    const small = await read(`${view.mediaUrl}/thumbnail`);
    expect([small.headers.get('content-type'), await small.text()]).toEqual(['image/webp', 'a small photo']);
  });

  it('fetches a file again that the store has lost', async () => {
    const { id, view } = await aPhotoOfTheHistory();
    const first = read(view.mediaUrl);
    await fetched(id);
    expect((await first).status).toBe(200);
    await store.delete(KEY);
    const second = read(view.mediaUrl);
    await fetched(id);
    expect([(await second).status, await (await second).text()]).toEqual([200, PHOTO.toString()]);
  });

  it('is 410 with the reason where nobody gives it, and where it was taken away', async () => {
    const [lost, expired, erased] = [
      await aPhotoOfTheHistory(),
      await aPhotoOfTheHistory(),
      await aPhotoOfTheHistory(),
    ];
    const answer = read(lost.view.mediaUrl);
    await fetched(lost.id, { isThere: false });
    await api.database.transaction((tx) => removeFiles(tx, [expired.id], 'expired'));
    await api.database.transaction((tx) => removeFiles(tx, [erased.id], 'erased'));
    const answers = [await answer, await read(expired.view.mediaUrl), await read(erased.view.mediaUrl)];
    expect(await Promise.all(answers.map((each) => each.json()))).toMatchObject([
      { status: 410, code: 'file_gone', reason: 'unavailable' },
      { status: 410, code: 'file_gone', reason: 'expired' },
      { status: 410, code: 'file_gone', reason: 'erased' },
    ]);
    expect(await isPromised(expired.id)).toBe(false);
    expect((await read(`${expired.view.mediaUrl}/thumbnail`)).status).toBe(410);
  });

  it('answers no thumbnail of a file that has none, and none to a wrong signature', async () => {
    const { id, view } = await aPhotoOfTheHistory();
    const answer = read(view.mediaUrl);
    await fetched(id);
    await answer;
    await changeRows(api.database, 'message', { media: merged({ thumbnail: { refused: 'not_readable' } }) }, { id });
    expect((await read(`${view.mediaUrl}/thumbnail`)).status).toBe(404);
    expect((await read(`${view.mediaUrl?.replace(/.$/, '')}/thumbnail`)).status).toBe(404);
  });
});
