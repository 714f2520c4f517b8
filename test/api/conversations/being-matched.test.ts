import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { adoptOwnMessages } from '../../../db/network/adopt-own-messages.ts';
import { importMessages } from '../../../db/network/history.ts';
import { notePassthroughSend, recordPassthroughSend } from '../../../db/network/passthrough-send.ts';
import { unmergeContact } from '../../../db/network/unmerge/unmerge.ts';
import { showUnexplained } from '../../../db/network/show-own-message.ts';
import { claimMessage } from '../../../db/sending/claim.ts';
import { endMessage, recordSent } from '../../../db/sending/outcome.ts';
import { loadContext } from '../../../db/agent/context.ts';
import { deleteMessageRows } from '../../../db/personal-data/delete-messages.ts';
import { readExportPage } from '../../../db/personal-data/export/read-page.ts';
import { ensureConversation } from '../../../db/conversations/conversation.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';
import { countOf, rowsOf } from '../../support/rows.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { aSender, connect } from '../sending/a-sender.ts';

const Shown = z.looseObject({
  messageId: z.string(),
  body: z.string(),
  origin: z.string(),
  status: z.string(),
  matching: z.literal(true).optional(),
});
const Page = z.object({ messages: z.array(Shown) });
const ChatList = z.object({
  chats: z.array(
    z.looseObject({
      conversationId: z.string(),
      chatId: z.string(),
      mode: z.string(),
      unreadCount: z.int(),
      lastMessage: z.object({ body: z.string(), fromMe: z.boolean() }).nullable(),
    }),
  ),
});

const api = await apiOfThisFile('being-matched');
const { database } = api;
const sender = await aSender(api, 'matched');
await connect(api, sender, 'NOWEB');
const scope = { agencyId: 'matched', tenantId: '', sessionId: sender.session.id };
const found = await database.read((queries) => findSessionById(queries, sender.session.id));
if (!found) throw new Error('The session is not there.');
const session = found;
scope.tenantId = session.tenantId;
await rowsOf(database, sql`update tenant set ai_enabled = true where agency_id = 'matched'`);
let people = 0;

/** The contact of a new chat, who has written once. */
async function aChat() {
  people += 1;
  const chatId = `1555${String(8_200_000 + people)}@c.us`;
  await tell({ chatId, body: 'Hello?', fromMe: false, networkId: `IN${people}` });
  // There is no worker that would read the history, which a page waits for.
  await rowsOf(database, sql`update conversation set history_complete = true where chat_id = ${chatId}`);
  return { chatId, conversationId: (await chatOf(chatId)).conversationId };
}

/** The backend reports a message; parked ones are due only when the test says so. */
async function tell(said: Partial<NetworkMessage> & { chatId: string }): Promise<string> {
  const networkId = said.networkId ?? `OWN${randomUUID()}`;
  const timestamp = Math.floor(Date.now() / 1_000);
  const message = aNetworkMessage({ networkId, timestamp, fromMe: true, source: 'unknown', ...said });
  await database.transaction(async (tx) => {
    await applyNetworkEvent(tx, session, { kind: 'message', key: `message:${networkId}`, message });
    await sql`update parked_own_message set parked_at = clock_timestamp() + interval '1 hour'
      where network_id = ${networkId}`.execute(tx.sql);
  });
  return networkId;
}

/** The matcher decides. */
async function decide(): Promise<void> {
  await rowsOf(
    database,
    sql`update parked_own_message set retry_at = null, parked_at = clock_timestamp() - interval '11 seconds'`,
  );
  const { notAdopted } = await adoptOwnMessages(database, nobodyKnows);
  expect(notAdopted).toEqual([]);
}

/** A send whose call is under way. */
async function aSend(conversationId: string, text: string, chosenNetworkId: string | null) {
  const { messageId } = await sender.send({ conversationId, text });
  const token = randomUUID();
  const { claim } = await database.transaction((tx) =>
    claimMessage(tx, messageId, { token, owner: database.wakeups.owner, chosenNetworkId }),
  );
  expect(claim).toBe('claimed');
  return {
    messageId,
    end: (networkId: string) =>
      database.transaction((tx) => recordSent(tx, { messageId, conversationId, token, networkId })),
    fail: () =>
      database.transaction((tx) =>
        endMessage(tx, messageId, { status: 'failed', reason: 'network_error', detail: null, token }),
      ),
  };
}

async function chatOf(chatId: string) {
  const { chats } = ChatList.parse((await sender.get('/api/v1/inbox/chats?limit=100')).body);
  const chat = chats.find((each) => each.chatId === chatId);
  if (!chat) throw new Error('The chat is not there.');
  return chat;
}

async function inbox(conversationId: string, query = '') {
  const answer = await sender.get(`/api/v1/inbox/conversations/${conversationId}/messages${query}`);
  return Page.parse(answer.body).messages;
}

const brief = async (conversationId: string) =>
  (await inbox(conversationId)).map(({ body, origin, matching }) => [body, origin, ...(matching ? ['matching'] : [])]);
