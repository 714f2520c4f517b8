import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { createInboundMediaActivities } from '../../../activities/network/media.ts';
import type { SessionCalls } from '../../../adapters/backend/backends.ts';
import type { FileAnswer } from '../../../adapters/backend/calls/files.ts';
import { promiseAskedFile } from '../../../db/media/fetch.ts';
import { writeStorageCeiling } from '../../../db/media/storage.ts';
import type { NetworkMedia } from '../../../domain/network/network-event.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { EQUAL_SHARES } from '../../../domain/shares.ts';
import { mayBeShown } from '../../../domain/sending/media.ts';
import { everywhere } from '../../adapters/backend/only-backend.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, countRows, databaseNow, findRows, rowsOf, toldPayloads } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';

const { database, session } = await databaseOfThisFile();
type FileCalls = Pick<SessionCalls, 'loadFile' | 'askForFile'>;

const JPEG = Buffer.from('\xff\xd8\xff\xe0 a photo', 'latin1');
const SHA256 = createHash('sha256').update(JPEG).digest('hex');
const OLD = 'http://localhost:3000/api/files/s/old.jpg';
const NEW = 'http://localhost:3000/api/files/s/new.jpg';
const file = (url: string | null): NetworkMedia => ({ url, mimeType: 'image/jpeg', fileName: null, error: null });

/** The files of an agency that a worker fetches at once. */
const PLACES = 16;

/** The largest that an operator can set. */
const MAX_BYTES = 2 * 1_024 ** 3;

const THUMBNAIL = { bytes: Buffer.from('a thumbnail'), width: 320, height: 200 };

let photos = 0;

/** Somebody has sent a photo, of which the backend has said this. */
async function aPhoto(media: NetworkMedia | null = file(OLD)): Promise<string> {
  photos += 1;
  const networkId = `PHOTO${photos}`;
  const chatId = `1555${7_000_000 + photos}@c.us`;
  const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
  const message = aNetworkMessage({ networkId, chatId, timestamp, kind: 'image', hasMedia: true, media });
  await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message }));
  const [row] = await findRows(database, 'message', { networkId }, ['id']);
  return row?.id ?? '';
}

async function mediaOf(messageId: string): Promise<NetworkMedia | undefined> {
  const [row] = await rowsOf(database, sql<{ media: NetworkMedia }>`select media from message where id = ${messageId}`);
  return row?.media;
}

/** A backend that answers this to the addresses of files, and to who asks for one again. */
function aBackend(
  answers: Record<string, FileAnswer | Promise<FileAnswer>>,
  again: NetworkMedia | null = null,
  bytes = JPEG,
) {
  const asked: string[] = [];
  const patience: { maxBytes: number; timeoutMs: number }[] = [];
  const stored = new Map<string, Buffer>();
  const activities = createInboundMediaActivities({
    database,
    backends: everywhere<FileCalls>({
      async loadFile({ url, maxBytes, timeoutMs }, spool) {
        asked.push(url);
        patience.push({ maxBytes, timeoutMs });
        const answer = (await answers[url]) ?? 'gone';
        if (answer === 'done') await spool.add(bytes);
        return answer;
      },
      async askForFile({ networkId }) {
        asked.push(networkId);
        return again;
      },
    }),
    egress: {
      async load({ url, maxBytes, timeoutMs }, spool) {
        asked.push(`egress ${url}`);
        patience.push({ maxBytes, timeoutMs });
        await spool.add(JPEG);
        return { outcome: 'done', named: { contentType: null, fileName: null } };
      },
    },
    media: {
      maxBytes: 1_000,
      store: {
        put: async (key, content) => {
          stored.set(key, content instanceof Uint8Array ? Buffer.from(content) : await buffer(content.chunks()));
        },
        get: async (key) => {
          const bytes = stored.get(key);
          return bytes === undefined ? null : Readable.from([bytes]);
        },
        delete: async (key) => void stored.delete(key),
        async *keys() {
          yield* stored.keys();
        },
      },
    },
    inboundMediaMaxBytes: MAX_BYTES,
    historyMediaDays: 30,
    thumbnails: { make: async () => THUMBNAIL, stop: () => undefined },
    shares: EQUAL_SHARES,
  });
  const fetchFile = (messageId: string) => inActivity(activities.fetchFile, { messageId });
  return { ...activities, fetchFile, asked, patience, stored };
}

