import { describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { StreamReader } from '../../support/event-stream.ts';
import { countRows } from '../../support/rows.ts';
import { aSender, somebody } from '../sending/a-sender.ts';
import type { Sender } from '../sending/a-sender.ts';

const MISSING = 'nte_00000000-0000-7000-8000-000000000000';

const api = await apiOfThisFile('notes-api');
const ours = await aSender(api, 'ours');
const others = await aSender(api, 'others');

/** Somebody who was written to. */
async function aContact(of: Sender = ours) {
  const { contactId, conversationId } = await of.send({ to: somebody(), text: 'Hello' });
  return { contactId: contactId ?? '', conversationId };
}
const list = async (contactId: string, query = '') =>
  (await ours.get(`/api/v1/notes?contactId=${contactId}${query}`)).body;
const change = (id: string, body: object, key = ours.scopedKey) =>
  call(api, 'PATCH', `/api/v1/notes/${id}`, { key, body });
const drop = (id: string, headers: Record<string, string> = {}, key = ours.scopedKey) =>
  call(api, 'DELETE', `/api/v1/notes/${id}`, { key, headers });

describe('notes of a team', () => {
  it('are added with text, author and time, listed newest first, changed and deleted', async () => {
    const { contactId, conversationId } = await aContact();
    const first = await ours.post('/api/v1/notes', { contactId, text: ' Pays late ', author: 'Ada' });
    expect(first).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^nte_/),
        agencyId: 'ours',
        tenantId: 't1',
        contactId,
        text: 'Pays late',
        author: 'Ada',
        createdAt: expect.any(String),
        updatedAt: first.body['createdAt'],
      },
    });
    const second = await ours.post('/api/v1/notes', { conversationId, text: 'Calls on Mondays' });
    expect(second.body).toMatchObject({ contactId, author: null });
    expect(await list(contactId)).toEqual({ notes: [second.body, first.body], hasMore: false, nextCursor: null });
    const page = await list(contactId, '&limit=1');
    expect(page).toMatchObject({ notes: [second.body], hasMore: true });
    expect(await list(contactId, `&limit=1&cursor=${String(page['nextCursor'])}`)).toMatchObject({
      notes: [first.body],
      hasMore: false,
    });

    const id = String(first.body['id']);
    const changed = await change(id, { text: 'Pays in time' });
    expect(changed).toMatchObject({ status: 200, body: { id, text: 'Pays in time', author: 'Ada' } });
    expect(String(changed.body['updatedAt']) > String(first.body['createdAt'])).toBe(true);
    expect((await drop(id)).status).toBe(204);
    expect(await list(contactId)).toMatchObject({ notes: [second.body] });
    expect((await drop(id)).status).toBe(404);
    expect((await change(id, { text: 'Again' })).status).toBe(404);
  });

  it('carry the name that the request gives, and the audit names who wrote, changed and deleted them', async () => {
    const { contactId } = await aContact();
    const headers = { 'x-engine-actor': encodeURIComponent('Zoë Visser') };
    const added = await call(api, 'POST', '/api/v1/notes', {
      key: ours.scopedKey,
      body: { contactId, text: 'Wants a call' },
      headers,
    });
    expect(added.body).toMatchObject({ author: 'Zoë Visser' });
    const id = String(added.body['id']);
    await call(api, 'PATCH', `/api/v1/notes/${id}`, {
      key: ours.scopedKey,
      body: { text: 'Wants a mail' },
      headers: { 'x-engine-actor': 'Bo' },
    });
    await drop(id, { 'x-engine-actor': 'Cy' });
    const { body } = await call(api, 'GET', `/api/v1/audit?objectId=${id}`, { key: ours.dashboardKey });
    expect(body['entries']).toMatchObject([
      { object: 'note', action: 'deleted', actor: 'Cy' },
      { object: 'note', action: 'changed', actor: 'Bo' },
      { object: 'note', action: 'created', actor: 'Zoë Visser' },
    ]);
    expect(JSON.stringify(body)).not.toContain('Wants');
    const refused = await drop(id, { 'x-engine-actor': '%E0%A4%A' });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: 'header/X-Engine-Actor' }] } });
  });

  it('reach neither the prompt of the agent nor any event', async () => {
    const { contactId, conversationId } = await aContact();
    await ours.post('/api/v1/notes', { contactId, text: 'A difficult person, nougat' });
    const context = await ours.post('/api/v1/ai/inbox-context', { conversationId });
    expect(context.status).toBe(200);
    expect(JSON.stringify(context.body)).not.toContain('nougat');
    const { body } = await call(api, 'GET', '/api/v1/webhooks/events', { key: ours.dashboardKey });
    expect(JSON.stringify(body)).not.toContain('nougat');
    expect(await countRows(api.database, 'note', { contactId })).toBe(1);
  });

  it('are live for a stream that asks for hints, and silent for all others', async () => {
    const { contactId, conversationId } = await aContact();
    const open = (key: string, query: string) =>
      StreamReader.open(`${api.url}/api/v1/events/stream?${query}`, { 'x-api-key': key });
    const reader = await open(ours.scopedKey, 'hints=true');
    const stranger = await open(others.scopedKey, 'hints=true');
    const deaf = await open(ours.scopedKey, '');
    for (const each of [reader, stranger, deaf]) await each.untilReady();
    await ours.post('/api/v1/notes', { contactId, text: 'News' });
    const [hint] = (await reader.until(({ event }) => event === 'hint')).slice(-1);
    expect(hint?.data).toEqual({ conversationId, what: 'notes' });
    await others.post('/api/v1/notes', { contactId: (await aContact(others)).contactId, text: 'Theirs' });
    const heard = await stranger.until(({ event }) => event === 'hint');
    expect(heard.filter(({ event }) => event === 'hint')).toHaveLength(1);
    expect(JSON.stringify(heard)).not.toContain(conversationId);
    await ours.post(`/api/v1/conversations/${conversationId}/assign`, { assignee: 'Ada' });
    const silent = await deaf.until(({ event }) => event === 'conversation.assigned');
    expect(silent.filter(({ event }) => event === 'hint')).toEqual([]);
    for (const each of [reader, stranger, deaf]) each.leave();
  });

  it('stay with their contact: no other agency, and no session that does not know them, sees or changes one', async () => {
    const { contactId, conversationId } = await aContact();
    const { id } = (await ours.post('/api/v1/notes', { contactId, text: 'Ours' })).body;
    const theirs = await aContact(others);
    expect((await others.get(`/api/v1/notes?contactId=${contactId}`)).body).toMatchObject({ notes: [] });
    expect((await change(String(id), { text: 'Taken' }, others.scopedKey)).status).toBe(404);
    expect((await drop(String(id), {}, others.scopedKey)).status).toBe(404);
    expect((await others.post('/api/v1/notes', { contactId, text: 'Mine' })).status).toBe(404);
    const mixed = { contactId: theirs.contactId, conversationId, text: 'Mixed' };
    expect((await ours.post('/api/v1/notes', mixed)).status).toBe(404);

    const second = await ours.post(
      '/api/v1/sessions',
      { agencyId: 'ours', tenantId: 't1', name: 'second' },
      ours.dashboardKey,
    );
    const key = { agencyId: 'ours', tenantId: 't1', name: 'of the second', sessionId: second.body['id'] };
    const made = await ours.post('/api/v1/api-keys', key, ours.dashboardKey);
    const scoped = String(made.body['apiKey']);
    const seen = await call(api, 'GET', `/api/v1/notes?contactId=${contactId}`, { key: scoped });
    expect(seen).toMatchObject({ status: 200, body: { notes: [] } });
    expect((await change(String(id), { text: 'Taken' }, scoped)).status).toBe(404);
    expect((await drop(String(id), {}, scoped)).status).toBe(404);
    expect(await countRows(api.database, 'note', { text: 'Ours' })).toBe(1);
  });

  it('are refused without a contact, a text, or with a text that is too long', async () => {
    const { contactId } = await aContact();
    const add = async (body: object) => (await ours.post('/api/v1/notes', body)).status;
    expect(await add({ contactId, text: '  ' })).toBe(422);
    expect(await add({ contactId, text: 'x'.repeat(4_001) })).toBe(422);
    expect(await add({ contactId, text: 'a\u0000b' })).toBe(422);
    expect(await add({ text: 'About nobody' })).toBe(422);
    expect((await ours.get('/api/v1/notes')).status).toBe(422);
    expect((await change(MISSING, { text: 'Nothing' })).status).toBe(404);
    expect((await drop(MISSING)).status).toBe(404);
  });
});
