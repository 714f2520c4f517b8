import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { deleteUnusedFiles, sweepFiles } from '../../../activities/media/clean.ts';
import { withHolds } from '../../../activities/media/held.ts';
import { createHistoryFiles, promiseNextHistoryFile } from '../../../activities/network/history-files.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { recordPicture } from '../../../db/conversations/picture.ts';
import { createCleanUp } from '../../../db/maintenance.ts';
import { holdFile, takeUnusedFiles } from '../../../db/media/keys.ts';
import { removeFiles } from '../../../db/media/remove.ts';
import { readMediaUsage } from '../../../db/media/usage.ts';
import { importMessages } from '../../../db/network/history.ts';
import { applyChange } from '../../../db/network/changes/change.ts';
import { thumbnailKey } from '../../../domain/sending/media.ts';
import type { MediaStore } from '../../../domain/sending/media.ts';
import type { NetworkMedia } from '../../../domain/network/network-event.ts';
import { updateSettings } from '../../../db/tenants/settings.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { addRow, ago, changeRows, countRows, deleteRows, earlier, findRows, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aRevoke } from '../network/message-change.ts';
import { inEveryOrder } from '../interleave.ts';
import { stepped } from '../sending/stepped.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';
import { storeFile } from './store-file.ts';

const { database, session } = await databaseOfThisFile();

const DAY_S = 86_400;
let files = 0;

const aKey = (): string => `${SCOPE.agencyId}/${(files += 1).toString(16).padStart(64, '0')}`;
const isStopping = () => false;

interface Options {
  key?: string;
  ageDays?: number;
  origin?: 'network' | 'history';
}

/** A message with a file, which is stored when there is a key. */
async function aMessage({ key, ageDays = 0, origin = 'network' }: Options = {}): Promise<string> {
  files += 1;
  const chatId = `1555${8_000_000 + files}@c.us`;
  const networkId = `FILE${files}`;
  const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - ageDays * DAY_S;
  const media: NetworkMedia = { url: null, mimeType: 'image/jpeg', fileName: null, error: null };
  const message = aNetworkMessage({ networkId, chatId, timestamp, kind: 'image', hasMedia: true, media });
  await database.transaction(async (tx) => {
    if (origin === 'network') return applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message });
    const chat = await ensureConversation(tx, { ...SCOPE, sessionId: session.id }, { chatId });
    return importMessages(tx, session, chat, { messages: [message] });
  });
  const [row] = await findRows(database, 'message', { networkId }, ['id']);
  const id = row?.id ?? '';
  if (key !== undefined) await store(id, key);
  return id;
}

const store = (id: string, key: string): Promise<void> =>
  storeFile(database, session.id, id, { key, sizeBytes: 1_000 });

async function errorOf(id: string): Promise<string | null | undefined> {
  const [row] = await rowsOf(database, sql<{ media: NetworkMedia }>`select media from message where id = ${id}`);
  return row?.media.stored === undefined ? row?.media.error : 'stored';
}

/** A store that remembers what it has. */
function aStore(keys: string[]): MediaStore & { has: Set<string> } {
  const has = new Set(keys);
  return {
    has,
    put: async (key) => void has.add(key),
    get: async (key) => (has.has(key) ? (async function* () {})() : null),
    delete: async (key) => void has.delete(key),
    async *keys(after) {
      yield* [...has].filter((key) => key > after && !key.endsWith('.webp')).toSorted();
    },
  };
}

/** Everything that was held or let go may be looked at. */
async function timePasses(): Promise<void> {
  await changeRows(database, 'mediaLetGo', { at: earlier({ days: 1 }) });
  await changeRows(database, 'mediaKey', { heldUntil: earlier({ days: 2 }) });
}

const usage = () => database.read((queries) => readMediaUsage(queries, SCOPE));
const cleanUp = () => createCleanUp(database)();

