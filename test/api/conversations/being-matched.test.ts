import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { importMessages } from '../../../db/network/history.ts';
import { notePassthroughSend, recordPassthroughSend } from '../../../db/network/passthrough-send.ts';
import { showUnexplained } from '../../../db/network/show-own-message.ts';
import { loadContext } from '../../../db/agent/context.ts';
import { deleteMessageRows } from '../../../db/conversations/delete-messages.ts';
import { readExportPage } from '../../../db/personal-data/export/read-page.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { ago, changeRows, countRows, deleteRows, ensureRow, findRows, not } from '../../support/rows.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { accountWithPhone, ChatList, Page } from './account-with-phone.ts';

const { database, sender, scope, session, aChat, tell, decide, aSend, chatOf, inbox, brief, events, statusOf, named } =
  await accountWithPhone('being-matched');

describe('a message from the phone, while a send of its chat is unsettled', () => {
  it('is in the inbox at once; its events and the takeover come when it is matched', async () => {
    const { chatId, conversationId } = await aChat();
    const told = await events(conversationId);
    await aSend(conversationId, 'An offer', `CHOSEN${randomUUID()}`);
    await tell({ chatId, body: 'I am on my way' });
    expect(await brief(conversationId)).toEqual([
      ['I am on my way', 'phone', 'matching'],
      ['An offer', 'api'],
      ['Hello?', 'network'],
    ]);
    expect(await chatOf(chatId)).toMatchObject({
      lastMessage: { body: 'I am on my way', fromMe: true },
      unreadCount: 1,
      mode: 'bot_active',
    });
    expect(await events(conversationId)).toBe(told);
    const [shown] = await inbox(conversationId);
    expect(await statusOf(shown?.messageId ?? '')).toMatchObject({ status: 200, body: { matching: true } });
    const hits = await sender.get('/api/v1/messages/search?q=way');
    expect(Page.parse(hits.body).messages).toMatchObject([{ messageId: shown?.messageId, matching: true }]);
    await decide();
    const [after] = await inbox(conversationId);
    expect(after).toMatchObject({ messageId: shown?.messageId, origin: 'phone' });
    expect(after).not.toHaveProperty('matching');
    expect(await chatOf(chatId)).toMatchObject({ unreadCount: 0, mode: 'human_takeover' });
    expect(await events(conversationId)).toBeGreaterThan(told);
  });

  it('is not told to mirrors before it is matched, and then as a new message', async () => {
    const { chatId, conversationId } = await aChat();
    await ensureRow(database, 'mirror', { agencyId: 'matched', messages: true, conversations: true });
    const notes = () => findRows(database, 'mirrorNote', { conversationId, messageId: not(null) }, ['isNew']);
    await deleteRows(database, 'mirrorNote');
    await tell({ chatId, body: 'For the mirror' });
    expect(await notes()).toEqual([]);
    await decide();
    expect(await notes()).toContainEqual({ isNew: true });
    // A mirror may have read one that turns out to be a send, so it hears that this one is gone.
    const send = await aSend(conversationId, 'An offer', null);
    const networkId = await tell({ chatId, body: 'In other words' });
    const [read] = await inbox(conversationId);
    await deleteRows(database, 'mirrorNote');
    await send.end(networkId);
    expect(await countRows(database, 'mirrorNote', { messageId: read?.messageId ?? '', isNew: false })).toBe(1);
    await deleteRows(database, 'mirror');
  });
});

