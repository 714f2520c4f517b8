import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { anAgencyWithScopedKey, call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { rowsOf, untilRows } from '../support/rows.ts';
import { personWrites, textsSeenBy } from '../support/sandbox-record.ts';
import { send, untilStatus } from '../support/sends.ts';

describe('a person takes a conversation over from the agent', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'handoff' });
    const put = (path: string, body: object) => call(engine, 'PUT', path, { key: agency.scopedKey, body });
    await put('/api/v1/ai-sales-agent/state', { enabled: true });
    await put('/api/v1/ai-sales-agent/persona', { quietPeriodMs: 100 });
  }, 60_000);
  afterAll(() => engine.close());
  afterEach(() => engine.control('DELETE', '/faults'));

  const post = (path: string, body?: object) =>
    call(engine, 'POST', path, { key: agency.scopedKey, ...(body === undefined ? {} : { body }) });
  const say = (phone: string, text: string) => personWrites(engine, agency.session.name, { from: phone, text });
  const heard = (phone: string) => textsSeenBy(engine, agency.session.name, `${phone}@c.us`);
  const aiMessages = (phone: string) =>
    rowsOf(
      engine.database,
      sql<{ id: string; status: string; conversationId: string; reason: string | null }>`
        select m.id, m.status, m.conversation_id as "conversationId", m.error_code as reason
        from message m join conversation c on c.id = m.conversation_id
        where c.chat_id = ${`${phone}@c.us`} and m.origin = 'ai' order by m.chat_seq`,
    );
  const untilAiMessage = (phone: string, status: string) =>
    eventually(async () => (await aiMessages(phone)).find((message) => message.status === status), {
      what: `an AI message that is ${status}`,
    });
  const slowSends = (delayMs: number) =>
    engine.control('POST', '/faults', { route: 'sendText', kind: 'slow', delayMs, session: agency.session.name });
  const silentTurns = (phone: string) => sql`ai_turn t join conversation c on c.id = t.conversation_id
    where c.chat_id = ${`${phone}@c.us`} and t.outcome = 'silence' and t.silence_code = 'human'`;

  it('the agent is silent after the assignment and answers again after the release', async () => {
    const phone = '15550100501';
    await say(phone, 'Hello');
    const { conversationId } = await untilAiMessage(phone, 'read');
    const assigned = await post(`/api/v1/conversations/${conversationId}/assign`, { assignee: 'ada', reason: 'vip' });
    expect(assigned.status).toBe(200);
    expect(assigned.body).toEqual({
      conversationId,
      mode: 'human_takeover',
      assignedTo: 'ada',
      epoch: expect.any(Number),
      inFlight: [],
    });
    await say(phone, 'Still a robot?');
    await untilRows(engine.database, silentTurns(phone));
    expect(await heard(phone)).toHaveLength(1);

    const released = await post(`/api/v1/conversations/${conversationId}/release`);
    expect(released.body).toMatchObject({ mode: 'bot_active', assignedTo: null });
    expect(Number(released.body['epoch'])).toBeGreaterThan(Number(assigned.body['epoch']));
    await say(phone, 'Robot, come back');
    await eventually(async () => (await heard(phone)).length === 2);
  });

  it('the assignment needs no body', async () => {
    const { conversationId, messageId } = await send(engine, agency, '15550100502', 'first contact');
    await untilStatus(engine, agency, messageId, 'read');
    const assigned = await post(`/api/v1/conversations/${conversationId}/assign`);
    expect(assigned.body).toMatchObject({ conversationId, mode: 'human_takeover', assignedTo: null, inFlight: [] });
  });

  it("the agent's message that waits in the queue is cancelled and never reaches the network", async () => {
    const phone = '15550100503';
    await slowSends(1_500);
    const head = await send(engine, agency, phone, 'slow head of the queue');
    await say(phone, 'A question');
    const waiting = await untilAiMessage(phone, 'queued');
    const assigned = await post(`/api/v1/conversations/${waiting.conversationId}/assign`);
    expect(assigned.body['inFlight']).toEqual([]);
    expect(await aiMessages(phone)).toMatchObject([{ id: waiting.id, status: 'cancelled', reason: 'taken_over' }]);
    await untilStatus(engine, agency, head.messageId, 'read');
    const after = await send(engine, agency, phone, 'by a program, still allowed');
    await untilStatus(engine, agency, after.messageId, 'read');
    expect(await heard(phone)).toEqual(['slow head of the queue', 'by a program, still allowed']);
  });

  it("the agent's message that is on its way is named in the answer, and no other arrives", async () => {
    const phone = '15550100504';
    await slowSends(3_500);
    await say(phone, 'A question');
    const claimed = await untilAiMessage(phone, 'sending');
    const assigned = await post(`/api/v1/conversations/${claimed.conversationId}/assign`);
    expect(assigned.body['inFlight']).toEqual([{ messageId: claimed.id, status: 'sending' }]);
    expect(await heard(phone)).toEqual([]);
    await say(phone, 'And another');
    await untilRows(engine.database, silentTurns(phone));
    await untilStatus(engine, agency, claimed.id, 'read');
    expect(await heard(phone)).toHaveLength(1);
  });

  it("an assignment waits for the agent's message that is just being sent", async () => {
    const phone = '15550100505';
    await slowSends(700);
    await say(phone, 'A question');
    const claimed = await untilAiMessage(phone, 'sending');
    const assigned = await post(`/api/v1/conversations/${claimed.conversationId}/assign`);
    expect(assigned.body['inFlight']).toEqual([]);
    expect(await heard(phone)).toHaveLength(1);
  });

  it('an assignment while the model thinks makes its answer worthless', async () => {
    const phone = '15550100506';
    await engine.control('POST', '/llm/script', { replies: [{ hangMs: 800 }] });
    await say(phone, 'Think about it');
    const [turn] = await eventually(async () => {
      const rows = await rowsOf(
        engine.database,
        sql<{ conversationId: string }>`select t.conversation_id as "conversationId" from ai_turn t
          join conversation c on c.id = t.conversation_id where c.chat_id = ${`${phone}@c.us`} and t.outcome = 'running'`,
      );
      return rows.length > 0 && rows;
    });
    await post(`/api/v1/conversations/${turn?.conversationId}/assign`);
    expect(await untilAiMessage(phone, 'cancelled')).toMatchObject({ reason: 'taken_over' });
    expect(await heard(phone)).toEqual([]);
  });

  it("a person's reply through the inbox takes the conversation over and goes before the queue", async () => {
    const phone = '15550100507';
    const { conversationId } = await send(engine, agency, phone, 'campaign one');
    await eventually(async () => (await heard(phone)).length === 1);
    await slowSends(1_000);
    await send(engine, agency, phone, 'campaign two');
    await send(engine, agency, phone, 'campaign three');
    const reply = await post(`/api/v1/inbox/conversations/${conversationId}/messages`, {
      content: 'Ada here',
      attachments: [],
    });
    expect(reply.status).toBe(202);
    await eventually(async () => (await heard(phone)).length === 4);
    expect(await heard(phone)).toEqual(['campaign one', 'campaign two', 'Ada here', 'campaign three']);
    await say(phone, 'Hi Ada');
    await untilRows(engine.database, silentTurns(phone));
    expect(await aiMessages(phone)).toEqual([]);
  });

  it("a person's reply names the agent's message that is on its way", async () => {
    const phone = '15550100510';
    await slowSends(3_500);
    await say(phone, 'A question');
    const claimed = await untilAiMessage(phone, 'sending');
    const path = `/api/v1/inbox/conversations/${claimed.conversationId}/messages`;
    const reply = await post(path, { content: 'Ada here' });
    expect(reply.body['inFlight']).toEqual([{ messageId: claimed.id, status: 'sending' }]);
    expect((await post(path, { content: 'Ada again' })).body['inFlight']).toEqual([]);
    // All of it, so that the next test's slowness is not spent on what this one has waiting.
    await eventually(async () => (await heard(phone)).length === 3);
  });

  it('switching the agent off cancels what it has waiting and names what is on its way', async () => {
    const [waits, flies] = ['15550100508', '15550100509'];
    await slowSends(3_500);
    await say(flies, 'A question');
    const claimed = await untilAiMessage(flies, 'sending');
    await slowSends(3_500);
    await send(engine, agency, waits, 'slow head of the queue');
    await say(waits, 'Another question');
    const waiting = await untilAiMessage(waits, 'queued');
    const off = await call(engine, 'PUT', '/api/v1/ai-sales-agent/state', {
      key: agency.scopedKey,
      body: { enabled: false },
    });
    expect(off.body).toEqual({
      enabled: false,
      mode: 'bot_active',
      inFlight: [{ messageId: claimed.id, status: 'sending' }],
    });
    expect(await aiMessages(waits)).toMatchObject([{ id: waiting.id, status: 'cancelled', reason: 'ai_paused' }]);
    await untilStatus(engine, agency, claimed.id, 'read');
  });
});