describe('the file of a message', () => {
  it('that is taken away is deleted from the store with its thumbnail, once no other message has it', async () => {
    const key = aKey();
    const [one, other] = [await aMessage({ key }), await aMessage({ key })];
    const has = aStore([key, `${key}.webp`]);
    const cleaning = { database, store: has, isStopping };
    expect(await database.transaction((tx) => removeFiles(tx, [one], 'erased'))).toBe(1);
    await timePasses();
    expect(await deleteUnusedFiles(cleaning)).toBe(0);
    expect(await database.transaction((tx) => removeFiles(tx, [one, other], 'erased'))).toBe(1);
    expect([await errorOf(one), await errorOf(other)]).toEqual(['media_erased', 'media_erased']);
    expect(await deleteUnusedFiles(cleaning)).toBe(0);
    expect(has.has.size).toBe(2);
    await timePasses();
    expect(await deleteUnusedFiles(cleaning)).toBe(1);
    expect([has.has.size, await countRows(database, 'mediaKey', { key })]).toEqual([0, 0]);
  });

  it('goes with its row, and a picture with that of its contact', async () => {
    const [key, picture, kept] = [aKey(), aKey(), aKey()];
    const id = await aMessage({ key });
    const [row] = await findRows(database, 'message', { id }, { id: 'contactId' });
    const contactId = row?.id ?? '';
    const account = { ...SCOPE, sessionId: session.id };
    const file = (of: string) => ({ key: of, sizeBytes: 1, sha256: 'a', mimeType: 'image/jpeg' });
    await database.transaction((tx) => recordPicture(tx, account, { contactId, picture: file(picture) }));
    await database.transaction((tx) => recordPicture(tx, account, { contactId, picture: file(kept) }));
    await changeRows(database, 'conversation', { lastMessageId: null }, { lastMessageId: id });
    await deleteRows(database, 'message', { id });
    await timePasses();
    const has = aStore([key, picture, kept]);
    await deleteUnusedFiles({ database, store: has, isStopping });
    expect([...has.has]).toEqual([kept]);
  });

  it('is deleted when its tenant keeps files no longer than so many days, and says that at its address', async () => {
    const before = await usage();
    const [old, young] = [await aMessage({ key: aKey(), ageDays: 40 }), await aMessage({ key: aKey(), ageDays: 20 })];
    const unfetched = await aMessage({ ageDays: 40, origin: 'history' });
    await cleanUp();
    expect(await errorOf(old)).toBe('stored');
    await database.transaction((tx) => updateSettings(tx, SCOPE, { mediaRetentionDays: 30 }));
    await cleanUp();
    expect([await errorOf(old), await errorOf(young), await errorOf(unfetched)]).toEqual([
      'media_expired',
      'stored',
      'media_expired',
    ]);
    expect(await usage()).toEqual({ files: before.files + 1, sizeBytes: before.sizeBytes + 1_000 });
    await database.transaction((tx) => updateSettings(tx, SCOPE, { mediaRetentionDays: null }));
  });

  it('stays when its sender deletes the message, unless the tenant wants it to go', async () => {
    const [kept, gone] = [await aMessage({ key: aKey() }), await aMessage({ key: aKey() })];
    const revoke = async (id: string) => {
      const [row] = await findRows(database, 'message', { id }, { id: 'networkId' });
      const change = aRevoke(row?.id ?? '');
      await database.transaction((tx) => applyChange(tx, session.id, { change, tells: true }));
    };
    await revoke(kept);
    await database.transaction((tx) => updateSettings(tx, SCOPE, { deleteRevokedMedia: true }));
    await revoke(gone);
    await database.transaction((tx) => updateSettings(tx, SCOPE, { deleteRevokedMedia: null }));
    expect([await errorOf(kept), await errorOf(gone)]).toEqual(['stored', 'media_revoked']);
  });

  it('is counted for its tenant in a row of its own, which the clean-up adds up without reading messages', async () => {
    const before = await usage();
    const key = aKey();
    const ids = [await aMessage({ key }), await aMessage({ key }), await aMessage({ key })];
    expect(await usage()).toEqual({ files: before.files + 3, sizeBytes: before.sizeBytes + 3_000 });
    await database.transaction((tx) => removeFiles(tx, ids.slice(0, 1), 'expired'));
    await cleanUp();
    expect(await usage()).toEqual({ files: before.files + 2, sizeBytes: before.sizeBytes + 2_000 });
    expect(await countRows(database, 'mediaUsage')).toBe(1);
    const [counted] = await rowsOf(
      database,
      sql<{ files: number; sizeBytes: number }>`select count(*)::int as files,
        sum((media->'stored'->>'sizeBytes')::int)::int as "sizeBytes" from message where media ? 'stored'`,
    );
    expect(await usage()).toEqual(counted);
  });
});

