import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { adoptOwnMessages } from '../../../db/network/adopt-own-messages.ts';
import { NO_CHANGES } from '../../../db/network/changes/shown.ts';
import { importMessages } from '../../../db/network/history.ts';
import { isAnyMissed } from '../../../db/network/missed.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import {
  ago,
  among,
  changeRows,
  countRows,
  databaseNow,
  earlier,
  findRow,
  findRows,
  merged,
  toldPayloads,
} from '../../support/rows.ts';
import { aConversationWithAiMessages, SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aSentMessage } from '../sending/a-sent-message.ts';
import { applyNetworkEvent } from './apply-event.ts';
import { anEdit, aRevoke } from './message-change.ts';

const { database, session } = await databaseOfThisFile();

describe('a message that the past had brought before its event', () => {
  async function chatOf(conversationId: string): Promise<string> {
    return (await findRows(database, 'conversation', { id: conversationId }, ['chatId']))[0]?.chatId ?? '';
  }

  it('was written on the phone, and takes over when its event comes', async () => {
    const { conversationId, messageIds } = await aConversationWithAiMessages(database, session.id);
    const chatId = await chatOf(conversationId);
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
    const message = aNetworkMessage({ networkId: 'TYPED', chatId, timestamp, fromMe: true });
    await database.transaction((tx) =>
      importMessages(tx, session, { id: conversationId, chatId, contactId: null }, { messages: [message] }),
    );
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: 'TYPED', message }));
    const claiming = { token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null };
    const claim = () => database.transaction((tx) => claimMessage(tx, messageIds[0], claiming));
    expect(await claim()).toMatchObject({ claim: 'soon' });

    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) });
    await adoptOwnMessages(database, nobodyKnows, { conversationId });
    expect(
      await findRow(database, 'conversation', { id: conversationId }, { mode: 'mode', by: 'takenOverBy' }),
    ).toEqual({ mode: 'human_takeover', by: 'phone' });
    expect(await findRow(database, 'message', { conversationId, networkId: 'TYPED' }, ['origin'])).toEqual({
      origin: 'phone',
    });
    expect(await claim()).toMatchObject({ claim: 'ended' });
  });

  it('is no news when the past is read again, however alike an open send is', async () => {
    const { conversationId } = await aConversationWithAiMessages(database, session.id);
    const chatId = await chatOf(conversationId);
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - 1_800;
    const photo = { chatId, fromMe: true, kind: 'image', body: '', hasMedia: true, timestamp } as const;
    const message = aNetworkMessage({ networkId: 'OLD-PHOTO', ...photo });
    const readPast = () =>
      database.transaction((tx) =>
        importMessages(tx, session, { id: conversationId, chatId, contactId: null }, { messages: [message] }),
      );
    expect(await readPast()).toMatchObject({ parked: 0 });
    const { messageId } = await aSentMessage(database, session.id, { chatId, networkId: 'IN-DOUBT' });
    await changeRows(
      database,
      'message',
      {
        kind: 'image',
        body: '',
        status: 'uncertain',
        networkId: null,
        sentAt: null,
        chosenNetworkId: null,
        claimedAt: ago({ seconds: 20 }),
        endedAt: databaseNow,
      },
      { id: messageId },
    );
    expect(await readPast()).toMatchObject({ written: [], parked: 0 });
    expect(await findRows(database, 'parkedOwnMessage', { networkId: 'OLD-PHOTO' })).toEqual([]);
    expect(await findRows(database, 'message', { networkId: 'OLD-PHOTO' }, ['origin'])).toEqual([
      { origin: 'history' },
    ]);
  });

  it.each([
    [true, 'phone'],
    [false, 'network'],
  ] as const)('keeps its file, and its event shows it (fromMe: %s)', async (fromMe, origin) => {
    const { conversationId } = await aConversationWithAiMessages(database, session.id);
    const chatId = await chatOf(conversationId);
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
    const media = { url: 'http://backend/a.jpg', mimeType: 'image/jpeg', fileName: null, error: null };
    const networkId = `KEPT-${fromMe}`;
    const about = { networkId, chatId, timestamp, fromMe, body: '', hasMedia: true, media };
    const message = aNetworkMessage({ ...about, kind: 'image' });
    await database.transaction((tx) =>
      importMessages(tx, session, { id: conversationId, chatId, contactId: null }, { messages: [message] }),
    );
    const stored = { key: `acme/${networkId}`, sizeBytes: 3, sha256: 'aa' };
    await changeRows(database, 'message', { media: merged({ stored }) }, { networkId });
    await late(conversationId, message);
    expect(await findRow(database, 'message', { networkId }, ['origin', 'media'])).toEqual({
      origin,
      media: expect.objectContaining({ stored }),
    });
    expect(await countRows(database, 'mediaFetch', { messageId: among('message', { networkId }) })).toBe(0);
    const told = await toldBy(conversationId);
    // The event shows the file, and need not wait for it.
    expect(told).toEqual(fromMe ? [] : [expect.objectContaining({ media: expect.objectContaining({ sizeBytes: 3 }) })]);
  });

  it.each([true, false])('is shown as it is now where it was changed since (fromMe: %s)', async (fromMe) => {
    const { conversationId } = await aConversationWithAiMessages(database, session.id);
    const chatId = await chatOf(conversationId);
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
    const by = { fromMe, chatId, participant: null, aliases: [] };
    const lineNow = async () => {
      const columns = { line: 'lastMessageBody', last: 'lastMessageId' } as const;
      const { line, last } = await findRow(database, 'conversation', { id: conversationId }, columns);
      const [message] = await findRows(database, 'message', { id: last ?? undefined }, ['networkId']);
      return { line, of: message?.networkId };
    };
    for (const [networkId, change, shown] of [
      [`MENDED-${fromMe}`, anEdit(`MENDED-${fromMe}`, 'words of now', { by }), 'words of now'],
      [`TAKEN-${fromMe}`, aRevoke(`TAKEN-${fromMe}`, { by }), ''],
    ] as const) {
      const message = aNetworkMessage({ networkId, chatId, timestamp, fromMe, body: 'words of before' });
      await database.transaction((tx) =>
        importMessages(tx, session, { id: conversationId, chatId, contactId: null }, { messages: [message] }),
      );
      await database.transaction((tx) => applyNetworkEvent(tx, session, change));
      await late(conversationId, message);
      expect(await lineNow()).toEqual({ line: shown, of: networkId });
    }
    const bodies = (await toldBy(conversationId)).map(({ body }) => body);
    expect(bodies).toEqual(fromMe ? [] : ['words of now', '']);
  });

  it('stands there once where it is a notice that our account has caused', async () => {
    const chatId = '15550410009@c.us';
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - 600;
    const content = { notice: { type: 'message_pinned' } } as const;
    const said = { chatId, timestamp, fromMe: true, kind: 'notice', body: '', content } as const;
    const message = aNetworkMessage({ networkId: 'PINNED', ...said });
    await database.transaction(async (tx) => {
      const chat = await ensureConversation(tx, { ...SCOPE, sessionId: session.id }, { chatId });
      await importMessages(tx, session, chat, { messages: [message] });
    });
    const toldSince = new Date(database.clock.now().getTime() - 3_600_000);
    const compared = { shown: [message], toldSince, changes: NO_CHANGES };
    expect(await database.read((queries) => isAnyMissed(queries, session, compared))).toBe(false);
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: 'PINNED', message }));
    expect(await findRows(database, 'message', { networkId: 'PINNED' }, ['direction'])).toEqual([{ direction: 'in' }]);
  });

  const toldBy = (conversationId: string) => toldPayloads(database, { type: 'message', conversationId });

  /** Its event, and whatever that must wait for. */
  async function late(conversationId: string, message: NetworkMessage): Promise<void> {
    const key = message.networkId;
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key, message }));
    await changeRows(database, 'parkedOwnMessage', { parkedAt: earlier({ seconds: 11 }) });
    await adoptOwnMessages(database, nobodyKnows, { conversationId });
  }
});
