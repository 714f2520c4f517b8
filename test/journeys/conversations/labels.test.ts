import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { BACKEND_KEY } from '../../support/keys.ts';
import { countRows, like, not, untilCount, untilRows } from '../../support/rows.ts';
import { send } from '../../support/sends.ts';

const Ids = z.array(z.object({ id: z.string() })).transform((labels) => labels.map(({ id }) => id).toSorted());
const Chats = z.object({ chats: z.array(z.object({ chatId: z.string(), labels: Ids })), total: z.int() });
const Labelled = z.object({ labels: Ids });

describe('labels', () => {
  let engine: TestEngine;
  let agency: Agency;
  let people = 0;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'labels' });
    const hook = { url: 'http://127.0.0.1:9/in', events: ['conversation.labelled'] };
    await call(engine, 'POST', '/api/v1/webhooks/endpoints', { key: agency.dashboardKey, body: hook });
    await untilCount(engine.database, 'session', { syncedAt: not(null) });
  });
  afterAll(() => engine.close());
  afterEach(() => engine.control('DELETE', '/faults'));

  const path = (rest = '') => `/api/v1/sessions/${agency.session.id}/labels${rest}`;
  const get = (route: string) => call(engine, 'GET', route, { key: agency.scopedKey });
  const set = (body: object, key = agency.scopedKey) => call(engine, 'POST', path('/set'), { key, body });
  const chats = async (query = '') => Chats.parse((await get(`/api/v1/inbox/chats?limit=100${query}`)).body);
  const shown = async (chatId: string) => (await chats()).chats.find((chat) => chat.chatId === chatId)?.labels;

  /** Acts beside the engine, as a client of the backend or a person at the phone does. */
  async function beside(method: string, rest: string, body?: object): Promise<unknown> {
    const response = await fetch(`${engine.sandbox.url}/api/${agency.session.name}/labels${rest}`, {
      method,
      headers: { 'x-api-key': BACKEND_KEY, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return text === '' ? null : JSON.parse(text);
  }
  const atNetwork = async (chatId: string) => Ids.parse(await beside('GET', `/chats/${chatId}`));

  /** Somebody who was written to. */
  async function aChat(): Promise<{ chatId: string; conversationId: string; contactId: string }> {
    people += 1;
    const phone = `155504${10_000 + people}`;
    await send(engine, agency, phone, 'Hello');
    const { body } = await get('/api/v1/inbox/chats?limit=100');
    const Full = z.object({
      chats: z.array(z.object({ chatId: z.string(), conversationId: z.string(), contactId: z.string().nullable() })),
    });
    const found = Full.parse(body).chats.find(({ chatId }) => chatId === `${phone}@c.us`);
    if (!found || found.contactId === null) throw new Error('The chat is not in the list.');
    return { ...found, contactId: found.contactId };
  }

  it('a dashboard sees those that the account and its chats had before, and lists chats by them', async () => {
    const { body } = await get(path());
    expect(body['labels']).toEqual(
      expect.arrayContaining([{ id: '1', name: expect.any(String), color: 0, colorHex: expect.stringMatching(/^#/) }]),
    );
    const ofAll = (await chats()).chats.flatMap(({ labels }) => (labels.length > 0 ? [labels] : []));
    expect(ofAll.toSorted((one, other) => one.length - other.length)).toEqual([['1'], ['1', '2']]);
    const found = [await chats('&label=1'), await chats('&label=2'), await chats('&label=99')];
    expect(found.map(({ total }) => total)).toEqual([2, 1, 0]);
    expect(found[0]?.chats.every(({ labels }) => labels.includes('1'))).toBe(true);
  });

  it('a dashboard sets them by conversation, contact or chat: in place of the others, beside them, or off', async () => {
    const { chatId, conversationId, contactId } = await aChat();
    const steps = [
      [{ conversationId, labelIds: ['1', '2'] }, ['1', '2']],
      [{ contactId, labelIds: ['3'], mode: 'add' }, ['1', '2', '3']],
      [{ chatId, labelIds: ['1', '3'], mode: 'remove' }, ['2']],
      [{ chatId, labelIds: ['1'], mode: 'replace' }, ['1']],
      [{ chatId, labelIds: [] }, []],
    ] as const;
    for (const [body, after] of steps) {
      const answer = await set(body);
      expect(answer).toMatchObject({ status: 200, body: { success: true, chatId, conversationId, contactId } });
      expect(Labelled.parse(answer.body).labels).toEqual(after);
      expect(await atNetwork(chatId)).toEqual(after);
      expect(await shown(chatId)).toEqual(after);
      const { body: read } = await get(`/api/v1/conversations/${conversationId}`);
      expect(read['labels']).toMatchObject(after.map((id) => ({ id, name: expect.any(String) })));
    }
    await eventually(
      async () =>
        (await countRows(engine.database, 'event', {
          type: 'conversation.labelled',
          conversationId,
          body: like('%"labels":[]%'),
        })) > 0,
    );
  });

  it('changes of one chat at the same time are all there in the end', async () => {
    const { chatId } = await aChat();
    const names = Array.from({ length: 8 }, (_, index) => `Crowd ${index}`);
    const made: string[] = [];
    for (const name of names) made.push(z.object({ id: z.string() }).parse(await beside('POST', '', { name })).id);
    const change = (mode: string) =>
      Promise.all(made.map((id) => set({ chatId, labelIds: [id], mode }, agency.scopedKey)));
    expect((await change('add')).map(({ status }) => status)).toEqual(made.map(() => 200));
    expect(await atNetwork(chatId)).toEqual(made.toSorted());
    expect(await shown(chatId)).toEqual(made.toSorted());
    expect((await change('remove')).map(({ status }) => status)).toEqual(made.map(() => 200));
    expect(await atNetwork(chatId)).toEqual([]);
    expect(await countRows(engine.database, 'labelLease')).toBe(0);
  });

  it('ids that the account does not have are refused with those that it has, and nothing is taken off', async () => {
    const { chatId } = await aChat();
    await set({ chatId, labelIds: ['1'] });
    for (const mode of ['replace', 'add', 'remove']) {
      expect((await set({ chatId, labelIds: ['1', '99'], mode })).body).toMatchObject({
        status: 422,
        code: 'invalid_request',
        detail: expect.stringMatching(/labels 1, 2, 3/),
        errors: [{ pointer: '/labelIds/1' }],
      });
    }
    expect(await atNetwork(chatId)).toEqual(['1']);
  });

  it('what is changed on the phone is shown, renamed and taken away', async () => {
    const { chatId } = await aChat();
    const made = z.object({ id: z.string() }).parse(await beside('POST', '', { name: 'Phone' }));
    await beside('PUT', `/chats/${chatId}`, { labels: [{ id: made.id }, { id: '2' }] });
    await eventually(async () => (await shown(chatId))?.join() === ['2', made.id].toSorted().join());
    await beside('DELETE', `/${made.id}`);
    await eventually(async () => (await shown(chatId))?.join() === '2');
    expect(JSON.stringify((await get(path())).body)).not.toContain('Phone');
  });

  it('what is changed on the phone just after a change by API is shown', async () => {
    const { chatId } = await aChat();
    await set({ chatId, labelIds: ['1', '2'] });
    await untilRows(
      engine.database,
      sql`chat_label where chat_id = ${chatId} and told_at = date_trunc('milliseconds', told_at)`,
      2,
    );
    await beside('PUT', `/chats/${chatId}`, { labels: [{ id: '2' }] });
    await eventually(async () => (await shown(chatId))?.join() === '2');
  });

  it('of nobody, of others and without a chat are refused, and an engine without labels says so', async () => {
    const stranger = await anAgencyWithScopedKey(engine, { agencyId: 'label-strangers' });
    const theirs = await call(engine, 'POST', '/api/v1/messages/send', {
      key: stranger.scopedKey,
      body: { to: '15550499999', text: 'x' },
    });
    const seen = async (body: object) => {
      const answer = await set({ labelIds: ['1'], ...body });
      return { status: answer.status, body: { ...answer.body, requestId: 'r' } };
    };
    const [contactId, conversationId] = [theirs.body['contactId'], theirs.body['conversationId']];
    const nobodys = '00000000-0000-7000-8000-000000000000';
    expect(await seen({ contactId })).toEqual(await seen({ contactId: `con_${nobodys}` }));
    expect(await seen({ conversationId })).toEqual(await seen({ conversationId: `cnv_${nobodys}` }));
    expect(await seen({ contactId })).toMatchObject({ status: 404, body: { errors: [{ pointer: '/contactId' }] } });
    expect(await seen({ conversationId })).toMatchObject({ status: 404 });
    expect(await seen({})).toMatchObject({ status: 422, body: { code: 'recipient_required' } });
    expect(await seen({ chatId: 'bob' })).toMatchObject({ status: 422, body: { code: 'invalid_recipient' } });
    const session = agency.session.name;
    await engine.control('POST', '/faults', { route: 'labels', kind: 'plusOnly', count: 2, session });
    expect((await get(path())).body).toMatchObject({ status: 501, code: 'not_supported_by_engine' });
    expect(await seen({ chatId: '15550499999@c.us' })).toMatchObject({ status: 501 });
  });
});
