import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';
import { eventually } from './eventually.ts';
import { aWebhookInbox } from './webhook-inbox.ts';

const Chats = z.array(z.looseObject({ id: z.string(), name: z.string().nullable() }));

const Messages = z.array(z.looseObject({ id: z.string() }));

describe('what a simulated account holds', () => {
  let sandbox: ASandbox;
  const session = 'shop';

  beforeEach(async () => {
    sandbox = await aSandbox();
    await sandbox.aWorkingSession(session);
  });

  afterEach(() => sandbox.close());

  const chats = async (query = '') =>
    Chats.parse((await sandbox.get(`/api/${session}/chats/overview?${query}`)).json());

  it('a new account starts with twelve chats, one of them a group and one under a hidden id', async () => {
    const all = await chats('limit=50');
    expect(all).toHaveLength(12);
    expect(all.filter(({ id }) => id.endsWith('@g.us'))).toHaveLength(1);
    expect(all.filter(({ id }) => id.endsWith('@lid'))).toHaveLength(1);
    const posted = await sandbox.post(`/api/${session}/chats/overview`, { pagination: { limit: 3, offset: 2 } });
    expect(posted.status).toBe(201);
    expect(Chats.parse(posted.json()).map(({ id }) => id)).toEqual(all.slice(2, 5).map(({ id }) => id));
  });

  it('the same name and seed give the same past in another sandbox', async () => {
    const twin = await aSandbox();
    await twin.aWorkingSession(session);
    const [chat] = await chats();
    const bodies = async (from: ASandbox) =>
      (await from.messagesOf(session, chat?.id ?? '')).map(({ body, id }) => [id, body]);
    expect(await bodies(twin)).toEqual(await bodies(sandbox));
    await twin.close();
  });

  it('messages are listed newest first, by page, by time and by direction', async () => {
    const newest = await sandbox.messagesOf(session, 'all');
    const times = newest.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const oldest = await sandbox.messagesOf(session, 'all', '&sortOrder=asc');
    expect(oldest.map(({ id }) => id)).toEqual(newest.map(({ id }) => id).toReversed());
    const own = await sandbox.messagesOf(session, 'all', '&filter.fromMe=true');
    expect(new Set(own.map(({ fromMe }) => fromMe))).toEqual(new Set([true]));
    const middle = times[10] ?? 0;
    const since = await sandbox.messagesOf(session, 'all', `&filter.timestamp.gte=${middle}`);
    expect(since.map(({ timestamp }) => timestamp >= middle)).not.toContain(false);
    expect((await sandbox.get(`/api/${session}/chats/all/messages?limit=many`)).status).toBe(400);
  });

  it('a message is found by its full id and by its bare one', async () => {
    const [message] = await sandbox.messagesOf(session, 'all');
    const id = message?.id ?? '';
    const path = `/api/${session}/chats/all/messages`;
    expect((await sandbox.get(`${path}/${id}?downloadMedia=false`)).json()).toMatchObject({ id });
    expect((await sandbox.get(`${path}/${id.split('_')[2]}`)).json()).toMatchObject({ id });
    expect((await sandbox.get(`${path}/3EB0NOTHING`)).json()).toMatchObject({ message: 'Message not found' });
  });

  it('a NOWEB session without its store shows nothing', async () => {
    await sandbox.aWorkingSession('blind', { noweb: null });
    expect((await sandbox.get('/api/blind/chats/overview')).json()).toEqual([]);
    expect(await sandbox.messagesOf('blind', 'all')).toEqual([]);
  });

  it('contacts, hidden ids and labels belong to it', async () => {
    const contacts = await sandbox.get(`/api/contacts/all?session=${session}&sortBy=name`);
    expect(contacts.text).toContain('Alice Example');
    const pairs = z
      .array(z.object({ lid: z.string(), pn: z.string() }))
      .parse((await sandbox.get(`/api/${session}/lids`)).json());
    const [pair] = pairs;
    expect((await sandbox.get(`/api/${session}/lids/${pair?.lid}`)).json()).toEqual(pair);
    const unknown = await sandbox.get(`/api/${session}/lids/pn/15550109999`);
    expect(unknown.json()).toMatchObject({ lid: null });
    const labels = await sandbox.get(`/api/${session}/labels`);
    expect(z.array(z.object({ name: z.string() })).parse(labels.json())).toHaveLength(3);
    const [chat] = await chats();
    await sandbox.call('PUT', `/api/${session}/labels/chats/${chat?.id}`, { labels: [{ id: '3' }] });
    expect((await sandbox.get(`/api/${session}/labels/chats/${chat?.id}`)).json()).toMatchObject([{ id: '3' }]);
    expect((await sandbox.get(`/api/${session}/labels/3/chats`)).text).toContain(chat?.id);
  });

  it('the past comes some time after the link, and no event tells of it', async () => {
    const inbox = await aWebhookInbox();
    const patient = await aSandbox({ historyDelayMs: 60_000 });
    await patient.aWorkingSession(session, { webhooks: [{ url: inbox.url, events: ['*'] }] });
    const overview = () => patient.get(`/api/${session}/chats/overview?limit=50`);
    expect((await overview()).json()).toEqual([]);
    await patient.post(`/sandbox/sessions/${session}/inbound`, { from: '15550100123', text: 'Before the past' });
    await patient.post(`/sandbox/sessions/${session}/history`);
    const all = Chats.parse((await overview()).json());
    expect(all).toHaveLength(13);
    expect(all[0]?.id).toBe('15550100123@c.us');
    await patient.post(`/sandbox/sessions/${session}/inbound`, { from: '15550100123', text: 'After the past' });
    const bodies = () => inbox.of('message.any').map(({ payload }) => String(payload['body']));
    await eventually('both messages', () => bodies().length >= 2);
    expect(bodies().toSorted()).toEqual(['After the past', 'Before the past']);
    const others = inbox.received.filter(({ event }) => !/^(session\.status|message|message\.any)$/.test(event.event));
    expect(others).toEqual([]);
    await patient.close();
    inbox.close();
  });

  it('a long past costs nothing, and is read page by page like any other', async () => {
    const long = await aSandbox();
    await long.aWorkingSession(session, { webhooks: [] });
    await long.post(`/sandbox/sessions/${session}/past`, { chats: 2, messages: 1_000_000 });
    const chatId = '16661000001@c.us';
    const page = async (query: string) =>
      Messages.parse((await long.get(`/api/${session}/chats/${chatId}/messages?${query}`)).json());
    const first = await page('limit=3');
    expect(first.map(({ id }) => id.split('_')[2])).toEqual(
      [1_000_000, 999_999, 999_998].map((n) => `PAST00001${String(n).padStart(9, '0')}`),
    );
    expect(await page('limit=2&offset=1')).toEqual(first.slice(1));
    expect(await page('limit=10&offset=999995')).toHaveLength(5);
    expect(await page('limit=10&offset=1000000')).toEqual([]);
    // A newer message comes before it.
    await long.post(`/sandbox/sessions/${session}/inbound`, { from: '16661000001', text: 'Today' });
    expect((await page('limit=2')).map(({ id }) => id)).toEqual([expect.any(String), first[0]?.id]);
    expect((await page('limit=1&offset=1'))[0]).toEqual(first[0]);
    const listed = Chats.parse((await long.get(`/api/${session}/chats/overview?limit=50`)).json());
    expect(listed[0]?.id).toBe(chatId);
    await long.close();
  });

  it('groups are a map at NOWEB, and one that nobody knows is an exception', async () => {
    const [group] = (await chats('limit=50')).filter(({ id }) => id.endsWith('@g.us'));
    const groups = await sandbox.get(`/api/${session}/groups`);
    expect(groups.json()).toEqual({ [group?.id ?? '']: expect.objectContaining({ id: group?.id }) });
    const unknown = await sandbox.get(`/api/${session}/groups/120363000000000000@g.us`);
    expect(unknown.status).toBe(500);
    expect(unknown.json()).toMatchObject({
      exception: { message: "Group with id '120363000000000000@g.us' not found" },
    });
    await sandbox.post(`/sandbox/sessions/${session}/engine`, { engine: 'GOWS' });
    expect((await sandbox.get(`/api/${session}/groups`)).json()).toMatchObject([{ id: group?.id }]);
  });

  it('a contact that nobody knows is an empty answer', async () => {
    const [chat] = await chats();
    const ask = async (path: string) => {
      const { status, text } = await sandbox.get(path);
      return { status, text };
    };
    expect(await ask(`/api/contacts?session=${session}&contactId=15550109998`)).toEqual({ status: 200, text: '' });
    expect(await ask(`/api/${session}/contacts/15550109998@c.us`)).toEqual({ status: 200, text: '' });
    const named = { firstName: 'Nora', lastName: 'New' };
    const renamed = await sandbox.call('PUT', `/api/${session}/contacts/${chat?.id}`, named);
    expect(renamed.json()).toEqual({ success: true });
    expect((await ask(`/api/${session}/contacts/${chat?.id}`)).text).toContain('"Nora New"');
  });

  it('a label that nobody knows takes the others from the chat', async () => {
    const [chat] = await chats();
    const path = `/api/${session}/labels/chats/${chat?.id}`;
    await sandbox.call('PUT', path, { labels: [{ id: '1' }, { id: '2' }] });
    expect((await sandbox.get(path)).json()).toHaveLength(2);
    const set = await sandbox.call('PUT', path, { labels: [{ id: '99' }] });
    expect({ status: set.status, text: set.text }).toEqual({ status: 200, text: '' });
    expect((await sandbox.get(path)).json()).toEqual([]);
    const twice = await sandbox.post(`/api/${session}/labels`, { name: 'Paid', color: 1 });
    expect(twice.status).toBe(422);
    expect(twice.text).toContain("Label with 'Paid' already exists, id: 3");
    const both = await sandbox.post(`/api/${session}/labels`, { name: 'Both', color: 1, colorHex: '#ff9485' });
    expect(both.status).toBe(422);
  });

  it('the picture of the profile is set and deleted', async () => {
    const path = `/api/${session}/profile/picture`;
    const shown = async () => (await sandbox.get(`/api/${session}/profile`)).text;
    const set = await sandbox.call('PUT', path, { file: { mimetype: 'image/png', data: 'iVBORw0KGgo=' } });
    expect(set.json()).toEqual({ success: true });
    expect(await shown()).toContain('/api/files/');
    expect((await sandbox.call('PUT', path, {})).status).toBe(400);
    expect((await sandbox.call('DELETE', path)).json()).toEqual({ success: true });
    expect(await shown()).toContain('"picture":null');
  });

  it('following somebody’s presence is answered with nothing', async () => {
    const followed = await sandbox.post(`/api/${session}/presence/15550100123@c.us/subscribe`);
    expect({ status: followed.status, text: followed.text }).toEqual({ status: 201, text: '' });
    const seen = await sandbox.get(`/api/${session}/presence/15550100123@c.us`);
    expect(seen.json()).toEqual({ id: '15550100123@c.us', presences: [] });
  });

  it('plays another release of the backend, whose NOWEB blocks and reads about texts', async () => {
    const block = () => sandbox.post('/api/contacts/block', { session, contactId: '15550100123@c.us' });
    const about = () => sandbox.get(`/api/contacts/about?session=${session}&contactId=15550100123@c.us`);
    expect((await sandbox.post('/sandbox/version', { version: 'newest' })).status).toBe(400);
    expect((await sandbox.post('/sandbox/version', { version: '2026.8.1' })).status).toBe(201);
    expect((await sandbox.get('/api/server/version')).json()).toMatchObject({ version: '2026.8.1' });
    expect((await block()).json()).toEqual({ contact: '15550100123@c.us', status: 'blocked' });
    expect((await about()).json()).toEqual({ about: '' });
    await sandbox.post('/sandbox/version', { version: '2026.7.2' });
    expect([(await block()).status, (await about()).status]).toEqual([501, 501]);
  });

  it('blocking is not implemented by NOWEB, and is by WEBJS', async () => {
    const block = () => sandbox.post('/api/contacts/block', { session, contactId: '15550100123@c.us' });
    expect((await block()).status).toBe(501);
    await sandbox.post(`/sandbox/sessions/${session}/engine`, { engine: 'WEBJS' });
    expect((await block()).status).toBe(201);
  });

  it('the profile’s name is changed by PUT only', async () => {
    const path = `/api/${session}/profile/name`;
    expect((await sandbox.post(path, { name: 'Shop' })).status).toBe(404);
    expect((await sandbox.call('PUT', path, { name: 'Shop' })).json()).toEqual({ success: true });
    expect((await sandbox.get(`/api/${session}/profile`)).json()).toMatchObject({ name: 'Shop', picture: null });
  });

  it('a person with a hidden id writes under it, and the phone is told only in the engine’s data', async () => {
    const inbox = await aWebhookInbox();
    const webhooks = [{ url: inbox.url, events: ['message', 'message.any'] }];
    await sandbox.aWorkingSession('hidden', { webhooks });
    const from = '15550100777';
    await sandbox.post('/sandbox/sessions/hidden/inbound', { from, lid: '123456', text: 'Hi', pushName: 'Zoe' });
    await eventually('both events', () => inbox.received.length === 2);
    expect(new Set(inbox.received.map(({ event }) => event.id)).size).toBe(2);
    expect(inbox.of('message')[0]?.payload).toMatchObject({
      from: '123456@lid',
      body: 'Hi',
      _data: { key: { remoteJidAlt: '15550100777@s.whatsapp.net' }, pushName: 'Zoe' },
    });
    inbox.close();
  });

  it('edits, deletions and reactions are told', async () => {
    const inbox = await aWebhookInbox();
    await sandbox.aWorkingSession('changes', { webhooks: [{ url: inbox.url, events: ['*'] }] });
    const control = (deed: string, body: object) => sandbox.post(`/sandbox/sessions/changes/${deed}`, body);
    await control('inbound', { from: '15550100123', text: 'Helo', id: '3A01' });
    await control('edit', { id: '3A01', text: 'Hello' });
    await control('reaction', { id: '3A01', from: '15550100123', text: '👍' });
    await control('revoke', { id: '3A01' });
    await eventually('the last of them', () => inbox.of('message.revoked')[0]);
    expect(inbox.of('message.edited')[0]?.payload).toMatchObject({ body: 'Hello', editedMessageId: '3A01' });
    expect(inbox.of('message.reaction')[0]?.payload).toMatchObject({ reaction: { text: '👍' } });
    expect(inbox.of('message.revoked')[0]?.payload).toMatchObject({ revokedMessageId: '3A01', before: null });
    inbox.close();
  });
});
