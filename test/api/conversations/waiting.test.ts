import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { findSessionById } from '../../../db/sessions/session.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { addRow, changeRows, databaseNow, earlier, findRows, fromColumn } from '../../support/rows.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { aSender, connect } from '../sending/a-sender.ts';

const List = z.object({
  chats: z.array(
    z.object({
      conversationId: z.string(),
      chatId: z.string(),
      waitingSince: z.string().nullable(),
      lastMessageStatus: z.string().nullable(),
      agentSilence: z.string().nullable(),
    }),
  ),
  total: z.int(),
});

const api = await apiOfThisFile('waiting');
const { database } = api;
const sender = await aSender(api, 'waits');
await connect(api, sender, 'NOWEB');
const session = await database.read((queries) => findSessionById(queries, sender.session.id));
if (!session) throw new Error('The session is not there.');

let written = 0;
/** A contact, or somebody in a group, writes so many seconds ago. */
async function write(chatId: string, secondsAgo: number): Promise<void> {
  written += 1;
  const timestamp = Math.floor(Date.now() / 1_000) - secondsAgo;
  const networkId = `IN${written}`;
  const message = aNetworkMessage({ networkId, chatId, timestamp, body: 'Hello?', source: 'unknown' });
  await database.transaction(async (tx) => {
    if (session) await applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message });
  });
}

async function list(query = '') {
  const answer = await sender.get(`/api/v1/inbox/chats?limit=100${query}`);
  expect(answer.status).toBe(200);
  return List.parse(answer.body);
}

let people = 0;
let turns = 0;
/** A chat whose contact wrote 60 seconds ago. */
async function aChat() {
  people += 1;
  const chatId = `1555${String(8_700_000 + people)}@c.us`;
  await write(chatId, 60);
  const find = async () => {
    const chat = (await list()).chats.find((each) => each.chatId === chatId);
    if (!chat) throw new Error('The chat is not there.');
    return chat;
  };
  const { conversationId } = await find();
  return {
    chatId,
    conversationId,
    isWaiting: async () => {
      const { waitingSince } = await find();
      const isListed = async (waiting: boolean) =>
        (await list(`&waiting=${waiting}`)).chats.some((chat) => chat.conversationId === conversationId);
      const said = await Promise.all([isListed(true), isListed(false)]);
      expect(said).toEqual([waitingSince !== null, waitingSince === null]);
      return waitingSince !== null;
    },
    since: async () => (await find()).waitingSince,
    trouble: async () => {
      const { lastMessageStatus, agentSilence } = await find();
      return { lastMessageStatus, agentSilence };
    },
    /** The messages of the agent are of a turn about the first words of the contact, with this end. */
    endTurn: async (outcome: string, silence: string | null = null) => {
      turns += 1;
      const turn = `trn_${turns}`;
      const columns = ['id', 'agencyId', 'tenantId', 'sessionId', 'occurredAt'] as const;
      const said = { conversationId, direction: 'in' };
      const [first] = await findRows(database, 'message', said, columns, ['occurredAt', 'id']);
      if (!first) throw new Error('The contact has said nothing.');
      const { id, occurredAt, ...of } = first;
      await addRow(database, 'aiTurn', {
        ...of,
        id: turn,
        conversationId,
        upToMessageId: id,
        upToAt: occurredAt,
        conversationEpoch: 0,
        tenantEpoch: 0,
        outcome,
        silenceCode: silence,
        inboundMessageIds: [id],
        endedAt: databaseNow,
      });
      await changeRows(database, 'message', { turnId: turn }, { conversationId, origin: 'ai' });
    },
    /** A message of the own side, in this state. */
    say: async (row: { origin: string; via?: string; status: string; bulk?: boolean }) => {
      const { messageId } = await sender.send({ conversationId, text: 'Something' });
      const { origin, via = null, status, bulk = false } = row;
      await changeRows(database, 'message', { origin, via, status, bulk }, { id: messageId });
    },
  };
}

describe('a chat of the list', () => {
  it('says how the last message stands, and why the agent was silent in its last turn', async () => {
    const chat = await aChat();
    expect(await chat.trouble()).toEqual({ lastMessageStatus: 'received', agentSilence: null });
    await chat.endTurn('silence', 'stale');
    await chat.say({ origin: 'person', status: 'failed' });
    expect(await chat.trouble()).toEqual({ lastMessageStatus: 'failed', agentSilence: 'stale' });
    await chat.endTurn('reply');
    expect((await chat.trouble()).agentSilence).toBeNull();
  });
});

