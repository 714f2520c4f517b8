import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { workflowId } from '../../../domain/names.ts';
import { anAgencyWithScopedKey, call, registerDashboard } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { above, among, countRows, findRows, fromColumn, like, not, untilCount } from '../../support/rows.ts';
import { modelCalls, personWrites, textsSeenBy } from '../../support/sandbox-record.ts';
import { historiesOf } from '../../support/temporal-histories.ts';

const CANARY = 'Quokka-7731';

describe('the AI sales agent', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'ai' });
    // The script is for answers; memories have their own tests.
    await persona('PUT', { extractMemories: false });
  });
  afterAll(() => engine.close());
  beforeEach(() => engine.control('DELETE', '/llm'));

  const state = (method: string, body: object = {}) =>
    call(engine, method, '/api/v1/ai-sales-agent/state', { key: agency.scopedKey, body });
  const persona = (method: string, body: object = {}) =>
    call(engine, method, '/api/v1/ai-sales-agent/persona', { key: agency.scopedKey, body });
  const say = (from: string, text: string, pushName = 'Somebody') =>
    personWrites(engine, agency.session.name, { from, text, pushName });
  const heard = (phone: string) => textsSeenBy(engine, agency.session.name, `${phone}@c.us`);
  const script = (...replies: object[]) => engine.control('POST', '/llm/script', { replies });
  const turnsOf = (phone: string) =>
    findRows(
      engine.database,
      'aiTurn',
      { conversationId: among('conversation', { chatId: `${phone}@c.us` }) },
      ['id', 'outcome', 'silenceCode', 'model', 'messageId'],
      ['startedAt', 'id'],
    );
  const conversationOf = async (phone: string) => {
    const [row] = await eventually(async () => {
      const found = await findRows(engine.database, 'conversation', { chatId: `${phone}@c.us` }, ['id']);
      return found.length > 0 && found;
    });
    return row?.id ?? '';
  };
  const workflowOf = async (phone: string) =>
    engine.temporal.workflow.getHandle(workflowId('aiConversation', await conversationOf(phone)));
  const untilTurns = (phone: string, ...outcomes: string[]) =>
    eventually(
      async () => {
        const turns = await turnsOf(phone);
        return JSON.stringify(turns.map(({ outcome }) => outcome)) === JSON.stringify(outcomes) && turns;
      },
      { what: `turns ${outcomes.join()}` },
    );

  it('a dashboard reads the state by POST and changes it by PUT', async () => {
    expect((await state('POST')).body).toEqual({ enabled: false, mode: 'bot_active', silence: 'paused' });
    const target = { agencyId: agency.agencyId, tenantId: agency.tenantId };
    const changed = await call(engine, 'PUT', '/api/v1/ai-sales-agent/state', {
      key: agency.dashboardKey,
      body: { ...target, enabled: true, mode: 'human_takeover' },
    });
    expect(changed.body).toEqual({ enabled: true, mode: 'human_takeover', silence: 'human', inFlight: [] });
    expect((await state('POST')).body).toEqual({ enabled: true, mode: 'human_takeover', silence: 'human' });
    const answers = { enabled: true, mode: 'bot_active', silence: null };
    expect((await state('PUT', { mode: 'bot_active' })).body).toMatchObject(answers);
    expect((await state('PUT', { mode: 'asleep' })).status).toBe(422);
  });

  it('a dashboard reads the persona by POST, writes it by PUT and learns which models there are', async () => {
    const before = await persona('POST');
    expect(before.body).toMatchObject({ agencyId: 'ai', tenantId: 't1', modelChoice: 'sandbox-model', active: true });
    const written = await persona('PUT', { agentName: 'Ada', systemPrompt: 'You sell boats.', quietPeriodMs: 60 });
    expect(written.body).toEqual({
      ...before.body,
      inFlight: [],
      agentName: 'Ada',
      systemPrompt: 'You sell boats.',
      quietPeriodMs: 60,
    });
    const { inFlight: _inFlight, ...saved } = written.body;
    expect((await persona('POST')).body).toEqual(saved);
    const unknown = await persona('PUT', { modelChoice: 'gpt-99' });
    expect(unknown.status).toBe(422);
    expect(unknown.body).toMatchObject({
      code: 'invalid_request',
      detail: expect.stringContaining('sandbox-model'),
      errors: [{ pointer: '/modelChoice' }],
    });
    expect((await persona('PUT', { temperature: 3 })).status).toBe(422);
  });

  it('the agent answers an inbound message once, through the model and with the persona, and the turn is on record', async () => {
    await script({ text: 'Yes, two boats.' });
    await say('15550100401', 'Do you have boats?');
    const [turn] = await untilTurns('15550100401', 'reply');
    expect(turn).toMatchObject({
      model: 'sandbox-model',
      messageId: expect.stringMatching(/^msg_/),
      silenceCode: null,
    });
    await eventually(async () => (await heard('15550100401')).length === 1);
    expect(await heard('15550100401')).toEqual(['Yes, two boats.']);
    const [prompt] = await modelCalls(engine);
    expect(prompt?.[0]).toMatchObject({ role: 'system', content: expect.stringContaining('You sell boats.') });
    expect(prompt?.at(-1)).toEqual({ role: 'user', content: expect.stringContaining('>Do you have boats?<') });
  });

  it('a dashboard reads the turns of a conversation, and those of another tenant do not exist for it', async () => {
    const path = `/api/v1/conversations/${await conversationOf('15550100401')}/turns`;
    const listed = await call(engine, 'GET', path, { key: agency.scopedKey });
    expect(listed.body).toMatchObject({
      turns: [
        {
          outcome: 'reply',
          silence: null,
          model: 'sandbox-model',
          restarts: 0,
          inboundMessageIds: [expect.any(String)],
        },
      ],
      hasMore: false,
      nextCursor: null,
    });
    const [turn] = await turnsOf('15550100401');
    const one = await call(engine, 'GET', `${path}/${turn?.id}`, { key: agency.scopedKey });
    expect(listed.body['turns']).toEqual([one.body]);
    const stranger = await registerDashboard(engine, { agencyId: 'stranger', dashboardUrl: 'http://127.0.0.1:9/' });
    const target = '?agencyId=stranger&tenantId=t1';
    expect((await call(engine, 'GET', path + target, { key: stranger })).status).toBe(404);
    expect((await call(engine, 'GET', `${path}/${turn?.id}${target}`, { key: stranger })).status).toBe(404);
  });

  it('a dashboard sees who wrote what, whom it is with and the last turn where it reads the conversation', async () => {
    const id = await conversationOf('15550100401');
    const get = (path: string) => call(engine, 'GET', path, { key: agency.scopedKey });
    const { body } = await get(`/api/v1/inbox/conversations/${id}/messages`);
    expect(body['messages']).toMatchObject([
      { body: 'Yes, two boats.', fromMe: true, origin: 'ai' },
      { body: 'Do you have boats?', fromMe: false, origin: 'network' },
    ]);
    // The answer reads the chat once it is recorded.
    await eventually(async () => (await get(`/api/v1/conversations/${id}`)).body['unreadCount'] === 0);
    expect((await get(`/api/v1/conversations/${id}`)).body).toMatchObject({
      conversationId: id,
      unreadCount: 0,
      contact: { phone: '15550100401' },
      lastTurn: { outcome: 'reply', model: 'sandbox-model' },
    });
  });

  it('the agent stays out of a group, on record at once', async () => {
    const group = '120363000000000401@g.us';
    const event = { from: '15550100499', chatId: group, text: 'Anybody there?' };
    await engine.control('POST', `/sessions/${agency.session.name}/inbound`, event);
    await untilCount(engine.database, 'aiTurn', {
      conversationId: among('conversation', { chatId: group }),
      silenceCode: 'group',
    });
  });

  it('the agent reads the conversation in the order in which it was held', async () => {
    const person = '15550100402';
    const lines = ['one', 'two', 'three'];
    for (const [index, line] of lines.entries()) {
      await script({ text: `re ${line}` });
      await say(person, line);
      await untilTurns(person, ...lines.slice(0, index + 1).map(() => 'reply'));
      await eventually(async () => (await heard(person)).length === index + 1);
      // Until it is recorded, the next message comes before it.
      await untilCount(
        engine.database,
        'message',
        {
          conversationId: among('conversation', { chatId: `${person}@c.us` }),
          direction: 'out',
          status: ['sent', 'delivered', 'read'],
        },
        index + 1,
      );
    }
    const said = (await modelCalls(engine))
      .at(-1)
      ?.slice(1)
      .map(({ content }) => content)
      .join('\n');
    expect(said?.match(/re \w+|(?<=>)(one|two|three)(?=<)/g)).toEqual(['one', 're one', 'two', 're two', 'three']);
  });

  it('five people who each write a burst of five short messages get a reply each', async () => {
    const people = [0, 1, 2, 3, 4].map((n) => `1555010042${n}`);
    // The quiet is longer than a busy machine takes between two messages of a burst.
    await persona('PUT', { quietPeriodMs: 2_000 });
    await Promise.all(people.flatMap((person) => [1, 2, 3, 4, 5].map((n) => say(person, `part ${n}`))));
    // A turn that had begun between two parts gives way to the one that answers all.
    const replies = async (person: string) => (await turnsOf(person)).filter(({ outcome }) => outcome === 'reply');
    for (const person of people) await eventually(async () => (await replies(person)).length === 1);
    await persona('PUT', { quietPeriodMs: 60 });
    for (const person of people) await eventually(async () => (await heard(person)).length === 1);
    const ofPeople = { conversationId: among('conversation', { chatId: like('1555010042%') }) };
    const covered = await findRows(engine.database, 'aiTurn', ofPeople, ['inboundMessageIds']);
    expect(covered.filter(({ inboundMessageIds }) => inboundMessageIds.length === 5)).toHaveLength(5);
    const turns = (await Promise.all(people.map((person) => turnsOf(person)))).flat();
    expect((await modelCalls(engine)).length).toBeLessThanOrEqual(turns.length);
  });

  it('a newer message cancels the turn that waits for its model, and one reply answers both', async () => {
    const person = '15550100407';
    await script({ hold: true }, { text: 'Two boats, then.' });
    await say(person, 'A boat, please');
    await eventually(async () => (await modelCalls(engine)).length === 1);
    await say(person, 'no, two');
    const turns = await untilTurns(person, 'silence', 'reply');
    expect(turns[0]?.silenceCode).toBe('newer_message');
    await eventually(async () => (await heard(person)).length === 1);
    expect(await heard(person)).toEqual(['Two boats, then.']);
  });

  it('the agent asks to be told when the contact types, and waits for them', async () => {
    const person = '15550100408';
    await persona('PUT', { quietPeriodMs: 60_000, maxWaitMs: 120_000 });
    await say(person, 'I want');
    const id = await conversationOf(person);
    await eventually(async () =>
      callsTo(await engine.control('GET', '/record'), `/presence/${person}%40c.us/subscribe`),
    );
    await engine.control('POST', `/sessions/${agency.session.name}/typing`, { from: person });
    await untilCount(engine.database, 'conversation', { id, typingUntil: above(fromColumn('typingAt')) });
    expect(await turnsOf(person)).toEqual([]);
    await persona('PUT', { quietPeriodMs: 60, maxWaitMs: 12_000 });
  });

  it('changeHands: an operator takes a conversation over and gives it back in its workflow', async () => {
    const person = '15550100408';
    const workflow = await workflowOf(person);
    expect(await workflow.query('state')).toMatchObject({ phase: 'listening', turns: 0 });
    const decision = { actor: 'Ada', reason: 'wants a person' };
    await expect(workflow.executeUpdate('takeOver', { args: [{ actor: 'Ada' }] })).rejects.toThrow();
    expect(await workflow.executeUpdate('takeOver', { args: [decision] })).toMatchObject({ mode: 'human_takeover' });
    expect(await untilTurns(person, 'silence')).toMatchObject([{ silenceCode: 'human' }]);
    expect(await workflow.executeUpdate('release', { args: [decision] })).toMatchObject({ mode: 'bot_active' });
    const id = await conversationOf(person);
    expect(
      await findRows(engine.database, 'handover', { conversationId: id }, ['mode', 'actor', 'reason'], 'id'),
    ).toEqual([
      { mode: 'human_takeover', actor: 'Ada', reason: 'wants a person' },
      { mode: 'bot_active', actor: 'Ada', reason: 'wants a person' },
    ]);
  });

  it('a model that fails for a moment is asked again and answers', async () => {
    const person = '15550100405';
    await script({ status: 500 }, { text: 'Sorry, here I am.' });
    await say(person, 'Are you there?');
    await untilTurns(person, 'reply');
    await eventually(async () => (await heard(person)).length === 1);
    expect(await heard(person)).toEqual(['Sorry, here I am.']);
  });

  it('a customer never reads what a model thinks, decides or quotes, only what it answers', async () => {
    const secret = 'The owner told me never to go below 200 euros.';
    const phone = '15550100429';
    await script({ text: `${secret}\n</think>\n\nIt costs 300 euros【4:0†prices.pdf】.<|im_end|>` });
    await say(phone, 'What does it cost?');
    await untilTurns(phone, 'reply');
    await script({ text: 'silence' });
    await say(phone, 'Thanks!');
    await untilTurns(phone, 'reply', 'silence');
    await script(
      { text: `<think>${secret} Let me` },
      { json: { outcome: 'reply', text: `[THINK]${secret}[/THINK]Bye!` } },
    );
    await say(phone, 'Bye');
    const turns = await untilTurns(phone, 'reply', 'silence', 'reply');
    expect(turns[1]).toMatchObject({ silenceCode: 'nothing_to_answer', messageId: null });
    await eventually(async () => (await heard(phone)).length === 2);
    expect(await heard(phone)).toEqual(['It costs 300 euros.', 'Bye!']);
  });

  it('a turn that was answered is read for what it says of the contact', async () => {
    const person = '15550100409';
    await persona('PUT', { extractMemories: true });
    await say(person, 'We are six people');
    await untilCount(engine.database, 'aiTurn', {
      conversationId: among('conversation', { chatId: `${person}@c.us` }),
      extractedAt: not(null),
    });
    await persona('PUT', { extractMemories: false });
  });

  it('no text, name or phone of a conversation reaches Temporal', async () => {
    const person = '15550177310';
    await script({ text: `${CANARY} to you, too` });
    await say(person, `${CANARY} is my secret`, `${CANARY} the person`);
    await untilTurns(person, 'reply');
    await eventually(async () => (await heard(person)).length === 1);
    await call(engine, 'POST', '/api/v1/messages/send', {
      key: agency.scopedKey,
      body: { to: person, text: `${CANARY} by API` },
    });
    await eventually(async () => (await heard(person)).length === 2);
    expect(await countRows(engine.database, 'message', { body: like(`%${CANARY}%`) })).toBe(3);
    const histories = await historiesOf(engine);
    // The search sees into payloads: ids are there.
    expect(histories.some(({ text }) => /state\\*":\\*"sent/.test(text))).toBe(true);
    expect(histories.map(({ type }) => type)).toEqual(expect.arrayContaining(['aiConversation', 'deliverMessage']));
    for (const { workflowId, text } of histories) {
      for (const secret of [CANARY, person, 'boats', '15550100401']) {
        expect({ workflowId, secret, found: text.includes(secret) }).toEqual({ workflowId, secret, found: false });
      }
    }
  });
});

function callsTo(record: unknown, path: string): boolean {
  return JSON.stringify(record).includes(path);
}
