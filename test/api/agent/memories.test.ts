import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { aSender } from '../sending/a-sender.ts';
import type { Sender } from '../sending/a-sender.ts';

const FACT = { fact: 'Likes blue boats', category: 'context', source: 'ai_extracted' };
const MISSING = 'mem_00000000-0000-7000-8000-000000000000';

const api = await apiOfThisFile('agent-api');
const ours = await aSender(api, 'ours');
const others = await aSender(api, 'others');

describe('memories', () => {
  let phones = 0;

  /** Somebody who was written to. */
  async function somebody(of: Sender = ours) {
    phones += 1;
    const phone = `1555015${String(phones).padStart(4, '0')}`;
    const sent = await of.post('/api/v1/messages/send', { to: phone, text: 'Hello' });
    return { phone, contactId: String(sent.body['contactId']), messageId: String(sent.body['messageId']) };
  }
  const post = (body: object, of: Sender = ours) => of.post('/api/v1/memories', body);
  const list = async (query: Record<string, string> = {}) =>
    (await ours.get(`/api/v1/memories?${new URLSearchParams(query).toString()}`)).body;
  const factsOf = async (query: Record<string, string> = {}) => {
    const { memories } = await list(query);
    return Array.isArray(memories) ? memories.map((memory: { fact: string }) => memory.fact) : [];
  };
  const forget = (id: string, key = ours.scopedKey) => call(api, 'DELETE', `/api/v1/memories/${id}`, { key });
  const idOf = ({ body }: Answer) => String(body['id']);

  it('a scoped key remembers a fact of a contact and gets the record, which is listed and can be forgotten', async () => {
    const { contactId, messageId } = await somebody();
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const created = await post({ ...FACT, contactId, evidenceMessageId: messageId, confidence: 0.8, expiresAt });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^mem_/),
      agencyId: 'ours',
      tenantId: 't1',
      contactId,
      ...FACT,
      evidenceMessageId: messageId,
      confidence: expect.closeTo(0.8, 5),
      expiresAt,
      supersededBy: null,
      createdAt: expect.any(String),
    });
    expect(await list({ contactId })).toEqual({ memories: [created.body], hasMore: false, nextCursor: null });
    expect((await forget(idOf(created))).status).toBe(204);
    expect(await factsOf({ contactId })).toEqual([]);
    expect((await forget(idOf(created))).status).toBe(404);
  });

  it('a dashboard names the tenant, and the contact by phone or chat id; so does the master key', async () => {
    const { phone, contactId } = await somebody();
    const target = { agencyId: 'ours', tenantId: 't1' };
    const byPhone = await ours.post(
      '/api/v1/memories',
      { ...target, ...FACT, contactId: `+${phone}` },
      ours.dashboardKey,
    );
    expect(byPhone.body).toMatchObject({ contactId, tenantId: 't1' });
    const byChat = await ours.post('/api/v1/memories', { ...target, ...FACT, contactId: `${phone}@c.us` }, MASTER_KEY);
    expect(byChat.status).toBe(200);
    expect(byChat.body['id']).toBe(byPhone.body['id']);
    expect(await factsOf({ contactId: `+${phone}` })).toEqual([FACT.fact]);
    expect((await post({ ...FACT, contactId: '+15550159999' })).status).toBe(404);
    expect((await post({ ...FACT, contactId: 'nobody' })).body['code']).toBe('invalid_recipient');
  });

  it('of a contact whom nobody knows, or another tenant, nothing is known', async () => {
    const theirs = await somebody(others);
    await post({ ...FACT, contactId: theirs.contactId }, others);
    const nothing = { memories: [], hasMore: false, nextCursor: null };
    for (const contactId of ['+15550159999', 'con_00000000-0000-7000-8000-000000000000', theirs.contactId]) {
      const answer = await ours.get(`/api/v1/memories?${new URLSearchParams({ contactId }).toString()}`);
      expect(answer).toMatchObject({ status: 200, body: nothing });
    }
  });

  it('category and source are taken in any case, and are the same in all', async () => {
    const { contactId } = await somebody();
    const created = await post({ ...FACT, contactId, category: 'Budget', source: 'CRM' });
    expect(created).toMatchObject({ status: 201, body: { category: 'budget', source: 'crm' } });
    expect(await factsOf({ contactId, category: 'BUDGET' })).toEqual([FACT.fact]);
  });

  it('without a contact it is a fact of the tenant, and listed as such', async () => {
    const { contactId } = await somebody();
    await post({ ...FACT, fact: 'Opens at nine', category: 'hours' });
    await post({ ...FACT, contactId });
    expect(await factsOf()).toEqual(['Opens at nine']);
    expect(await factsOf({ category: 'hours' })).toEqual(['Opens at nine']);
    expect(await factsOf({ category: 'other' })).toEqual([]);
  });

  it('what is known is answered with 200 and not kept twice; a key makes it one request', async () => {
    const { contactId } = await somebody();
    const first = await post({ ...FACT, contactId });
    const again = await post({ ...FACT, contactId, fact: ' likes BLUE boats! ', source: 'manual' });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...first.body, source: 'manual' });
    const headers = { 'idempotency-key': randomUUID() };
    const keyed = () =>
      call(api, 'POST', '/api/v1/memories', {
        key: ours.scopedKey,
        body: { ...FACT, contactId, fact: 'Has a dog' },
        headers,
      });
    const made = await keyed();
    const repeated = await keyed();
    expect([made.status, repeated.status]).toEqual([201, 201]);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(repeated.body).toEqual(made.body);
  });

  it('a fact replaces another of the same contact, which only who asks still sees', async () => {
    const { contactId } = await somebody();
    const old = await post({ ...FACT, contactId, fact: 'Wants one boat' });
    const replaced = await post({ ...FACT, contactId, fact: 'Wants two boats', supersedes: idOf(old) });
    expect(replaced.status).toBe(201);
    expect(await factsOf({ contactId })).toEqual(['Wants two boats']);
    const all = await list({ contactId, includeSuperseded: 'true' });
    expect(all['memories']).toMatchObject([{ supersededBy: null }, { id: idOf(old), supersededBy: idOf(replaced) }]);
    const stranger = await somebody();
    const wrong = [
      { contactId, supersedes: idOf(old) },
      { contactId: stranger.contactId, supersedes: idOf(replaced) },
      { supersedes: idOf(replaced) },
    ];
    for (const body of wrong) {
      const refused = await post({ ...FACT, fact: 'Wants none', ...body });
      expect(refused.status).toBe(422);
      expect(refused.body['errors']).toMatchObject([{ pointer: '/supersedes' }]);
    }
    expect((await post({ ...FACT, contactId, supersedes: MISSING })).status).toBe(404);
  });

  it('lists page by page, newest first', async () => {
    const { contactId } = await somebody();
    for (const number of [1, 2, 3, 4, 5]) await post({ ...FACT, contactId, fact: `Has ${number} boats` });
    const facts: unknown[] = [];
    let cursor: unknown;
    do {
      const query = { contactId, limit: '2', ...(typeof cursor === 'string' ? { cursor } : {}) };
      const page = await list(query);
      facts.push(...(Array.isArray(page['memories']) ? page['memories'] : []));
      expect(page['hasMore']).toBe(page['nextCursor'] !== null);
      cursor = page['nextCursor'];
    } while (cursor !== null);
    expect(facts).toMatchObject([5, 4, 3, 2, 1].map((number) => ({ fact: `Has ${number} boats` })));
    expect((await ours.get('/api/v1/memories?cursor=nonsense')).status).toBe(422);
  });

  it.each([
    ['no fact', { fact: undefined }, '/fact'],
    ['a fact of nothing', { fact: ' \u200B ' }, '/fact'],
    ['a fact that is too long', { fact: 'x'.repeat(301) }, '/fact'],
    ['no category', { category: undefined }, '/category'],
    ['a category that is no slug', { category: 'My Category' }, '/category'],
    ['a source that is no slug', { source: '"><x' }, '/source'],
    ['a confidence above one', { confidence: 2 }, '/confidence'],
    ['an end that is over', { expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
  ])('is refused with %s, by the name of the field', async (_what, change, pointer) => {
    const refused = await post({ ...FACT, ...change });
    expect(refused.status).toBe(422);
    expect(refused.body['errors']).toMatchObject([{ pointer }]);
  });

  it('a fact is one line of what can be seen', async () => {
    const { contactId } = await somebody();
    const kept = await post({ ...FACT, contactId, fact: 'Likes\nbl\u200Bue\t boats \u{E0041}' });
    expect(kept.body['fact']).toBe('Likes blue boats');
  });

  it('evidence is a message with that contact', async () => {
    const { contactId } = await somebody();
    const other = await somebody();
    const refused = await post({ ...FACT, contactId, evidenceMessageId: other.messageId });
    expect(refused.body['errors']).toMatchObject([{ pointer: '/evidenceMessageId' }]);
    const theirs = await somebody(others);
    expect((await post({ ...FACT, contactId, evidenceMessageId: theirs.messageId })).status).toBe(404);
  });

  it('those of another agency are as if they did not exist', async () => {
    const theirs = await somebody(others);
    const kept = await post({ ...FACT, contactId: theirs.contactId }, others);
    const { contactId } = await somebody();
    const nameless = ({ status, body }: Answer) => ({ status, body: { ...body, requestId: 'r', instance: 'i' } });
    const doors = [
      [await forget(idOf(kept)), await forget(MISSING)],
      [await post({ ...FACT, contactId: theirs.contactId }), await post({ ...FACT, contactId: `con_${MISSING}` })],
      [
        await post({ ...FACT, contactId, supersedes: idOf(kept) }),
        await post({ ...FACT, contactId, supersedes: MISSING }),
      ],
    ] as const;
    for (const [found, missing] of doors) {
      expect(found.status).toBe(404);
      expect(nameless(found)).toEqual(nameless(missing));
    }
    expect((await others.get(`/api/v1/memories?contactId=${theirs.contactId}`)).body['memories']).toHaveLength(1);
  });
});

describe("the agent's state", () => {
  const read = (body: object, key: string) => call(api, 'POST', '/api/v1/ai-sales-agent/state', { key, body });

  it('of a tenant that has nothing yet is the one that every tenant begins with', async () => {
    const first = { enabled: false, mode: 'bot_active', silence: 'paused' };
    const asked = [
      await read({ tenantId: 'not-yet' }, ours.dashboardKey),
      await read({ agencyId: 'ours', tenantId: 'not-yet' }, MASTER_KEY),
      await read({}, ours.scopedKey),
    ];
    for (const answer of asked) expect(answer).toMatchObject({ status: 200, body: first });
  });

  it('is told to nobody else, whether the tenant is there or not', async () => {
    const asked = [
      await read({ agencyId: 'others', tenantId: 't1' }, ours.dashboardKey),
      await read({ agencyId: 'others', tenantId: 'not-yet' }, ours.dashboardKey),
      await read({ agencyId: 'nobody', tenantId: 't1' }, ours.dashboardKey),
      await read({ tenantId: 'not-yet' }, ours.scopedKey),
    ];
    const seen = asked.map(({ status, body }) => ({ status, body: { ...body, requestId: 'r' } }));
    expect(seen.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(new Set(seen.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});