const events = (conversationId: string) => countOf(database, sql`event where conversation_id = ${conversationId}`);
const statusOf = (id: string) => sender.get(`/api/v1/inbox/messages/${id}/status`);

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
    await rowsOf(
      database,
      sql`insert into mirror (agency_id, messages, conversations) values ('matched', true, true) on conflict do nothing`,
    );
    const notes = () =>
      rowsOf(
        database,
        sql<{ isNew: boolean }>`select is_new as "isNew" from mirror_note
          where conversation_id = ${conversationId} and message_id is not null`,
      );
    await rowsOf(database, sql`delete from mirror_note`);
    await tell({ chatId, body: 'For the mirror' });
    expect(await notes()).toEqual([]);
    await decide();
    expect(await notes()).toContainEqual({ isNew: true });
    // A mirror may have read one that turns out to be a send, so it hears that this one is gone.
    const send = await aSend(conversationId, 'An offer', null);
    const networkId = await tell({ chatId, body: 'In other words' });
    const [read] = await inbox(conversationId);
    await rowsOf(database, sql`delete from mirror_note`);
    await send.end(networkId);
    const gone = sql`mirror_note where message_id = ${read?.messageId ?? ''} and not is_new`;
    expect(await countOf(database, gone)).toBe(1);
    await rowsOf(database, sql`delete from mirror`);
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
    await rowsOf(database, sql`update message set kind = 'image', body = '' where id = ${send.messageId}`);
    const lid = `${88_300_000 + people}@lid`;
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
    await rowsOf(
      database,
      sql`update parked_own_message set parked_at = clock_timestamp() - interval '2 seconds'
        where network_id = ${networkId}`,
    );
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
    const evidence = sql<{ id: string }>`
      select evidence_message_id as id from memory where agency_id = 'matched' and evidence_message_id is not null`;
    expect(await rowsOf(database, evidence)).toEqual([{ id: send.messageId }, { id: send.messageId }]);
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

  it('and that a process of the previous release has taken for a person’s, leads to the send by both ids', async () => {
    const { chatId, conversationId } = await aChat();
    const send = await aSend(conversationId, 'An offer', null);
    const networkId = await tell({ chatId, body: 'The offer as that process saw it' });
    const [shown] = await inbox(conversationId);
    await rowsOf(
      database,
      sql`insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin,
          kind, body, occurred_at, status, network_id)
        select 'msg_former' || ${networkId}, agency_id, tenant_id, session_id, conversation_id, contact_id, direction,
          origin, kind, body, occurred_at, status, ${networkId} from message where id = ${shown?.messageId ?? ''}`,
    );
    await rowsOf(database, sql`delete from parked_own_message where network_id = ${networkId}`);
    expect(await statusOf(shown?.messageId ?? '')).toMatchObject({ body: { messageId: `msg_former${networkId}` } });
    await send.end(networkId);
    for (const id of [shown?.messageId ?? '', `msg_former${networkId}`])
      expect(await statusOf(id)).toMatchObject({ status: 200, body: { messageId: send.messageId } });
  });

  it.each(['the contact that went', 'the contact that stayed'])(
    'is the line of its chat again when a merge is undone: %s',
    async (whose) => {
      const { chatId } = await aChat();
      const hidden = `${88_300_000 + people}@lid`;
      await tell({ chatId: hidden, body: 'Me, too', fromMe: false, networkId: `HIDDEN${people}` });
      const own = whose === 'the contact that went' ? hidden : chatId;
      const other = own === hidden ? chatId : hidden;
      const send = await aSend((await chatOf(own)).conversationId, 'An offer', null);
      const networkId = await tell({ chatId: own, body: 'The offer in other words' });
      expect(await chatOf(own)).toMatchObject({ lastMessage: { body: 'The offer in other words' } });
      // In the merged chat another message is the last, so the former line is read from what was noted of the merge.
      const timestamp = Math.floor(Date.now() / 1_000) + 5;
      await tell({ chatId: other, body: 'Something newer', fromMe: false, networkId: `NEWER${people}`, timestamp });
      const [contact] = await rowsOf(
        database,
        sql<{ id: string }>`select contact_id as id from contact_alias where chat_id = ${hidden}`,
      );
      await database.transaction((tx) => ensureConversation(tx, scope, { chatId, aliases: [hidden] }));
      await send.end(networkId);
      const undone = await database.transaction((tx) => unmergeContact(tx, 'matched', contact?.id ?? ''));
      expect(undone).toMatchObject({ outcome: 'parted' });
      expect(await chatOf(own)).toMatchObject({ lastMessage: { body: 'An offer', fromMe: true } });
      const lines = await rowsOf(database, sql`select last_message_id as id from conversation where chat_id = ${own}`);
      expect(lines).toEqual([{ id: send.messageId }]);
    },
  );

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
    expect(await countOf(database, sql`message where network_id = ${networkId}`)).toBe(1);
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
    const lid = `${88_200_000 + people}@lid`;
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
    await rowsOf(database, sql`delete from parked_own_message where network_id = ${gone}`);
    expect(await brief(conversationId)).toEqual([['Hello?', 'network']]);
    expect(await statusOf(folds?.messageId ?? '')).toMatchObject({ status: 404 });
    expect(await countOf(database, sql`message_alias where id = ${folds?.messageId ?? ''}`)).toBe(0);
  });

  it('goes where a process of the previous release decides, and is shown once', async () => {
    const { chatId, conversationId } = await aChat();
    const networkId = await tell({ chatId, body: 'During a deployment' });
    await rowsOf(database, sql`delete from parked_own_message where network_id = ${networkId}`);
    expect(await brief(conversationId)).toEqual([['Hello?', 'network']]);
    expect(await chatOf(chatId)).toMatchObject({ lastMessage: { body: 'Hello?', fromMe: false } });
  });
});
