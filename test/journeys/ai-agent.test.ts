import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { TASK_QUEUES, workflowId } from '../../domain/names.ts';
import { anAgencyWithScopedKey, call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { countOf, rowsOf, untilRows } from '../support/rows.ts';
import { modelCalls, personWrites, textsSeenBy } from '../support/sandbox-record.ts';
import { historiesOf } from '../support/temporal-histories.ts';

const CANARY = 'Quokka-7731';

describe('the AI sales agent', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'ai' });
  }, 60_000);
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
    rowsOf(
      engine.database,
      sql<{ outcome: string; silenceCode: string | null; model: string | null; messageId: string | null }>`
        select t.outcome, t.silence_code as "silenceCode", t.model, t.message_id as "messageId"
        from ai_turn t join conversation c on c.id = t.conversation_id
        where c.chat_id = ${`${phone}@c.us`} order by t.started_at, t.id`,
    );
  const untilTurns = (phone: string, ...outcomes: string[]) =>
    eventually(
      async () => {
        const turns = await turnsOf(phone);
        return JSON.stringify(turns.map(({ outcome }) => outcome)) === JSON.stringify(outcomes) && turns;
      },
      { what: `turns ${outcomes.join()}` },
    );

  it('a dashboard reads the state by POST and changes it by PUT', async () => {
    expect((await state('POST')).body).toEqual({ enabled: false, mode: 'bot_active' });
    const target = { agencyId: agency.agencyId, tenantId: agency.tenantId };
    const changed = await call(engine, 'PUT', '/api/v1/ai-sales-agent/state', {
      key: agency.dashboardKey,
      body: { ...target, enabled: true, mode: 'human_takeover' },
    });
    expect(changed.body).toEqual({ enabled: true, mode: 'human_takeover', inFlight: [] });
    expect((await state('POST')).body).toEqual({ enabled: true, mode: 'human_takeover' });
    expect((await state('PUT', { mode: 'bot_active' })).body).toMatchObject({ enabled: true, mode: 'bot_active' });
    expect((await state('PUT', { mode: 'asleep' })).status).toBe(422);
  });

  it('a dashboard reads the persona by POST, writes it by PUT and learns which models there are', async () => {
    const before = await persona('POST');
    expect(before.body).toMatchObject({ agencyId: 'ai', tenantId: 't1', modelChoice: 'sandbox-model', active: true });
    const written = await persona('PUT', { agentName: 'Ada', systemPrompt: 'You sell boats.', quietPeriodMs: 300 });
    expect(written.body).toEqual({
      ...before.body,
      agentName: 'Ada',
      systemPrompt: 'You sell boats.',
      quietPeriodMs: 300,
    });
    expect((await persona('POST')).body).toEqual(written.body);
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
    expect(prompt?.at(-1)).toEqual({ role: 'user', content: 'Do you have boats?' });
  });

  it('the agent stays out of a group, on record when something wakes it there', async () => {
    const group = '120363000000000401@g.us';
    const event = { from: '15550100499', chatId: group, text: 'Anybody there?' };
    await engine.control('POST', `/sessions/${agency.session.name}/inbound`, event);
    const [conversation] = await eventually(async () => {
      const rows = await rowsOf(
        engine.database,
        sql<{ id: string }>`select id from conversation where chat_id = ${group} and last_message_at is not null`,
      );
      return rows.length > 0 && rows;
    });
    const id = conversation?.id ?? '';
    // A message of a group wakes nobody: an older engine's promise, or a person at the Temporal UI, still may.
    await engine.temporal.workflow.start('aiConversation', {
      taskQueue: TASK_QUEUES.engine,
      workflowId: workflowId('aiConversation', id),
      args: [id],
    });
    await untilRows(
      engine.database,
      sql`ai_turn where conversation_id = ${id} and outcome = 'silence' and silence_code = 'group'`,
    );
  });

  it('the agent reads the conversation in the order in which it was held', async () => {
    const person = '15550100402';
    const lines = ['one', 'two', 'three'];
    for (const [index, line] of lines.entries()) {
      await script({ text: `re ${line}` });
      await say(person, line);
      await untilTurns(person, ...lines.slice(0, index + 1).map(() => 'reply'));
      await eventually(async () => (await heard(person)).length === index + 1);
    }
    const prompts = await modelCalls(engine);
    expect(
      prompts
        .at(-1)
        ?.slice(1)
        .map(({ content }) => content),
    ).toEqual(['one', 're one', 'two', 're two', 'three']);
  });

  it('a person who writes five short messages gets one reply to all of them', async () => {
    const person = '15550100403';
    const lines = ['hi', 'I', 'want', 'a', 'boat'];
    for (const line of lines) await say(person, line);
    await untilTurns(person, 'reply');
    await eventually(async () => (await heard(person)).length === 1);
    const prompts = await modelCalls(engine);
    const said = prompts.at(-1)?.filter(({ role }) => role === 'user');
    expect(said?.map(({ content }) => content).toSorted()).toEqual(lines.toSorted());
    expect(await turnsOf(person)).toHaveLength(1);
  });

  it('a model that fails lets the fallback go out once and the next failure stay silent on record', async () => {
    const person = '15550100404';
    await persona('PUT', { fallbackMessage: 'A colleague will write.' });
    await script({ status: 400 }, { status: 400 });
    await say(person, 'Hello?');
    await untilTurns(person, 'fallback');
    await eventually(async () => (await heard(person)).length === 1);
    await say(person, 'Hello again?');
    const turns = await untilTurns(person, 'fallback', 'silence');
    expect(turns.at(-1)?.silenceCode).toBe('model_failed');
    expect(await heard(person)).toEqual(['A colleague will write.']);
  });

  it('a model that fails for a moment is asked again and answers', async () => {
    const person = '15550100405';
    await script({ status: 500 }, { text: 'Sorry, here I am.' });
    await say(person, 'Are you there?');
    await untilTurns(person, 'reply');
    await eventually(async () => (await heard(person)).length === 1);
    expect(await heard(person)).toEqual(['Sorry, here I am.']);
  });

  it('a tenant whom a person took over gets no reply from the agent, and the turn says why', async () => {
    const person = '15550100406';
    await state('PUT', { mode: 'human_takeover' });
    await say(person, 'Anybody?');
    const [turn] = await untilTurns(person, 'silence');
    expect(turn?.silenceCode).toBe('human');
    await state('PUT', { mode: 'bot_active', enabled: false });
    await say(person, 'And now?');
    await untilRows(engine.database, sql`message where body = 'And now?'`);
    expect(await modelCalls(engine)).toEqual([]);
    expect(await heard(person)).toEqual([]);
    await state('PUT', { enabled: true });
  });

  it('no text, name or phone of a conversation reaches Temporal', async () => {
    const person = '15550177310';
    await script({ status: 500 }, { text: `${CANARY} to you, too` });
    await say(person, `${CANARY} is my secret`, `${CANARY} the person`);
    await untilTurns(person, 'reply');
    await eventually(async () => (await heard(person)).length === 1);
    await call(engine, 'POST', '/api/v1/messages/send', {
      key: agency.scopedKey,
      body: { to: person, text: `${CANARY} by API` },
    });
    await eventually(async () => (await heard(person)).length === 2);
    expect(await countOf(engine.database, sql`message where body like ${`%${CANARY}%`}`)).toBe(3);
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
