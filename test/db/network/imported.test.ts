import { describe, expect, it } from '@jest/globals';
import { toMessageView } from '../../../api/conversations/message-view.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { importMessages } from '../../../db/network/history.ts';
import { applyNetworkEvent } from './apply-event.ts';
import { findMessageById } from '../../../db/conversations/message.ts';
import type { AckLevel } from '../../../domain/network/ack.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { findRows, toldPayloads, toldStatuses } from '../../support/rows.ts';
import { SCOPE } from '../a-database.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { aRevoke } from './message-change.ts';
import { aSentMessage } from '../sending/a-sent-message.ts';
import { aNetworkMessage } from '../../support/network-message.ts';

const PERSON = '15550410001@c.us';
const LINKS = { urlOf: () => 'http://engine.test/file', isGenuine: () => true };

const { database, session } = await databaseOfThisFile();

describe('what is found in the history of an account', () => {
  async function found(networkId: string, over: Partial<NetworkMessage>) {
    const message = aNetworkMessage({
      networkId,
      chatId: PERSON,
      fromMe: true,
      timestamp: Math.floor(database.clock.now().getTime() / 1_000) - 3_600,
      ...over,
    });
    await database.transaction(async (tx) => {
      const chat = await ensureConversation(tx, { ...SCOPE, sessionId: session.id }, { chatId: PERSON });
      await importMessages(tx, session, chat, { messages: [message] });
    });
    return read(networkId);
  }

  async function read(networkId: string) {
    const [row] = await findRows(database, 'message', { networkId }, ['id']);
    const message = await database.read((queries) => findMessageById(queries, row?.id ?? ''));
    if (!message) throw new Error('It was not found.');
    return toMessageView(
      message,
      { ends: { own: '1', other: '2', phones: new Map() }, quoted: new Map(), changes: new Map() },
      LINKS,
    );
  }

  const ack = (networkId: string, level: AckLevel) =>
    database.transaction((tx) =>
      applyNetworkEvent(tx, session, {
        kind: 'ack',
        key: `${networkId}/${level}`,
        networkId,
        chatId: PERSON,
        level,
        error: null,
      }),
    );
  const toldOf = (messageId: string) => toldStatuses(database, messageId);
  const promised = (messageId: string) => findRows(database, 'dispatch', { workflowId: `message/${messageId}` });

  describe('an own message', () => {
    it('that the network refused has failed, and says why', async () => {
      expect(await found('REFUSED', { ack: -1 })).toMatchObject({
        status: 'failed',
        ack: -1,
        ackName: 'ERROR',
        error: { code: 'network_error', message: expect.any(String) },
      });
    });

    it('that only waits on the phone is handed over, as one that the backend has taken', async () => {
      expect(await found('PENDING', { ack: 0 })).toMatchObject({ status: 'sent', ack: 1, ackName: 'SERVER' });
    });

    it.each([
      [null, 'sent', 1],
      [1, 'sent', 1],
      [2, 'delivered', 2],
      [3, 'read', 3],
      [4, 'played', 4],
    ] as const)('of the level %s is %s', async (level, status, shown) => {
      const view = await found(`LEVEL${level}`, { ack: level });
      expect(view).toMatchObject({ status, ack: shown });
      expect(view).not.toHaveProperty('error');
    });

    it('goes on by its acks, which nobody is told of: no event has ever named it', async () => {
      const { messageId } = await found('ACKED', { ack: 0 });
      for (const level of [1, 2, 3] as const) await ack('ACKED', level);
      expect(await read('ACKED')).toMatchObject({ status: 'read', ack: 3 });
      await ack('ACKED', -1);
      expect(await toldOf(messageId)).toEqual([]);
      // Nor does any workflow wait for them.
      expect(await promised(messageId)).toEqual([]);
    });

    it('that a send of the engine was is told all the same, as is what was written on the phone not', async () => {
      const sent = await aSentMessage(database, session.id, { chatId: PERSON, networkId: 'OURS' });
      const phone = await aSentMessage(database, session.id, { chatId: PERSON, networkId: 'PHONE', origin: 'phone' });
      await ack('OURS', 2);
      await ack('PHONE', 2);
      expect(await toldOf(sent.messageId)).toEqual(['delivered']);
      expect(await toldOf(phone.messageId)).toEqual([]);
      expect(await read('PHONE')).toMatchObject({ status: 'delivered', ack: 2 });
    });
  });

  it('and was taken back before its event came late shows its words to nobody', async () => {
    const said = { fromMe: false, body: 'words of before' };
    await found('TAKEN', said);
    await database.transaction((tx) => applyNetworkEvent(tx, session, aRevoke('TAKEN')));
    const timestamp = Math.floor(database.clock.now().getTime() / 1_000) - 3_600;
    const message = aNetworkMessage({ networkId: 'TAKEN', chatId: PERSON, timestamp, ...said });
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: 'TAKEN', message }));
    const told = await toldPayloads(database, { type: 'message', sessionId: session.id }, { chatId: PERSON });
    expect(JSON.stringify(told)).not.toContain('words of before');
    expect(
      JSON.stringify(await findRows(database, 'conversation', { chatId: PERSON }, { line: 'lastMessageBody' })),
    ).not.toContain('words of before');
  });

  it.each(['image', 'video', 'audio', 'document', 'sticker'] as const)(
    'says that a message of the kind %s has a file, also where the file was not fetched',
    async (kind) => {
      const view = await found(`FILE-${kind}`, { kind, fromMe: false, body: '', hasMedia: true });
      expect(view).toMatchObject({ hasMedia: true, kind });
    },
  );

  it.each(['text', 'location', 'contact'] as const)('says that a message of the kind %s has none', async (kind) => {
    expect(await found(`NOFILE-${kind}`, { kind, fromMe: false })).toMatchObject({
      hasMedia: false,
      kind,
      media: null,
    });
  });

  it('says so of a kind that is not known, too, as the network does', async () => {
    expect(await found('FILE-other', { kind: 'other', fromMe: false, hasMedia: true })).toMatchObject({
      hasMedia: true,
    });
    expect(await found('NOFILE-other', { kind: 'other', fromMe: false })).toMatchObject({ hasMedia: false });
  });
});
