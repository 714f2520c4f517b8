import { beforeAll, describe, expect, it } from '@jest/globals';
import { endRehearsal } from '../../../db/agent/rehearsal.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, countRows, findRows, not } from '../../support/rows.ts';
import { aSender } from '../sending/a-sender.ts';

const GIVEN = { messages: [{ from: 'contact', text: 'Do you have boats?' }] };
const RESULT = {
  variant: 'persona' as const,
  run: 1,
  persona: { name: 'Assistant', model: 'sandbox-model' },
  decision: 'reply' as const,
  handoffReason: null,
  reply: 'Yes.',
  parts: ['Yes.'],
  notes: [],
  model: 'sandbox-model',
  tokens: { input: 1, output: 1 },
  costMicros: null,
  ms: 1,
};

const api = await apiOfThisFile('agent-api');
const ours = await aSender(api, 'ours');
const others = await aSender(api, 'others');

describe('what the agent is told, and would say', () => {
  let conversationId: string;

  beforeAll(async () => {
    const sent = await ours.send({ to: '15550160001', text: 'Hello from us' });
    conversationId = sent.conversationId;
    const { contactId } = (await ours.post('/api/v1/messages/send', { conversationId, text: 'Are you there?' })).body;
    await ours.post('/api/v1/memories', { contactId, fact: 'Sails alone', category: 'context', source: 'manual' });
    await ours.post('/api/v1/memories', { fact: 'Opens at nine', category: 'context', source: 'manual' });
  });

  const rehearse = (body: object, headers: Record<string, string> = {}, key = ours.scopedKey) =>
    call(api, 'POST', '/api/v1/ai/rehearse', { key, body, headers });

  it('a dashboard gets the prompt of a conversation, with what it was made of', async () => {
    const persona = { agentName: 'Ada', systemPrompt: 'You sell boats.' };
    await call(api, 'PUT', '/api/v1/ai-sales-agent/persona', { key: ours.scopedKey, body: persona });
    const target = { agencyId: 'ours', tenantId: 't1' };
    const context = await ours.post('/api/v1/ai/inbox-context', { ...target, conversationId }, ours.dashboardKey);
    expect(context.status).toBe(200);
    expect(context.body).toEqual({
      systemPrompt: expect.stringMatching(
        /^You sell boats\.[\s\S]*Your name is Ada\.[\s\S]*Opens at nine[\s\S]*Sails alone[\s\S]*Hello from us/,
      ),
      instructions: expect.stringMatching(/^You sell boats\.(?![\s\S]*Sails alone)/),
      promptMessages: [
        { role: 'user', content: expect.stringContaining('Sails alone') },
        { role: 'assistant', content: 'Hello from us\nAre you there?' },
        { role: 'user', content: expect.any(String) },
      ],
      memories: [
        ['Opens at nine', null],
        ['Sails alone', expect.stringMatching(/^con_/)],
      ].map(([fact, contactId]) => ({
        id: expect.any(String),
        contactId,
        fact,
        category: 'context',
        source: 'manual',
        confidence: null,
      })),
      messages: ['Hello from us', 'Are you there?'].map((body) => ({
        messageId: expect.stringMatching(/^msg_/),
        direction: 'out',
        kind: 'text',
        body,
        timestamp: expect.any(Number),
        media: null,
      })),
      contactId: expect.stringMatching(/^con_/),
      conversationId,
    });
  });

  it('a persona whose instructions leave no room for a conversation is refused', async () => {
    const put = (systemPrompt: string) =>
      call(api, 'PUT', '/api/v1/ai-sales-agent/persona', { key: others.scopedKey, body: { systemPrompt } });
    const refused = await put('長'.repeat(15_000));
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/systemPrompt' }] } });
    expect((await put('x'.repeat(20_000))).status).toBe(200);
  });

  it('a conversation of another agency is as if it did not exist', async () => {
    for (const path of ['/api/v1/ai/inbox-context', '/api/v1/ai/rehearse']) {
      const found = await others.post(path, { conversationId });
      const missing = await others.post(path, { conversationId: 'cnv_00000000-0000-7000-8000-000000000000' });
      expect([found.status, missing.status]).toEqual([404, 404]);
      expect({ ...found.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    }
    expect(await countRows(api.database, 'rehearsal', { agencyId: 'others' })).toBe(0);
  });

  it('a rehearsal is answered when it has ended, and can be read again by its own tenant', async () => {
    const answered = rehearse({ conversationId });
    const id = await eventually(async () => {
      const [row] = await findRows(api.database, 'rehearsal', { status: 'running' }, ['id']);
      return row?.id;
    });
    await api.database.transaction((tx) => endRehearsal(tx, id, { results: [RESULT] }));
    const { status, body } = await answered;
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      status: 'done',
      results: [RESULT],
      createdAt: expect.any(String),
      endedAt: expect.any(String),
    });
    expect((await ours.get(`/api/v1/ai/rehearsals/${id}`)).body).toEqual(body);
    expect((await others.get(`/api/v1/ai/rehearsals/${id}`)).status).toBe(404);
  });

  it('one that takes longer is promised: its place is told, a repeated request gets the same, ids alone go to Temporal', async () => {
    const headers = { prefer: 'respond-async', 'idempotency-key': 'rehearsal-1' };
    const first = await rehearse(GIVEN, headers);
    const second = await rehearse(GIVEN, headers);
    const id = String(first.body['id']);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.body).toEqual(first.body);
    expect(first.headers.get('location')).toBe(`/api/v1/ai/rehearsals/${id}`);
    expect((await ours.get(`/api/v1/ai/rehearsals/${id}`)).body).toMatchObject({ id, status: 'running', results: [] });
    expect(
      await findRows(
        api.database,
        'dispatch',
        { workflowId: `rehearsal/${id}` },
        { id: 'workflowId', args: 'args', summary: 'summary' },
      ),
    ).toEqual([{ id: `rehearsal/${id}`, args: [id], summary: 'AI rehearsal · agency ours' }]);
    await api.database.transaction((tx) => endRehearsal(tx, id, { errorCode: 'internal' }));
    const failed = await ours.get(`/api/v1/ai/rehearsals/${id}`);
    expect(failed.body).toMatchObject({ status: 'failed', error: { code: 'internal' } });
  });

  it('the sixth at a time is refused until one of the tenant has ended, and all go after what customers wait for', async () => {
    const headers = { prefer: 'respond-async' };
    const five = await Promise.all(Array.from({ length: 5 }, () => rehearse(GIVEN, headers)));
    expect(five.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    const sixth = await rehearse(GIVEN, headers);
    expect(sixth).toMatchObject({ status: 429, body: { code: 'too_many_rehearsals' } });
    expect(sixth.headers.get('retry-after')).toBe('10');
    expect((await rehearse(GIVEN, headers, others.scopedKey)).status).toBe(202);
    expect(await countRows(api.database, 'dispatch', { workflowType: 'rehearse', priority: not(5) })).toBe(0);
    const ended = five.map(({ body }) => String(body['id']));
    await api.database.transaction((tx) => endRehearsal(tx, ended[0] ?? '', { errorCode: 'internal' }));
    expect((await rehearse(GIVEN, headers)).status).toBe(202);
    await changeRows(api.database, 'rehearsal', { status: 'done' }, { status: 'running' });
  });

  it('of an agency leave places for those of others, however many tenants it has', async () => {
    const key = ours.dashboardKey;
    const statuses: number[] = [];
    for (const tenantId of ['many1', 'many2', 'many3']) {
      await call(api, 'PUT', `/api/v1/tenants/${tenantId}/settings`, { key, body: { country: 'DE' } });
      for (let asked = 0; asked < 5; asked += 1) {
        const body = { ...GIVEN, agencyId: 'ours', tenantId };
        statuses.push((await rehearse(body, { prefer: 'respond-async' }, key)).status);
      }
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(10);
    expect(statuses.slice(10)).toEqual([429, 429, 429, 429, 429]);
    expect((await rehearse(GIVEN, { prefer: 'respond-async' }, others.scopedKey)).status).toBe(202);
    await changeRows(api.database, 'rehearsal', { status: 'done' }, { status: 'running' });
  });

  it.each([
    ['neither a conversation nor messages', {}, '/messages'],
    ['both', { ...GIVEN, conversationId: 'cnv_1' }, '/messages'],
    [
      'a model that is not configured',
      { ...GIVEN, compareWith: { modelChoice: 'gpt-99' } },
      '/compareWith/modelChoice',
    ],
    ['a persona out of its bounds', { ...GIVEN, persona: { temperature: 9 } }, '/persona/temperature'],
    ['more runs than three', { ...GIVEN, repeat: 4 }, '/repeat'],
  ])('is refused with %s, by the name of the field', async (_what, body, pointer) => {
    const refused = await rehearse(body);
    expect(refused.status).toBe(422);
    expect(refused.body['errors']).toMatchObject([{ pointer }]);
  });
});