describe('a file that is put', () => {
  it('is never deleted between its put and its row, in whatever order the two go on', async () => {
    const orders = await inEveryOrder(2, async () => {
      const key = aKey();
      const id = await aMessage();
      const has = aStore([key]);
      // It was let go of long ago, by a message that had an equal file.
      await addRow(database, 'mediaKey', { key, heldUntil: ago({ days: 1 }) });
      const put = stepped(database, async (tx) => {
        if (!(await holdFile(tx, key))) return 'later';
        return 'held';
      });
      const take = stepped(database, (tx) => takeUnusedFiles(tx, 10));
      return {
        transactions: [put, take],
        async check() {
          const [held, taken] = [await put.result, await take.result];
          // Either the file is deleted and its put waits for that, or it is held and stays.
          expect([held, taken]).toEqual(held === 'held' ? ['held', []] : ['later', [key]]);
          if (held === 'held') await store(id, key);
          await deleteRows(database, 'mediaKey', { key });
          expect(has.has.has(key)).toBe(true);
        },
      };
    });
    expect(orders).toBeGreaterThan(1);
  });

  it('waits while an equal one is being deleted', async () => {
    const key = aKey();
    const has = aStore([key]);
    await addRow(database, 'mediaKey', { key, heldUntil: ago({ days: 1 }) });
    expect(await database.transaction((tx) => takeUnusedFiles(tx, 10))).toEqual([key]);
    const put = withHolds(database, has).put(key, Buffer.from('x'), 'image/jpeg');
    has.has.delete(key);
    await deleteRows(database, 'mediaKey', { key });
    await put;
    expect(has.has.has(key)).toBe(true);
  });

  it('stays with its thumbnail while a row names it, however long ago it was put', async () => {
    const key = aKey();
    const has = aStore([]);
    const held = withHolds(database, has);
    await held.put(key, Buffer.from('x'), 'image/jpeg');
    await held.put(thumbnailKey(key), Buffer.from('x'), 'image/webp');
    await aMessage({ key });
    await timePasses();
    await deleteUnusedFiles({ database, store: has, isStopping });
    expect([...has.has]).toEqual([key, thumbnailKey(key)]);
    expect(await countRows(database, 'mediaKey')).toBe(0);
  });

  it('and that no row came to name is deleted after its hold, as one is that the rows have never known', async () => {
    const [put, strange, named] = [aKey(), aKey(), aKey()];
    const has = aStore([strange]);
    const cleaning = { database, store: has, isStopping };
    await withHolds(database, has).put(put, Buffer.from('x'), 'image/jpeg');
    await aMessage({ key: named });
    expect(await sweepFiles(cleaning)).toBeGreaterThan(0);
    expect(await deleteUnusedFiles(cleaning)).toBe(0);
    await timePasses();
    await deleteUnusedFiles(cleaning);
    expect([...has.has]).toEqual([]);
    // Once a day is enough.
    expect(await sweepFiles(cleaning)).toBe(0);
  });
});

describe('the files of a history', () => {
  const promised = async () =>
    (await findRows(database, 'mediaFetch', { background: true }, { id: 'messageId' })).map(({ id }) => id);

  it('are promised newest first, two of a session at a time, as far back as is set, and one follows the other', async () => {
    const [old, middle, young, newest] = [
      await aMessage({ origin: 'history', ageDays: 60 }),
      await aMessage({ origin: 'history', ageDays: 20 }),
      await aMessage({ origin: 'history', ageDays: 10 }),
      await aMessage({ origin: 'history', ageDays: 5 }),
    ];
    const promise = createHistoryFiles(database, 30);
    expect(await createHistoryFiles(database, 0)()).toBe(0);
    expect(await promise()).toBe(2);
    expect(new Set(await promised())).toEqual(new Set([newest, young]));
    expect(await promise()).toBe(0);
    await store(newest, aKey());
    await promiseNextHistoryFile(database, 30, session.id);
    expect(new Set(await promised())).toEqual(new Set([young, middle]));
    await store(young, aKey());
    await store(middle, aKey());
    expect([await promise(), await errorOf(old)]).toEqual([0, null]);
    const fetches = await findRows(database, 'dispatch', { workflowId: `media/${newest}` }, ['priority']);
    expect(new Set(fetches.map(({ priority }) => priority))).toEqual(new Set([5]));
  });
});