describe('an echo of a send that comes before the answer', () => {
  it('is shown as the send alone, before and after', async () => {
    const { chatId, conversationId } = await aChat();
    const chosen = `CHOSEN${randomUUID()}`;
    const send = await aSend(conversationId, 'An offer', chosen);
    const once = [
      ['An offer', 'api'],
      ['Hello?', 'network'],
    ];
    await tell({ chatId, body: 'An offer', networkId: chosen });
    expect(await brief(conversationId)).toEqual(once);
    await send.end(chosen);
    await decide();
    expect(await brief(conversationId)).toEqual(once);
    expect(await chatOf(chatId)).toMatchObject({ mode: 'bot_active' });
  });

  it('without words, under a hidden id of nobody, is shown as the send alone', async () => {
    const { conversationId } = await aChat();
    const send = await aSend(conversationId, 'dot.png', null);
    await changeRows(database, 'message', { kind: 'image', body: '' }, { id: send.messageId });
    const lid = `${88_300_000 + named()}@lid`;
    const networkId = await tell({ chatId: lid, kind: 'image', body: '', hasMedia: true });
    const listed = async () => ChatList.parse((await sender.get('/api/v1/inbox/chats?limit=100')).body).chats;
    expect((await listed()).filter((chat) => chat.chatId === lid)).toEqual([]);
    await send.end(networkId);
    await decide();
    expect((await listed()).filter((chat) => chat.chatId === lid)).toEqual([]);
    expect(await inbox(conversationId)).toHaveLength(2);
  });

  it('is shown as soon as no send explains it any more', async () => {
    const { chatId, conversationId } = await aChat();
    const send = await aSend(conversationId, 'Same words', null);
    const networkId = await tell({ chatId, body: 'Same words' });
    expect(await brief(conversationId)).toHaveLength(2);
    await send.fail();
    await changeRows(database, 'parkedOwnMessage', { parkedAt: ago({ seconds: 2 }) }, { networkId });
    await showUnexplained(database, { limit: 10 });
    expect((await brief(conversationId))[0]).toEqual(['Same words', 'phone', 'matching']);
    await decide();
    expect((await brief(conversationId))[0]).toEqual(['Same words', 'phone']);
  });

  it('in other words than the send becomes that send, and its id leads there', async () => {
    const { chatId, conversationId } = await aChat();
    const send = await aSend(conversationId, 'An offer', null);
    const networkId = await tell({ chatId, body: 'An offer, in words of the engine' });
    const [shown] = await inbox(conversationId);
    expect(shown).toMatchObject({ origin: 'phone', matching: true });
    await sender.post('/api/v1/messages/send', { conversationId, text: 'Quoting it', replyTo: shown?.messageId });
    const remember = (fact: string) =>
      sender.post('/api/v1/memories', {
        conversationId,
        category: 'context',
        source: 'ai_extracted',
        fact,
        evidenceMessageId: shown?.messageId,
      });
    expect(await remember('was offered something')).toMatchObject({ status: 201 });
    await send.end(networkId);
    expect(await remember('was offered it by us')).toMatchObject({ status: 201 });
    expect(
      await findRows(
        database,
        'memory',
        { agencyId: 'matched', evidenceMessageId: not(null) },
        { id: 'evidenceMessageId' },
      ),
    ).toEqual([{ id: send.messageId }, { id: send.messageId }]);
    const page = await inbox(conversationId);
    expect(page.map(({ body }) => body)).toEqual(['Quoting it', 'An offer', 'Hello?']);
    expect(page[0]).toMatchObject({ replyTo: send.messageId });
    await decide();
    expect(await inbox(conversationId)).toHaveLength(3);
    expect(await statusOf(shown?.messageId ?? '')).toMatchObject({ status: 200, body: { messageId: send.messageId } });
    const around = await inbox(conversationId, `?around=${shown?.messageId ?? ''}&limit=1`);
    expect(around).toMatchObject([{ messageId: send.messageId }]);
    const reply = { conversationId, text: 'Quoting it later', replyTo: shown?.messageId };
    expect(await sender.post('/api/v1/messages/send', reply)).toMatchObject({ status: 202 });
    const id = shown?.messageId ?? '';
    expect(await sender.post(`/api/v1/inbox/messages/${id}/reaction`, { emoji: '👍' })).toMatchObject({
      status: 202,
      body: { messageId: send.messageId },
    });
    expect(await sender.post(`/api/v1/messages/${id}/cancel`)).toMatchObject({ status: 409 });
    const upTo = await sender.post(`/api/v1/conversations/${conversationId}/read`, { upTo: shown?.messageId });
    expect(upTo).toMatchObject({ status: 200, body: { unreadCount: 0 } });
  });

  it('leaves the line of the chat list to the message before it', async () => {
    const { chatId, conversationId } = await aChat();
    const send = await aSend(conversationId, 'An offer', null);
    const networkId = await tell({ chatId, body: 'Unlike it' });
    expect(await chatOf(chatId)).toMatchObject({ lastMessage: { body: 'Unlike it' } });
    await send.end(networkId);
    expect(await chatOf(chatId)).toMatchObject({ lastMessage: { body: 'An offer', fromMe: true } });
  });

  it('of a client of the backend becomes its message', async () => {
    const { chatId, conversationId } = await aChat();
    const sent = { chatId, kind: 'text', body: 'By a route', origin: 'api', keyId: 'key' } as const;
    const id = await database.transaction((tx) => notePassthroughSend(tx, scope, sent));
    const networkId = await tell({ chatId, body: 'By a route' });
    expect(await brief(conversationId)).toHaveLength(1);
    const odd = await tell({ chatId, body: 'In other words' });
    const [shown] = await inbox(conversationId);
    expect(shown).toMatchObject({ body: 'In other words', matching: true });
    await database.transaction((tx) => recordPassthroughSend(tx, id, { networkId: odd, chatId }));
    expect(await inbox(conversationId)).toHaveLength(2);
    expect(await statusOf(shown?.messageId ?? '')).toMatchObject({ status: 200, body: { messageId: id } });
    await decide();
    expect((await inbox(conversationId)).map(({ body }) => body)).toEqual(['By a route', 'By a route', 'Hello?']);
    expect(await countRows(database, 'message', { networkId })).toBe(1);
  });
});

