import { describe, expect, it } from '@jest/globals';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { endFetch, releaseOverdue } from '../../../db/media/news.ts';
import { findMediaToFetch, promiseAskedFile } from '../../../db/media/fetch.ts';
import { NO_CHANGES } from '../../../db/network/changes/shown.ts';
import { importMessages } from '../../../db/network/history.ts';
import { bringInMissed, isAnyMissed } from '../../../db/network/missed.ts';
import { listOverdueHolds } from '../../../db/webhooks/events/held-events.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { ago, changeRows, countRows, findRow, findRows, toldPayloads } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { adoptIn } from './adopt.ts';
import { applyNetworkEvent } from './apply-event.ts';

const { database, session } = await databaseOfThisFile();

const KEY = `a1/${'7'.repeat(64)}`;

describe('a file to be seen once, which one of two reports marks', () => {
  let count = 0;
  const nowS = () => Math.floor(database.clock.now().getTime() / 1_000);

  /** A picture that two reports show, one of them with the mark. */
  function aPicture(over: Partial<NetworkMessage> = {}) {
    count += 1;
    const chatId = `1555${String(8_400_100 + count)}@c.us`;
    const networkId = `ONCE-${count}`;
    const said = { networkId, chatId, timestamp: nowS(), kind: 'image', body: '', ...over } as const;
    const plain = (url: string | null) =>
      aNetworkMessage({
        ...said,
        hasMedia: true,
        media: url === null ? null : { url, mimeType: 'image/jpeg', fileName: null, error: null },
      });
    return {
      chatId,
      networkId,
      plain,
      marked: aNetworkMessage({ ...said, kind: 'other', content: { viewOnce: true } }),
    };
  }

  const event = (message: NetworkMessage) =>
    database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: message.networkId, message }));
  const history = (message: NetworkMessage) =>
    database.transaction(async (tx) => {
      const chat = await ensureConversation(tx, { ...SCOPE, sessionId: session.id }, { chatId: message.chatId });
      return importMessages(tx, session, chat, { messages: [message] });
    });
  const comparison = async (message: NetworkMessage) => {
    const compared = { shown: [message], toldSince: new Date(0), changes: NO_CHANGES };
    if (await database.read((queries) => isAnyMissed(queries, session, compared))) {
      await database.transaction((tx) => bringInMissed(tx, session, compared));
    }
    expect(await database.read((queries) => isAnyMissed(queries, session, compared))).toBe(false);
  };
  const by = { event, history, comparison };
  const rowOf = (networkId: string) => findRow(database, 'message', { networkId }, ['id', 'media', 'content']);
  const told = async (networkId: string) =>
    toldPayloads(database, { type: 'message' }, { messageId: (await rowOf(networkId)).id });
  const releaseAll = async () => {
    await changeRows(database, 'heldEvent', { waitsUntil: ago({ seconds: 1 }) });
    for (const id of await database.read((queries) => listOverdueHolds(queries, 100))) {
      await database.transaction((tx) => releaseOverdue(tx, id));
    }
  };
  const isKept = async (networkId: string) => {
    const { id, media, content } = await rowOf(networkId);
    expect(content).toMatchObject({ viewOnce: true });
    const isAsked = await database.transaction((tx) => promiseAskedFile(tx, id));
    const isWanted = await database.read((queries) => findMediaToFetch(queries, id));
    const fetches = await countRows(database, 'mediaFetch', { messageId: id });
    return media !== null || isAsked || isWanted !== null || fetches > 0;
  };

  const pairs = [
    ['history', 'event'],
    ['event', 'event'],
    ['event', 'history'],
    ['event', 'comparison'],
    ['comparison', 'event'],
    ['history', 'history'],
    ['history', 'comparison'],
  ] as const;

  it.each(pairs)('keeps none where the %s comes without the mark, and then the %s with it', async (first, then) => {
    const { networkId, plain, marked } = aPicture();
    await by[first](plain(first === 'event' ? 'http://backend/once.jpg' : null));
    await by[then](marked);
    expect(await isKept(networkId)).toBe(false);
    await releaseAll();
    for (const payload of await told(networkId)) {
      expect(payload).toMatchObject({ viewOnce: true, hasMedia: false, media: null, mediaUrl: null });
    }
    expect(await told(networkId)).toHaveLength(first === 'history' && then === 'history' ? 0 : 1);
  });

  it.each(pairs)('keeps none where the %s comes with the mark, and then the %s with the file', async (first, then) => {
    const { networkId, plain, marked } = aPicture();
    await by[first](marked);
    await by[then](plain('http://backend/once.jpg'));
    expect(await isKept(networkId)).toBe(false);
    await releaseAll();
    for (const payload of await told(networkId)) {
      expect(payload).toMatchObject({ viewOnce: true, hasMedia: false, media: null, mediaUrl: null });
    }
  });

  it.each(['event', 'history', 'comparison'] as const)('lets go of a stored file once a %s marks it', async (then) => {
    const { networkId, plain, marked } = aPicture({ body: 'look' });
    await event(plain('http://backend/once.jpg'));
    const { id } = await rowOf(networkId);
    const stored = { key: `${KEY}${then}`, sizeBytes: 3, sha256: '7'.repeat(64) };
    await database.transaction((tx) => endFetch(tx, id, { stored, mimeType: 'image/jpeg', fileName: null }));
    expect((await rowOf(networkId)).media).toMatchObject({ stored });
    await by[then]({ ...marked, body: 'look' });
    expect(await isKept(networkId)).toBe(false);
    expect(await findRows(database, 'mediaLetGo', { key: stored.key }, ['key'])).toEqual([{ key: stored.key }]);
    const { body, unread } = await findRow(
      database,
      'conversation',
      { lastMessageId: id },
      { body: 'lastMessageBody', unread: 'unreadCount' },
    );
    expect({ body, unread }).toEqual({ body: 'look', unread: 1 });
  });

  it('stores no file whose fetch was under way', async () => {
    const { networkId, plain, marked } = aPicture();
    await event(plain('http://backend/once.jpg'));
    const { id } = await rowOf(networkId);
    expect(await database.read((queries) => findMediaToFetch(queries, id))).not.toBeNull();
    await event(marked);
    const stored = { key: `${KEY}late`, sizeBytes: 3, sha256: '7'.repeat(64) };
    const end = { stored, mimeType: 'image/jpeg', fileName: null };
    expect(await database.transaction((tx) => endFetch(tx, id, end))).toBe(false);
    expect(await isKept(networkId)).toBe(false);
  });

  it.each(['plain first', 'marked first', 'plain first, adopted between', 'marked first, adopted between'])(
    'keeps none of the own phone: %s',
    async (order) => {
      const { networkId, plain, marked } = aPicture({ fromMe: true });
      const adopt = async () => {
        await changeRows(database, 'parkedOwnMessage', { parkedAt: ago({ seconds: 11 }) });
        await database.transaction(adoptIn);
      };
      const reports = [plain('http://backend/own.jpg'), { ...marked, fromMe: true }];
      const [first, second] = order.startsWith('plain') ? reports : reports.toReversed();
      if (first === undefined || second === undefined) throw new Error('There are two reports.');
      await event(first);
      if (order.endsWith('between')) await adopt();
      await event(second);
      await adopt();
      expect(await countRows(database, 'parkedOwnMessage', { networkId })).toBe(0);
      expect(await isKept(networkId)).toBe(false);
    },
  );
});