describe('a chat whose contact waits', () => {
  it('waits since the first message that nobody has answered', async () => {
    const chat = await aChat();
    const since = await chat.since();
    await write(chat.chatId, 10);
    expect(await chat.since()).toBe(since);
    await chat.say({ origin: 'person', status: 'sent' });
    expect(await chat.since()).toBeNull();
    await write(chat.chatId, -5);
    expect(Date.parse((await chat.since()) ?? '')).toBeGreaterThan(Date.parse(since ?? ''));
  });

  it.each([
    { origin: 'person', status: 'queued' },
    { origin: 'person', status: 'uncertain' },
    { origin: 'person', status: 'read' },
    { origin: 'ai', status: 'sent' },
    { origin: 'ai', status: 'delivered' },
    { origin: 'api', status: 'sent' },
    { origin: 'phone', status: 'sent' },
    { origin: 'person', via: 'passthrough', status: 'sent' },
  ])('is answered by $origin, $status', async (row) => {
    const chat = await aChat();
    await chat.say(row);
    expect(await chat.isWaiting()).toBe(false);
  });

  it.each([
    { origin: 'person', status: 'failed' },
    { origin: 'person', status: 'cancelled' },
    { origin: 'ai', status: 'queued' },
    { origin: 'ai', status: 'failed' },
    { origin: 'api', status: 'queued' },
    { origin: 'api', via: 'automation', status: 'sent' },
    { origin: 'api', status: 'sent', bulk: true },
  ])('still waits after a message of $origin, $status, by $via', async (row) => {
    const chat = await aChat();
    await chat.say(row);
    expect(await chat.isWaiting()).toBe(true);
  });

  it.each([
    { outcome: 'handoff' },
    { outcome: 'fallback' },
    { outcome: 'silence', silence: 'human' },
    { outcome: 'reply', silence: 'hours' },
  ])('still waits where the turn of the agent ended as $outcome, $silence', async ({ outcome, silence }) => {
    const chat = await aChat();
    await chat.say({ origin: 'ai', status: 'sent' });
    expect(await chat.isWaiting()).toBe(false);
    await chat.endTurn(outcome, silence);
    expect(await chat.isWaiting()).toBe(true);
  });

  it('waits for an answer to what came while the agent made another', async () => {
    const chat = await aChat();
    await write(chat.chatId, 30);
    await chat.say({ origin: 'ai', status: 'sent' });
    const since = await chat.since();
    await chat.endTurn('reply');
    expect(await chat.isWaiting()).toBe(true);
    expect(await chat.since()).not.toBe(since);
    await chat.say({ origin: 'person', status: 'queued' });
    expect(await chat.isWaiting()).toBe(false);
  });

  it('waits where its message came after an answer that was made without it', async () => {
    const chat = await aChat();
    await chat.say({ origin: 'person', status: 'queued' });
    await write(chat.chatId, 30);
    expect(await chat.isWaiting()).toBe(true);
  });

  it('waits where the agent owes a turn to what was missed while the session was away', async () => {
    const chat = await aChat();
    await changeRows(
      database,
      'message',
      { origin: 'history', awaitsTurn: true },
      { conversationId: chat.conversationId },
    );
    expect(await chat.isWaiting()).toBe(true);
  });

  it('waits while a message from the phone may be a send of the engine', async () => {
    const chat = await aChat();
    await chat.say({ origin: 'phone', status: 'sent' });
    await changeRows(
      database,
      'message',
      { matchingNetworkId: fromColumn('id') },
      { conversationId: chat.conversationId, direction: 'out' },
    );
    expect(await chat.isWaiting()).toBe(true);
  });

  it('waits for no more than 30 days, and not for words that are gone', async () => {
    const [old, gone] = [await aChat(), await aChat()];
    await changeRows(database, 'conversation', { lastInboundAt: earlier({ days: 31 }) }, { id: old.conversationId });
    await changeRows(database, 'message', { revokedAt: databaseNow }, { conversationId: gone.conversationId });
    expect([await old.isWaiting(), await gone.isWaiting()]).toEqual([false, false]);
  });

  it('is no group, and nothing from before the account was connected', async () => {
    const group = '120363000000000777@g.us';
    await write(group, 10);
    const past = await aChat();
    await changeRows(database, 'message', { origin: 'history' }, { conversationId: past.conversationId });
    const { chats } = await list();
    expect(chats.find(({ chatId }) => chatId === group)?.waitingSince).toBeNull();
    expect(await past.isWaiting()).toBe(false);
  });

  it('is counted, and read alone with the same time', async () => {
    const chat = await aChat();
    const { chats, total } = await list('&waiting=true');
    expect(total).toBe(chats.length);
    const one = await sender.get(`/api/v1/conversations/${chat.conversationId}`);
    expect(one.body['waitingSince']).toBe(await chat.since());
  });
});
