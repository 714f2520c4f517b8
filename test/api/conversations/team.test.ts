import { afterAll, describe, expect, it } from '@jest/globals';
import { startApiOn } from '../../support/api.ts';
import { call } from '../../support/client.ts';
import { StreamReader } from '../../support/event-stream.ts';
import { takeDatabase } from '../../support/servers.ts';
import { ago, changeRows, findRows } from '../../support/rows.ts';
import { aSender, somebody } from '../sending/a-sender.ts';

const databaseUrl = await takeDatabase();
const api = await startApiOn(databaseUrl, 'team-api');
const another = await startApiOn(databaseUrl, 'team-api-2');
afterAll(async () => {
  await another.close();
  await api.close();
});
const ours = await aSender(api, 'ours');
const others = await aSender(api, 'others');

const aChat = async () => (await ours.send({ to: somebody(), text: 'Hello' })).conversationId;
const show = (conversationId: string, body: object, engine = api, key = ours.scopedKey) =>
  call(engine, 'PUT', `/api/v1/conversations/${conversationId}/viewers`, { key, body });
const seen = async (conversationId: string, engine = api) =>
  (await call(engine, 'GET', `/api/v1/conversations/${conversationId}/viewers`, { key: ours.scopedKey })).body[
    'viewers'
  ];
const placeOf = async (chat: string) => {
  const { body } = await ours.get(`/api/v1/conversations/${chat}`);
  return { agencyId: 'ours', tenantId: 't1', sessionId: String(body['sessionId']) };
};
const colleagues = async () => {
  const { body } = await ours.get('/api/v1/colleagues');
  return Array.isArray(body['colleagues']) ? body['colleagues'].map((one: { name: string }) => one.name) : [];
};

describe('the people who have a conversation open', () => {
  it('see each other, at whichever process of the API each of them is, until they leave', async () => {
    const chat = await aChat();
    expect(await show(chat, { viewerId: 'a', name: 'Ada', state: 'reading' })).toMatchObject({
      status: 200,
      body: { viewers: [{ viewerId: 'a', name: 'Ada', state: 'reading' }] },
    });
    await show(chat, { viewerId: 'b', name: 'Bo', state: 'writing' }, another);
    const both = [
      { viewerId: 'a', name: 'Ada', state: 'reading' },
      { viewerId: 'b', name: 'Bo', state: 'writing' },
    ];
    expect(await seen(chat)).toEqual(both);
    expect(await seen(chat, another)).toEqual(both);
    await show(chat, { viewerId: 'a', name: 'Ada', state: 'left' });
    expect(await seen(chat, another)).toEqual([both[1]]);
  });

  it('leave the list when their tab is gone', async () => {
    const chat = await aChat();
    await show(chat, { viewerId: 'a', name: 'Ada', state: 'reading' });
    await changeRows(api.database, 'viewer', { seenAt: ago({ seconds: 30 }) }, { conversationId: chat });
    expect(await seen(chat)).toEqual([]);
  });

  it('hear of each other by the stream of the other process, and not of a mere refresh', async () => {
    const chat = await aChat();
    const reader = await StreamReader.open(`${another.url}/api/v1/events/stream?hints=true&type=endpoint.disabled`, {
      'x-api-key': ours.scopedKey,
    });
    await reader.untilReady();
    await show(chat, { viewerId: 'a', name: 'Ada', state: 'reading' });
    await show(chat, { viewerId: 'a', name: 'Ada', state: 'reading' });
    await show(chat, { viewerId: 'a', name: 'Ada', state: 'writing' });
    const hint = { event: 'hint', data: { conversationId: chat, what: 'viewers' } };
    expect(await reader.take(2)).toMatchObject([hint, hint]);
    const last = await aChat();
    await show(last, { viewerId: 'a', name: 'Ada', state: 'reading' });
    expect(await reader.take(1)).toMatchObject([{ event: 'hint', data: { conversationId: last } }]);
    reader.leave();
  });

  it('have their hints told from those of notes', async () => {
    const chat = await aChat();
    const reader = await StreamReader.open(`${api.url}/api/v1/events/stream?hints=true&type=endpoint.disabled`, {
      'x-api-key': ours.scopedKey,
    });
    await reader.untilReady();
    await ours.post('/api/v1/notes', { conversationId: chat, text: 'News' });
    expect(await reader.take(1)).toMatchObject([{ event: 'hint', data: { conversationId: chat, what: 'notes' } }]);
    // A process of the previous release does not say what changed.
    const { agencyId, tenantId, sessionId } = await placeOf(chat);
    await api.database.transaction(async (tx) => tx.wake('team', [agencyId, tenantId, sessionId, chat].join('/')));
    expect((await reader.take(2)).map(({ data }) => data)).toEqual([
      { conversationId: chat, what: 'notes' },
      { conversationId: chat, what: 'viewers' },
    ]);
    reader.leave();
  });

  it('are not of another agency, and need a state and an id', async () => {
    const chat = await aChat();
    const body = { viewerId: 'x', name: 'Eve', state: 'reading' };
    expect((await show(chat, body, api, others.scopedKey)).status).toBe(404);
    expect((await show(chat, { name: 'Ada', state: 'reading' })).status).toBe(422);
    expect((await show(chat, { viewerId: 'a b', state: 'reading' })).status).toBe(422);
    expect((await show(chat, { viewerId: 'a', state: 'asleep' })).status).toBe(422);
    expect(await seen(chat)).toEqual([]);
  });
});

