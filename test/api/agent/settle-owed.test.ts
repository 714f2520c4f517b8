import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { findSessionById } from '../../../db/sessions/session.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { among, changeRows, countRows, databaseNow, deleteRows, findRow, findRows } from '../../support/rows.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { aSender, connect } from '../sending/a-sender.ts';

const PATH = '/api/v1/inbox/chats/owed';
const Settled = z.object({
  conversationIds: z.array(z.string()),
  moreOwed: z.boolean(),
  silence: z.string().nullable(),
});

const api = await apiOfThisFile('settle-owed');
const { database } = api;
const sender = await aSender(api, 'owes');
const other = await aSender(api, 'owes-nothing');
await connect(api, sender, 'NOWEB');
const session = await database.read((queries) => findSessionById(queries, sender.session.id));
const switchAgent = (isOn: boolean) => changeRows(database, 'tenant', { aiEnabled: isOn, aiMode: 'bot_active' });

let people = 0;
/** A chat whose contact wrote so many seconds ago, and whose turn ended without an answer. */
async function aForgottenChat(secondsAgo = 60): Promise<string> {
  people += 1;
  const chatId = `1555${String(8_600_000 + people)}@c.us`;
  const timestamp = Math.floor(Date.now() / 1_000) - secondsAgo;
  const networkId = `IN${people}`;
  const message = aNetworkMessage({ networkId, chatId, timestamp, body: 'Hello?', source: 'unknown' });
  await database.transaction(async (tx) => {
    if (session) await applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message });
  });
  await changeRows(database, 'message', { awaitsTurn: false }, { networkId });
  const { id } = await findRow(database, 'message', { networkId }, { id: 'conversationId' });
  await deleteRows(database, 'dispatch');
  return id;
}

async function settle(body: object, by = sender): Promise<z.output<typeof Settled>> {
  const answer = await by.post(PATH, body);
  expect(answer.status).toBe(200);
  return Settled.parse(answer.body);
}

const stateOf = async (id: string) => ({
  ...(await findRow(database, 'conversation', { id }, ['mode', 'assignedTo'])),
  owed: await countRows(database, 'message', { conversationId: id, awaitsTurn: true }),
  promised: await countRows(database, 'dispatch', { workflowId: `ai/${id}` }),
});

describe('the chats that are owed an answer', () => {
  beforeEach(async () => {
    await changeRows(database, 'conversation', { lastInboundAt: null });
    await switchAgent(true);
  });

  it('are answered again by the agent, the oldest first, and only once', async () => {
    const [young, old] = [await aForgottenChat(60), await aForgottenChat(3_600)];
    expect(await settle({ action: 'answer', limit: 1 })).toEqual({
      conversationIds: [old],
      moreOwed: true,
      silence: null,
    });
    expect(await settle({ action: 'answer' })).toMatchObject({ conversationIds: [young], moreOwed: false });
    expect(await settle({ action: 'answer' })).toMatchObject({ conversationIds: [], moreOwed: false });
    for (const id of [young, old])
      expect(await stateOf(id)).toEqual({ mode: 'bot_active', assignedTo: null, owed: 1, promised: 1 });
  });

  it('are handed over to people, and those that the agent has handed over are given to somebody', async () => {
    const [one, two] = [await aForgottenChat(), await aForgottenChat()];
    await changeRows(
      database,
      'conversation',
      { mode: 'human_takeover', takenOverBy: 'agent', assignedReason: 'reply_expired' },
      { id: two },
    );
    expect((await settle({ action: 'hand_over' })).conversationIds).toEqual([one]);
    expect(await stateOf(one)).toMatchObject({ mode: 'human_takeover', assignedTo: null });
    expect((await settle({ action: 'hand_over', assignee: 'Maria' })).conversationIds).toEqual([two]);
    expect(await stateOf(two)).toMatchObject({ mode: 'human_takeover', assignedTo: 'Maria' });
  });

  it('come back to the agent where it was late, but not from a person who took them', async () => {
    const [late, taken] = [await aForgottenChat(), await aForgottenChat()];
    await changeRows(
      database,
      'conversation',
      { mode: 'human_takeover', takenOverBy: 'agent', assignedReason: 'agent_late' },
      { id: late },
    );
    await sender.post(`/api/v1/conversations/${taken}/assign`, { assignee: 'Maria' });
    expect((await settle({ action: 'answer', actor: 'ann' })).conversationIds).toEqual([late]);
    expect(await stateOf(late)).toMatchObject({ mode: 'bot_active', owed: 1, promised: 1 });
    expect(await stateOf(taken)).toMatchObject({ mode: 'human_takeover', owed: 0 });
    const audit = await findRows(database, 'auditEntry', { action: 'asked_again' }, ['actor', 'detail'], {
      newestFirst: 'at',
    });
    expect(audit[0]).toEqual({ actor: 'ann', detail: { conversations: 1 } });
  });

  it('stay as they are where the agent is off, and for those who want no messages or were answered', async () => {
    const [out, answered] = [await aForgottenChat(), await aForgottenChat()];
    await changeRows(
      database,
      'contact',
      { optedOutAt: databaseNow },
      { id: among('conversation', { id: out }, 'contactId') },
    );
    await sender.post(`/api/v1/inbox/conversations/${answered}/messages`, { text: 'Yes.', actor: 'person' });
    expect(await settle({ action: 'answer' })).toMatchObject({ conversationIds: [], silence: null });
    expect(await settle({ action: 'hand_over' })).toMatchObject({ conversationIds: [] });
    const waits = await aForgottenChat();
    await switchAgent(false);
    expect(await settle({ action: 'answer' })).toMatchObject({ conversationIds: [], silence: 'paused' });
    expect(await stateOf(waits)).toMatchObject({ owed: 0 });
    expect(await settle({ action: 'hand_over' })).toMatchObject({ conversationIds: [] });
  });

  it("are the tenant's own, and the request names an action", async () => {
    await aForgottenChat();
    expect(await settle({ action: 'answer' }, other)).toMatchObject({ conversationIds: [] });
    expect((await sender.post(PATH, {})).status).toBe(422);
  });
});
