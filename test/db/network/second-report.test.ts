import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { NO_CHANGES } from '../../../db/network/changes/shown.ts';
import { importMessages } from '../../../db/network/history.ts';
import { bringInMissed, isAnyMissed } from '../../../db/network/missed.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import {
  addMessage,
  among,
  changeRows,
  countRows,
  databaseNow,
  deleteRows,
  findRow,
  findRows,
  rowsOf,
  toldPayloads,
} from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { applyNetworkEvent } from './apply-event.ts';

const { database, session } = await databaseOfThisFile();

describe('another report of a known message', () => {
  let people = 0;
  const person = () => `1555${String(8_200_100 + ++people)}@c.us`;
  const nowS = () => Math.floor(database.clock.now().getTime() / 1_000);

  const event = (message: NetworkMessage) =>
    database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: message.networkId, message }));
  const history = (chatId: string, ...messages: NetworkMessage[]) =>
    database.transaction(async (tx) => {
      const chat = await ensureConversation(tx, { ...SCOPE, sessionId: session.id }, { chatId });
      return importMessages(tx, session, chat, { messages });
    });
  const shown = (networkId: string) =>
    findRows(database, 'message', { networkId }, ['body', 'kind', 'origin', 'media', 'content']);
  const told = async (networkId: string) => {
    const [message] = await findRows(database, 'message', { networkId }, ['id']);
    const payloads = message ? await toldPayloads(database, { type: 'message' }, { messageId: message.id }) : [];
    return payloads.map(({ body, contentState: state = null }) => ({ body, state }));
  };
  const stubOf = (networkId: string, chatId: string, over: Partial<NetworkMessage> = {}) =>
    aNetworkMessage({
      networkId,
      chatId,
      timestamp: nowS(),
      kind: 'other',
      body: '',
      content: { contentState: 'waiting' },
      ...over,
    });

  it.each(['history', 'comparison'] as const)(
    'fills a stub from a %s, tells it once and counts it once',
    async (by) => {
      const chatId = person();
      const networkId = `STUB-${by}`;
      const words = aNetworkMessage({ networkId, chatId, timestamp: nowS(), body: 'In the history' });
      await event(stubOf(networkId, chatId));
      expect(await told(networkId)).toEqual([]);
      if (by === 'history') await history(chatId, words);
      else {
        const compared = { shown: [words], toldSince: new Date(0), changes: NO_CHANGES };
        expect(await database.read((queries) => isAnyMissed(queries, session, compared))).toBe(true);
        await database.transaction((tx) => bringInMissed(tx, session, compared));
        expect(await database.read((queries) => isAnyMissed(queries, session, compared))).toBe(false);
      }
      await history(chatId, words);
      await event(words);
      expect(await shown(networkId)).toMatchObject([{ body: 'In the history', kind: 'text', origin: 'network' }]);
      expect(await told(networkId)).toEqual([{ body: 'In the history', state: null }]);
      expect(
        await findRows(database, 'conversation', { chatId }, { unread: 'unreadCount', line: 'lastMessageBody' }),
      ).toEqual([{ unread: 1, line: 'In the history' }]);
    },
  );

  it('fills a stub of the history from another read and from the event, which tells it', async () => {
    const chatId = person();
    const missing = { content: { contentState: 'missing' } } as const;
    await history(chatId, stubOf('OLD-A', chatId, missing), stubOf('OLD-B', chatId, missing));
    expect(await shown('OLD-A')).toMatchObject([{ content: { contentState: 'missing' } }]);
    await history(chatId, aNetworkMessage({ networkId: 'OLD-A', chatId, timestamp: nowS(), body: 'read again' }));
    expect(await shown('OLD-A')).toMatchObject([{ body: 'read again', origin: 'history' }]);
    expect(await told('OLD-A')).toEqual([]);
    await event(aNetworkMessage({ networkId: 'OLD-B', chatId, timestamp: nowS(), body: 'told now' }));
    expect(await shown('OLD-B')).toMatchObject([{ body: 'told now', origin: 'network' }]);
    expect(await told('OLD-B')).toEqual([{ body: 'told now', state: null }]);
  });

  it('shows what the history has where the event comes as a stub', async () => {
    const chatId = person();
    await history(chatId, aNetworkMessage({ networkId: 'KNOWN', chatId, timestamp: nowS(), body: 'known words' }));
    await event(stubOf('KNOWN', chatId));
    expect(await shown('KNOWN')).toMatchObject([{ body: 'known words', kind: 'text', content: null }]);
    expect(await told('KNOWN')).toEqual([{ body: 'known words', state: null }]);
  });

  it('fills a message of an earlier release that had no words, and never one of this engine', async () => {
    const chatId = person();
    const unsupported = { unsupported: 'templateMessage' };
    await event(
      aNetworkMessage({ networkId: 'EMPTY', chatId, timestamp: nowS(), kind: 'other', body: '', content: unsupported }),
    );
    const words = aNetworkMessage({
      networkId: 'EMPTY',
      chatId,
      timestamp: nowS(),
      kind: 'other',
      body: 'Your order',
      content: unsupported,
    });
    await event(words);
    expect(await shown('EMPTY')).toMatchObject([{ body: 'Your order' }]);
    await changeRows(
      database,
      'message',
      { origin: 'api', body: '', content: null, direction: 'out' },
      { networkId: 'EMPTY' },
    );
    await event({ ...words, fromMe: true });
    expect(await shown('EMPTY')).toMatchObject([{ body: '', origin: 'api' }]);
  });

  it('gives a file that the first report did not have, and keeps one that is stored or was taken away', async () => {
    const chatId = person();
    const picture = (url: string | null) =>
      aNetworkMessage({
        networkId: 'PICTURE',
        chatId,
        timestamp: nowS(),
        kind: 'image',
        body: '',
        hasMedia: true,
        media: url === null ? null : { url, mimeType: 'image/jpeg', fileName: null, error: null },
      });
    const setMedia = (media: object) =>
      rowsOf(
        database,
        sql<object>`update message set media = (media - 'stored' - 'error') || ${JSON.stringify(media)}::jsonb
          where network_id = 'PICTURE'`,
      );
    await event(picture(null));
    await deleteRows(database, 'mediaFetch');
    await setMedia({ error: 'media_unavailable', url: null });
    await event({ ...picture('http://backend/one.jpg'), body: 'with a caption' });
    expect(await shown('PICTURE')).toMatchObject([
      { media: { url: 'http://backend/one.jpg' }, body: 'with a caption' },
    ]);
    expect(
      await findRows(database, 'mediaFetch', { messageId: among('message', { networkId: 'PICTURE' }) }, ['tells']),
    ).toEqual([{ tells: true }]);
    for (const kept of [
      { url: null, stored: { key: 'a/b', sizeBytes: 3, sha256: 'aa' } },
      { url: null, error: 'media_expired' },
      { url: null, error: 'media_erased' },
    ]) {
      await setMedia(kept);
      await event(picture('http://backend/two.jpg'));
      await history(chatId, picture('http://backend/three.jpg'));
      expect(await shown('PICTURE')).toMatchObject([{ media: kept }]);
    }
  });

  it('is an echo under the id of a send, whatever it says of its direction', async () => {
    const chatId = person();
    await event(aNetworkMessage({ networkId: 'ASKED', chatId, timestamp: nowS() }));
    const { id: conversationId } = await findRow(database, 'conversation', { chatId }, ['id']);
    const send = (id: string, status: string, networkId: string | null, chosen: string | null) =>
      addMessage(database, conversationId, {
        id,
        direction: 'out',
        origin: 'ai',
        body: 'We said',
        status,
        networkId,
        chosenNetworkId: chosen,
        claimedAt: databaseNow,
      });
    await send('msg_sent_echo', 'sent', 'SENT-ID', null);
    await send('msg_going_echo', 'sending', null, 'GOING-ID');
    for (const networkId of ['SENT-ID', 'GOING-ID']) {
      const echo = aNetworkMessage({ networkId, chatId, timestamp: nowS(), body: 'We said', pushName: 'Our shop' });
      await event(echo);
      await history(chatId, echo);
      expect(await told(networkId)).toEqual([]);
      expect(await findRows(database, 'message', { networkId, direction: 'in' })).toEqual([]);
    }
    expect(await findRow(database, 'conversation', { chatId }, ['unreadCount'])).toEqual({ unreadCount: 1 });
    const contact = { id: among('conversation', { chatId }, 'contactId') };
    expect(await findRow(database, 'contact', contact, ['pushName'])).toEqual({ pushName: null });
  });

  it('makes no message of a customer of what stands in the own chat, whatever a list says', async () => {
    const own = person();
    const lid = '99887766554433@lid';
    const { chatId: before } = await findRow(database, 'session', { id: session.id }, ['chatId']);
    await changeRows(database, 'session', { chatId: own, lid }, { id: session.id });
    const note = (networkId: string, over: Partial<NetworkMessage> = {}) =>
      aNetworkMessage({ networkId, chatId: own, timestamp: nowS(), body: 'A note to myself', ...over });
    await history(own, note('NOTE-READ'));
    await history(lid, note('NOTE-HIDDEN', { chatId: lid }));
    const group = '120363000000000077@g.us';
    const compared = {
      shown: [note('NOTE-GAP'), note('NOTE-GROUP', { chatId: group, participant: lid })],
      toldSince: new Date(0),
      changes: NO_CHANGES,
    };
    await database.transaction((tx) => bringInMissed(tx, session, compared));
    await event(note('NOTE-EVENT'));
    expect(await countRows(database, 'message', { body: 'A note to myself', direction: 'in' })).toBe(0);
    // The same from a person is one.
    await history(person(), note('NOTE-OF-A-PERSON', { chatId: `1555${String(8_200_100 + people)}@c.us` }));
    expect(await countRows(database, 'message', { body: 'A note to myself', direction: 'in' })).toBe(1);
    await changeRows(database, 'session', { chatId: before, lid: null }, { id: session.id });
  });

  it('counts unknown content that a read of the history shows, and that a comparison brings, once', async () => {
    const chatId = person();
    const said = (networkId: string, unknownContent: string) =>
      aNetworkMessage({ networkId, chatId, timestamp: nowS(), body: 'In a new wrapping', unknownContent });
    const read = said('UNKNOWN-READ', 'readHoloMessage');
    const compared = { shown: [said('UNKNOWN-GAP', 'gapHoloMessage')], toldSince: new Date(0), changes: NO_CHANGES };
    await history(chatId, read);
    await database.transaction((tx) => bringInMissed(tx, session, compared));
    // A known message is not counted again.
    await history(chatId, read, ...compared.shown);
    await database.transaction((tx) => bringInMissed(tx, session, compared));
    expect(
      await findRows(database, 'unknownReport', {}, ['kind', 'name', 'times', 'sessionName', 'eventId'], 'name'),
    ).toEqual(
      ['gapHoloMessage', 'readHoloMessage'].map((name) => ({
        kind: 'content',
        name,
        times: '1',
        sessionName: session.name,
        eventId: null,
      })),
    );
  });

  it('never comes from the future, and one without a time has that of its arrival', async () => {
    const chatId = person();
    for (const [networkId, timestamp] of [
      ['AHEAD', nowS() + 86_400],
      ['TIMELESS', 0],
    ] as const) {
      const message = aNetworkMessage({ networkId, chatId, timestamp });
      await event(message);
      const { id: messageId, occurredAt } = await findRow(database, 'message', { networkId }, ['id', 'occurredAt']);
      const age = database.clock.now().getTime() - new Date(occurredAt).getTime();
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThanOrEqual(120_000);
      const all = await toldPayloads(database, { type: 'message' }, { messageId });
      expect(all).toHaveLength(1);
      const [told] = all;
      expect(Math.abs(Number(told?.['timestamp']) - nowS())).toBeLessThan(120);
    }
  });
});