describe('a message that is being matched', () => {
  it('is shown once, whichever report of it comes meanwhile', async () => {
    const { chatId, conversationId } = await aChat();
    const networkId = await tell({ chatId, body: '', kind: 'other', content: { contentState: 'waiting' } });
    expect(await inbox(conversationId)).toHaveLength(2);
    await tell({ chatId, body: 'Now with words', networkId });
    expect(await brief(conversationId)).toEqual([
      ['Now with words', 'phone', 'matching'],
      ['Hello?', 'network'],
    ]);
    const timestamp = Math.floor(Date.now() / 1_000);
    const message = aNetworkMessage({ networkId, chatId, timestamp, fromMe: true, body: 'Now with words' });
    const conversation = await database.transaction((tx) => ensureConversation(tx, scope, { chatId }));
    await database.transaction((tx) => importMessages(tx, session, conversation, { messages: [message] }));
    expect(await inbox(conversationId)).toHaveLength(2);
    await decide();
    expect(await brief(conversationId)).toEqual([
      ['Now with words', 'phone'],
      ['Hello?', 'network'],
    ]);
  });

  it('gets its edit, reaction and ack once it is matched, and its deletion, too', async () => {
    const { chatId, conversationId } = await aChat();
    const networkId = await tell({ chatId, body: 'First words' });
    const gone = await tell({ chatId, body: 'Never mind' });
    const at = Date.now();
    const by = { fromMe: true, chatId, participant: null, aliases: [] };
    await database.transaction(async (tx) => {
      await applyNetworkEvent(tx, session, { kind: 'ack', key: 'a', networkId, chatId, level: 3, error: null });
      await applyNetworkEvent(tx, session, {
        kind: 'edited',
        key: 'e',
        networkId,
        editId: 'EDIT1',
        unnamedId: null,
        by,
        body: 'Better words',
        at,
        toldAt: at,
      });
      await applyNetworkEvent(tx, session, { kind: 'revoked', key: 'r', networkId: gone, by, at, toldAt: at });
    });
    expect(await brief(conversationId)).toHaveLength(3);
    await decide();
    const [deleted, edited] = await inbox(conversationId);
    expect(deleted).toMatchObject({ body: '', revokedAt: expect.any(String) });
    expect(edited).toMatchObject({ body: 'Better words', origin: 'phone' });
    expect(edited).not.toHaveProperty('matching');
  });

  it('cannot be changed yet, and is no part of what the agent reads', async () => {
    const { chatId, conversationId } = await aChat();
    await tell({ chatId, body: 'Not for the agent' });
    const [shown] = await inbox(conversationId);
    const refused = await sender.post(`/api/v1/inbox/messages/${shown?.messageId ?? ''}/reaction`, { emoji: '👍' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'message_not_sent' } });
    expect(refused.body['detail']).toContain('still checks');
    const read = async () => {
      const context = await database.read((queries) => loadContext(queries, { ...scope, conversationId }, 10));
      return context?.messages.map(({ body }) => body);
    };
    expect(await read()).toEqual(['Hello?']);
    await decide();
    expect(await read()).toEqual(['Hello?', 'Not for the agent']);
  });

  it('follows its chat when two contacts turn out to be one', async () => {
    const { chatId, conversationId } = await aChat();
    const lid = `${88_200_000 + named()}@lid`;
    await tell({ chatId: lid, body: 'Under a hidden id' });
    await database.transaction((tx) => ensureConversation(tx, scope, { chatId, aliases: [lid] }));
    expect((await brief(conversationId))[0]).toEqual(['Under a hidden id', 'phone', 'matching']);
    await decide();
    expect((await brief(conversationId))[0]).toEqual(['Under a hidden id', 'phone']);
    expect(await chatOf(chatId)).toMatchObject({ mode: 'human_takeover' });
  });

  it('is in no export before it is matched', async () => {
    const { chatId } = await aChat();
    await tell({ chatId, body: 'Not for the export' });
    const createdAt = new Date(Date.now() + 60_000);
    const at = { what: 'message', parent: null, after: null };
    const exported = async () => {
      const { parts } = await database.transaction((tx) => readExportPage(tx, { ...scope, createdAt }, at));
      return JSON.stringify(parts.filter(({ what }) => what === 'message'));
    };
    expect(await exported()).not.toContain('Not for the export');
    await decide();
    expect(await exported()).toContain('Not for the export');
  });

  it('leaves nothing where the data of its person is deleted, before and after it is matched', async () => {
    const { chatId, conversationId } = await aChat();
    const send = await aSend(conversationId, 'An offer', null);
    const networkId = await tell({ chatId, body: 'The offer in other words' });
    const gone = await tell({ chatId, body: 'To be deleted' });
    const [waits, folds] = await inbox(conversationId);
    await send.end(networkId);
    await database.transaction((tx) => deleteMessageRows(tx, [send.messageId, waits?.messageId ?? '']));
    await deleteRows(database, 'parkedOwnMessage', { networkId: gone });
    expect(await brief(conversationId)).toEqual([['Hello?', 'network']]);
    expect(await statusOf(folds?.messageId ?? '')).toMatchObject({ status: 404 });
    expect(await countRows(database, 'messageAlias', { id: folds?.messageId ?? '' })).toBe(0);
  });

  it('goes where a process of the previous release decides, and is shown once', async () => {
    const { chatId, conversationId } = await aChat();
    const networkId = await tell({ chatId, body: 'During a deployment' });
    await deleteRows(database, 'parkedOwnMessage', { networkId });
    expect(await brief(conversationId)).toEqual([['Hello?', 'network']]);
    expect(await chatOf(chatId)).toMatchObject({ lastMessage: { body: 'Hello?', fromMe: false } });
  });
});
