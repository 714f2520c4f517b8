import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { findSessionById } from '../../../db/sessions/session.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { ago, changeRows, ensureRow, findRow } from '../../support/rows.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { aSender, connect } from '../sending/a-sender.ts';

const List = z.object({
  chats: z.array(z.object({ conversationId: z.string(), waitingSince: z.string().nullable() })),
  total: z.int(),
  nextCursor: z.string().nullable(),
});

const api = await apiOfThisFile('waiting-list');
const { database } = api;
const sender = await aSender(api, 'waits-long');
await connect(api, sender, 'NOWEB');
const session = await database.read((queries) => findSessionById(queries, sender.session.id));

let written = 0;
/** A contact writes so many seconds ago. */
async function write(chatId: string, secondsAgo: number): Promise<{ conversationId: string; messageId: string }> {
  written += 1;
  const networkId = `IN${written}`;
  const timestamp = Math.floor(Date.now() / 1_000) - secondsAgo;
  const message = aNetworkMessage({ networkId, chatId, timestamp, body: 'Hello?', source: 'unknown' });
  await database.transaction(async (tx) => {
    if (session) await applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message });
  });
  return findRow(database, 'message', { networkId }, { conversationId: 'conversationId', messageId: 'id' });
}

async function list(query = '') {
  const answer = await sender.get(`/api/v1/inbox/chats?waiting=true${query}`);
  expect(answer.status).toBe(200);
  return List.parse(answer.body);
}

const idsOf = ({ chats }: z.output<typeof List>) => chats.map(({ conversationId }) => conversationId);

let people = 0;
const person = () => `1555${String(8_500_000 + ++people)}@c.us`;

describe('the list of chats that wait', () => {
  it('begins with the longest wait, and goes on there with its cursor', async () => {
    const [old, young] = [person(), person()];
    const { conversationId: second } = await write(young, 60);
    const { conversationId: first } = await write(old, 600);
    // A later message makes a chat the newest, and it has waited longest all the same.
    await write(old, 10);
    const page = await list('&limit=1');
    expect(idsOf(page)).toEqual([first]);
    expect(page.total).toBe(2);
    expect(idsOf(await list(`&limit=1&cursor=${page.nextCursor}`))).toEqual([second]);
    const byOffset = await list('&limit=1&offset=1');
    expect([idsOf(byOffset), byOffset.total]).toEqual([[second], 2]);
    const pastEnd = await list('&limit=1&offset=9');
    expect([idsOf(pastEnd), pastEnd.total]).toEqual([[], 2]);
    expect(await list('&search=nobody')).toMatchObject({ chats: [], total: 0 });
    expect((await list('&limit=1&unread=true')).total).toBe(2);
  });

  it('leaves a chat out that needs no answer, until its contact writes again', async () => {
    const chatId = person();
    const { conversationId, messageId } = await write(chatId, 120);
    await write(chatId, 90);
    const read = (body: object) => sender.post(`/api/v1/conversations/${conversationId}/read`, body);
    await read({});
    expect(idsOf(await list('&limit=100'))).toContain(conversationId);
    expect((await read({ needsNoAnswer: true, upTo: messageId })).status).toBe(200);
    expect(idsOf(await list('&limit=100'))).toContain(conversationId);
    expect((await read({ needsNoAnswer: true })).body).toMatchObject({ unreadCount: 0 });
    expect(idsOf(await list('&limit=100'))).not.toContain(conversationId);
    await write(chatId, 1);
    expect(idsOf(await list('&limit=100'))).toContain(conversationId);
  });

  it('has what a tenant without an agent missed while its account was away, and nothing from before', async () => {
    const [missed, past] = [await write(person(), 60), await write(person(), 7_200)];
    await changeRows(database, 'message', { origin: 'history' }, { id: [missed.messageId, past.messageId] });
    const sessionId = sender.session.id;
    await ensureRow(database, 'sessionPace', { sessionId });
    await changeRows(database, 'sessionPace', { firstConnectedAt: ago({ hours: 1 }) }, { sessionId });
    const listed = idsOf(await list('&limit=100'));
    expect(listed).toContain(missed.conversationId);
    expect(listed).not.toContain(past.conversationId);
  });
});
