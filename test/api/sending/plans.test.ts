import { beforeAll, describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { recordBackend } from '../../../db/sessions/backend-state.ts';
import { DEFAULT_BACKEND } from '../../../domain/backend-server.ts';
import { addRow, changeRows, countRows, databaseNow, findRows } from '../../support/rows.ts';
import { aSender, connect, somebody } from './a-sender.ts';
import type { Sender } from './a-sender.ts';

const HOUR_MS = 60 * 60_000;
const api = await apiOfThisFile('send-plans');
const away = await aSender(api, 'away');
const sender = await aSender(api, 'planner');

const planned = (by: Sender, conversationId: string, query: Record<string, string> = {}) =>
  by.get(`/api/v1/inbox/conversations/${conversationId}/plan?${new URLSearchParams(query).toString()}`);

/** All that a send would leave behind. */
const left = async () => ({
  messages: await countRows(api.database, 'message'),
  history: await countRows(api.database, 'messageHistory'),
  promises: await countRows(api.database, 'dispatch'),
  events: await countRows(api.database, 'event'),
  conversations: await findRows(api.database, 'conversation', {}, undefined, 'id'),
});

async function settings(body: object): Promise<void> {
  const answer = await call(api, 'PUT', '/api/v1/tenants/t1/settings', { key: sender.dashboardKey, body });
  expect(answer.status).toBe(200);
}

describe('the plan of a reply', () => {
  let chat: string;
  beforeAll(async () => {
    await connect(api, sender, 'NOWEB');
    ({ conversationId: chat } = await sender.send({ to: somebody(), text: 'hello' }));
  });

  it('says what holds a message of an account that is not connected', async () => {
    const { conversationId } = await away.send({ to: somebody(), text: 'hello' });
    const answer = await planned(away, conversationId);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      plan: { sendAt: null, rule: 'session_not_working' },
      renderedAs: null,
      error: null,
    });
  });

  it('leaves nothing behind', async () => {
    const before = await left();
    for (const query of [{}, { kind: 'buttons' }, { kind: 'list', actor: 'bot' }]) {
      expect((await planned(sender, chat, query)).status).toBe(200);
    }
    expect(await left()).toEqual(before);
  });

  it('is what the message itself is told a moment later', async () => {
    const sendAt = new Date(Date.now() + HOUR_MS).toISOString();
    const { body } = await planned(sender, chat, { sendAt });
    expect(body).toMatchObject({ plan: { rule: 'scheduled', sendAt } });
    const sent = await sender.post(`/api/v1/inbox/conversations/${chat}/messages`, { text: 'later', sendAt });
    expect(sent.body).toMatchObject({ plan: { rule: 'scheduled', sendAt } });
  });

  it("tells a person's reply from a program's, which keeps the quiet hours", async () => {
    const hour = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16);
    const quietHours = { from: hour(-HOUR_MS), to: hour(HOUR_MS) };
    const { conversationId } = await sender.send({ to: somebody(), text: 'hello' });
    await settings({ quietHours });
    await changeRows(api.database, 'conversation', { contacted: true }, { id: conversationId });
    expect((await planned(sender, conversationId, { actor: 'bot' })).body).toMatchObject({
      plan: { rule: 'quiet_hours' },
    });
    const { body } = await planned(sender, conversationId, { actor: 'person' });
    expect(body).not.toMatchObject({ plan: { rule: 'quiet_hours' } });
    await settings({ quietHours: null });
  });

  it('says how buttons would be shown, and that a contact wants no more messages', async () => {
    expect((await planned(sender, chat, { kind: 'buttons', actor: 'bot' })).body).toMatchObject({
      renderedAs: expect.stringMatching(/^(native|text)$/),
    });
    const person = somebody();
    const { conversationId } = await sender.send({ to: person, text: 'hello' });
    await call(api, 'PUT', `/api/v1/opt-outs/${person.slice(1)}`, { key: sender.scopedKey, body: {} });
    expect((await planned(sender, conversationId, { actor: 'bot' })).body).toMatchObject({
      plan: null,
      error: { code: 'opted_out' },
    });
    expect((await planned(sender, conversationId)).body).toMatchObject({ error: null });
  });

  it('is of no use for a conversation of somebody else, or for a time that makes no sense', async () => {
    expect((await planned(away, chat)).status).toBe(404);
    const late = new Date(Date.now() + 400 * 24 * HOUR_MS).toISOString();
    expect((await planned(sender, chat, { sendAt: late })).status).toBe(422);
  });
});

describe('the status of a message whose backend is away', () => {
  const backendIs = (trouble: 'backend_unavailable' | null) =>
    api.database.transaction((tx) => recordBackend(tx, DEFAULT_BACKEND, { trouble }));
  const statusOf = async (messageId: string) => (await sender.get(`/api/v1/inbox/messages/${messageId}/status`)).body;
  const AWAY = { plan: { sendAt: null, rule: 'backend_unavailable' }, heldBy: 'backend_unavailable', heldUntil: null };

  it('says that it waits for the backend, until that is back', async () => {
    const { messageId } = await sender.send({ to: somebody(), text: 'hello' });
    expect(await statusOf(messageId)).not.toMatchObject({ heldBy: 'backend_unavailable' });
    await backendIs('backend_unavailable');
    const before = await left();
    expect(await statusOf(messageId)).toMatchObject(AWAY);
    expect(await left()).toEqual(before);
    await backendIs(null);
    expect(await statusOf(messageId)).not.toMatchObject({ heldBy: 'backend_unavailable' });
  });

  it('says so from the attempt that met nobody on, and no longer once it is tried again', async () => {
    const { messageId } = await sender.send({ to: somebody(), text: 'hello' });
    const happens = (status: string, reason: string | null) =>
      addRow(api.database, 'messageHistory', { messageId, at: databaseNow, status, reason });
    await happens('sending', null);
    await happens('queued', 'backend_unavailable');
    expect(await statusOf(messageId)).toMatchObject(AWAY);
    await happens('sending', null);
    expect(await statusOf(messageId)).not.toMatchObject({ heldBy: 'backend_unavailable' });
  });

  it('names what holds it for longer, such as the time that was chosen', async () => {
    const sendAt = new Date(Date.now() + HOUR_MS).toISOString();
    const { messageId } = await sender.send({ to: somebody(), text: 'later', sendAt });
    await backendIs('backend_unavailable');
    expect(await statusOf(messageId)).toMatchObject({ plan: { rule: 'scheduled', sendAt }, heldBy: null });
    await backendIs(null);
  });
});