describe('fetchFile: the file that a contact has sent', () => {
  it('beats while it waits for its place, so that Temporal gives it to no other worker', async () => {
    const photo = await aPhoto();
    const atOnce = await Promise.all(Array.from({ length: PLACES }, () => aPhoto()));
    const { promise, resolve } = Promise.withResolvers<FileAnswer>();
    const { fetchFile, asked } = aBackend({ [OLD]: promise });
    const others = atOnce.map((each) => fetchFile(each));
    await eventually(() => asked.length === PLACES);
    const beats = jest.spyOn(globalThis, 'setInterval');
    const waiting = fetchFile(photo);
    await eventually(() => beats.mock.calls.length > 0);
    expect(asked).toHaveLength(PLACES);
    beats.mockRestore();
    resolve('done');
    expect(new Set(await Promise.all([waiting, ...others]))).toEqual(new Set(['stored']));
  });

  it('is stored under its digest, as what its bytes show, and fetched once', async () => {
    const photo = await aPhoto();
    const { fetchFile, asked, stored } = aBackend({ [OLD]: 'done' });
    expect([await fetchFile(photo), await fetchFile(photo)]).toEqual(['stored', 'nothing_to_fetch']);
    expect(asked).toEqual([OLD]);
    expect(stored.get(`a1/${SHA256}`)).toEqual(JPEG);
    expect(await mediaOf(photo)).toMatchObject({
      url: null,
      mimeType: 'image/jpeg',
      stored: { sizeBytes: JPEG.length, sha256: SHA256 },
    });
  });

  it('is asked for again where its address has expired, or there was none', async () => {
    const expired = await aPhoto();
    const one = aBackend({ [NEW]: 'done' }, file(NEW));
    expect(await one.fetchFile(expired)).toBe('stored');
    expect(one.asked).toEqual([OLD, `PHOTO${photos}`, NEW]);
    const unread = await aPhoto(null);
    const other = aBackend({ [NEW]: 'done' }, file(NEW));
    expect(await other.fetchFile(unread)).toBe('stored');
    expect(other.asked).toEqual([`PHOTO${photos}`, NEW]);
  });

  it('is tried again while the backend cannot fetch it, and is gone when it does not know the message', async () => {
    const photo = await aPhoto();
    const failing = aBackend({}, { ...file(null), error: 'download_failed' });
    await expect(failing.fetchFile(photo)).rejects.toMatchObject({ type: 'backend_unavailable', nonRetryable: false });
    expect(await countRows(database, 'mediaFetch', { messageId: photo })).toBe(1);
    expect(await aBackend({}).fetchFile(photo)).toBe('media_unavailable');
    expect(await mediaOf(photo)).toMatchObject({ error: 'media_unavailable', url: null });
  });

  it('comes through the guarded egress from a store of the backend', async () => {
    const photo = await aPhoto(file('https://bucket.test/a.jpg?signature=x'));
    const { fetchFile, asked } = aBackend({ 'https://bucket.test/a.jpg?signature=x': 'elsewhere' });
    expect(await fetchFile(photo)).toBe('stored');
    expect(asked[1]).toBe('egress https://bucket.test/a.jpg?signature=x');
  });

  it('may be as large, and come as slowly, from a store of the backend as from the backend', async () => {
    const photo = await aPhoto(file('https://bucket.test/film.mp4'));
    const { fetchFile, patience } = aBackend({ 'https://bucket.test/film.mp4': 'elsewhere' });
    expect(await fetchFile(photo)).toBe('stored');
    const [fromBackend, fromStore] = patience;
    expect(fromStore).toEqual(fromBackend);
    expect(fromStore?.maxBytes).toBe(MAX_BYTES);
    // Two gigabytes at half a megabyte a second.
    expect(fromStore?.timeoutMs).toBeGreaterThan((MAX_BYTES / 524_288) * 1_000);
  });

  it('that is too large is not stored', async () => {
    const { fetchFile, stored } = aBackend({ [OLD]: 'too_large' });
    expect(await fetchFile(await aPhoto())).toBe('media_too_large');
    expect(stored.size).toBe(0);
  });

  it('is left out where its tenant has no room, and the message says so to its dashboard', async () => {
    await database.statement((tx) => writeStorageCeiling(tx, { storageBytes: 0, tenantStorageBytes: 1 }));
    const photo = await aPhoto();
    const { fetchFile, stored } = aBackend({ [OLD]: 'done' }, null, Buffer.concat([JPEG, JPEG]));
    expect(await fetchFile(photo)).toBe('media_storage_full');
    expect([stored.size, await mediaOf(photo)]).toEqual([0, expect.objectContaining({ error: 'media_storage_full' })]);
    await database.statement((tx) => writeStorageCeiling(tx, { storageBytes: 0, tenantStorageBytes: 0 }));
    const told = await toldPayloads(database, {}, { messageId: photo });
    expect(told).toEqual([
      expect.objectContaining({ media: expect.objectContaining({ error: 'media_storage_full' }) }),
    ]);
  });

  it('is kept as nothing that a browser runs where it is an HTML file called .jpg', async () => {
    const page = Buffer.from('<!doctype html><script>alert(document.cookie)</script>');
    const photo = await aPhoto({ ...file(OLD), fileName: 'photo.jpg' });
    const { fetchFile, stored } = aBackend({ [OLD]: 'done' }, null, page);
    expect(await fetchFile(photo)).toBe('stored');
    const media = await mediaOf(photo);
    expect(media).toMatchObject({ mimeType: 'application/octet-stream', fileName: 'photo.jpg', error: null });
    expect(mayBeShown(media?.mimeType ?? null)).toBe(false);
    expect([...stored.values()]).toContainEqual(page);
  });

  it('has a thumbnail, also one whose thumbnail alone was lost, and is not asked for again then', async () => {
    const photo = await aPhoto();
    const { fetchFile, stored, asked } = aBackend({ [OLD]: 'done' });
    await fetchFile(photo);
    const thumbnail = { sizeBytes: THUMBNAIL.bytes.length, width: 320, height: 200 };
    expect(await mediaOf(photo)).toMatchObject({ thumbnail });
    const key = `a1/${SHA256}.webp`;
    expect(stored.get(key)).toEqual(THUMBNAIL.bytes);
    stored.delete(key);
    await database.statement((tx) => promiseAskedFile(tx, photo));
    expect(await fetchFile(photo)).toBe('stored');
    expect([stored.has(key), asked]).toEqual([true, [OLD]]);
    expect(await mediaOf(photo)).toMatchObject({ thumbnail });
  });

  it('is not stored when its sender has deleted the message and the tenant keeps no such files', async () => {
    const photo = await aPhoto();
    await changeRows(database, 'message', { revokedAt: databaseNow }, { id: photo });
    await database.transaction((tx) => updateSettings(tx, SCOPE, { deleteRevokedMedia: true }));
    const { fetchFile, asked } = aBackend({ [OLD]: 'done' });
    expect([await fetchFile(photo), asked]).toEqual(['media_revoked', []]);
    await database.transaction((tx) => updateSettings(tx, SCOPE, { deleteRevokedMedia: null }));
  });

  it('giveUpFile: leaves one that nobody waits for to be promised again', async () => {
    const photo = await aPhoto();
    await changeRows(database, 'mediaFetch', { background: true }, { messageId: photo });
    await aBackend({}).giveUpFile({ messageId: photo });
    expect(await countRows(database, 'mediaFetch', { messageId: photo })).toBe(0);
    expect(await mediaOf(photo)).toMatchObject({ error: null });
  });

  it('giveUpFile: ends a fetch for good', async () => {
    const { fetchFile, giveUpFile, asked } = aBackend({ [OLD]: 'done' });
    const lost = await aPhoto();
    await giveUpFile({ messageId: lost });
    expect(await mediaOf(lost)).toMatchObject({ error: 'media_unavailable' });
    expect([await fetchFile(lost), asked]).toEqual(['nothing_to_fetch', []]);
  });

  it('is fetched again when the store has lost it, and says why when nobody gives it again', async () => {
    const photo = await aPhoto();
    await aBackend({ [OLD]: 'done' }).fetchFile(photo);
    expect(await database.statement((tx) => promiseAskedFile(tx, photo))).toBe(true);
    expect(await aBackend({ [NEW]: 'done' }, file(NEW)).fetchFile(photo)).toBe('stored');
    await database.statement((tx) => promiseAskedFile(tx, photo));
    expect(await aBackend({}).fetchFile(photo)).toBe('media_unavailable');
    expect(await mediaOf(photo)).not.toHaveProperty('stored');
    expect(await database.statement((tx) => promiseAskedFile(tx, 'msg_none'))).toBe(false);
  });
});