describe('the chats of a contact with other accounts', () => {
  it('are shown in each of them to whoever sees all accounts of the tenant', async () => {
    const key = ours.dashboardKey;
    const target = { agencyId: 'ours', tenantId: 't1' };
    const to = somebody();
    const first = await ours.send({ to, text: 'Hello' });
    const made = await ours.post('/api/v1/sessions', { ...target, name: 'the-other-shop' }, key);
    const sent = await ours.post(
      '/api/v1/messages/send',
      { ...target, session: 'the-other-shop', to, text: 'Hi' },
      key,
    );
    const second = String(sent.body['conversationId']);
    const read = async (id: string, by = key) =>
      (await call(api, 'GET', `/api/v1/conversations/${id}`, { key: by })).body['otherChats'];
    expect(await read(first.conversationId)).toMatchObject([
      { conversationId: second, sessionId: made.body['id'], accountName: 'the-other-shop' },
    ]);
    expect(await read(second)).toMatchObject([{ conversationId: first.conversationId, sessionId: ours.session.id }]);
    expect(await read(first.conversationId, ours.scopedKey)).toEqual([]);
    expect(await read(await aChat())).toEqual([]);
  });
});

describe('the names of a team', () => {
  it('are those that took or got a conversation, watched one, or wrote a note', async () => {
    const chat = await aChat();
    await show(chat, { viewerId: 'a', name: 'Watcher', state: 'reading' });
    await ours.post(`/api/v1/conversations/${chat}/assign`, { assignee: 'Assigned', actor: 'Giver' });
    await ours.post('/api/v1/notes', { conversationId: chat, text: 'A note', author: 'Writer' });
    expect(await colleagues()).toEqual(expect.arrayContaining(['Assigned', 'Giver', 'Watcher', 'Writer']));
    expect((await others.get('/api/v1/colleagues')).body).toEqual({ colleagues: [] });
  });
});

describe('the name that a request gives', () => {
  const headers = { 'x-engine-actor': encodeURIComponent('Ödön') };

  it('is on the handovers that it makes', async () => {
    const chat = await aChat();
    const answered = await call(api, 'POST', `/api/v1/inbox/conversations/${chat}/messages`, {
      key: ours.scopedKey,
      body: { text: 'I answer' },
      headers,
    });
    expect(answered.status).toBe(202);
    const read = await ours.get(`/api/v1/conversations/${chat}`);
    expect(read.body).toMatchObject({ handovers: [] });
    await call(api, 'POST', `/api/v1/conversations/${chat}/assign`, { key: ours.scopedKey, body: {}, headers });
    expect((await ours.get(`/api/v1/conversations/${chat}`)).body).toMatchObject({ handovers: [{ actor: 'Ödön' }] });
    const named = { key: ours.scopedKey, body: { actor: 'Kim' }, headers };
    await call(api, 'POST', `/api/v1/conversations/${chat}/release`, named);
    expect((await ours.get(`/api/v1/conversations/${chat}`)).body).toMatchObject({
      handovers: [{ actor: 'Kim' }, { actor: 'Ödön' }],
    });
  });

  it('is who has a conversation after a reply to it while the agent is on, and joins the names of the team', async () => {
    const chat = await aChat();
    const target = { agencyId: 'ours', tenantId: 't1' };
    const set = (body: object) =>
      call(api, 'PUT', '/api/v1/ai-sales-agent/state', { key: ours.dashboardKey, body: { ...target, ...body } });
    expect((await set({ enabled: true })).status).toBe(200);
    const replied = await call(api, 'POST', `/api/v1/inbox/conversations/${chat}/messages`, {
      key: ours.scopedKey,
      body: { text: 'I answer' },
      headers: { 'x-engine-actor': encodeURIComponent('Zoë') },
    });
    expect(replied.status).toBe(202);
    expect((await ours.get(`/api/v1/conversations/${chat}`)).body).toMatchObject({
      mode: 'human_takeover',
      assignedTo: 'Zoë',
      handovers: [{ cause: 'reply', actor: 'Zoë', assignedTo: 'Zoë' }],
    });
    expect(await colleagues()).toContain('Zoë');
  });

  it('is none where it is blank', async () => {
    const chat = await aChat();
    const blank = { 'x-engine-actor': '%20' };
    await call(api, 'POST', `/api/v1/conversations/${chat}/assign`, { key: ours.scopedKey, body: {}, headers: blank });
    expect((await ours.get(`/api/v1/conversations/${chat}`)).body).toMatchObject({ handovers: [{ actor: null }] });
  });

  it('is in the audit of a setting and of the switch of an automation', async () => {
    const target = { agencyId: 'ours', tenantId: 't1' };
    const as = (method: string, path: string, body: object) =>
      call(api, method, path, { key: ours.dashboardKey, body: { ...target, ...body }, headers });
    expect((await as('PUT', '/api/v1/automations/welcome-contact', { enabled: true })).status).toBe(200);
    expect((await as('PUT', '/api/v1/automations/welcome-contact', { enabled: false })).status).toBe(200);
    expect((await as('PUT', '/api/v1/automations/welcome-contact', { enabled: false })).status).toBe(200);
    const { body } = await call(api, 'GET', '/api/v1/audit?object=automation', { key: ours.dashboardKey });
    expect(body['entries']).toMatchObject([
      { objectId: 'welcome-contact', action: 'changed', actor: 'Ödön', detail: {} },
      { objectId: 'welcome-contact', action: 'changed', actor: 'Ödön', detail: { enabled: false } },
      { objectId: 'welcome-contact', action: 'changed', actor: 'Ödön', detail: { enabled: true } },
    ]);
    const rows = await findRows(api.database, 'auditEntry', { actor: 'Ödön' }, ['action']);
    expect(rows).toHaveLength(3);
  });
});
