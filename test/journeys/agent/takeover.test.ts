import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { workflowId } from '../../../domain/names.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { among, findRows, not, untilCount } from '../../support/rows.ts';
import { modelCalls, personWrites, textsSeenBy } from '../../support/sandbox-record.ts';
import { send, untilStatus } from '../../support/sends.ts';

const Details = z.object({ currentDetails: z.string().default('') });

describe('a person takes a conversation over from the agent', () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'handoff' });
    const put = (path: string, body: object) => call(engine, 'PUT', path, { key: agency.scopedKey, body });
    await put('/api/v1/ai-sales-agent/state', { enabled: true });
    await put('/api/v1/ai-sales-agent/persona', { quietPeriodMs: 50, extractMemories: false });
  });
  afterAll(() => engine.close());
  afterEach(() => engine.control('DELETE', '/faults'));

  const post = (path: string, body?: object) =>
    call(engine, 'POST', path, { key: agency.scopedKey, ...(body === undefined ? {} : { body }) });
  const say = (phone: string, text: string) => personWrites(engine, agency.session.name, { from: phone, text });
  const heard = (phone: string) => textsSeenBy(engine, agency.session.name, `${phone}@c.us`);
  const aiMessages = (phone: string) =>
    findRows(
      engine.database,
      'message',
      { conversationId: among('conversation', { chatId: `${phone}@c.us` }), origin: 'ai' },
      { id: 'id', status: 'status', conversationId: 'conversationId', reason: 'errorCode' },
      'chatSeq',
    );
  const untilAiMessage = (phone: string, status: string) =>
    eventually(async () => (await aiMessages(phone)).find((message) => message.status === status), {
      what: `an AI message that is ${status}`,
    });
  /** Holds each of the next calls at the backend until it lets them go on. */
  const holdSends = async (count = 1): Promise<() => Promise<unknown>> => {
    await engine.control('POST', '/faults', { route: 'sendText', kind: 'hold', count, session: agency.session.name });
    return () => engine.control('DELETE', '/faults');
  };
  const untilSilentTurn = (phone: string) =>
    untilCount(engine.database, 'aiTurn', {
      conversationId: among('conversation', { chatId: `${phone}@c.us` }),
      outcome: 'silence',
      silenceCode: 'human',
    });

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
    await untilSilentTurn(phone);
    expect(await heard(phone)).toHaveLength(1);

    const released = await post(`/api/v1/conversations/${conversationId}/release`, { actor: 'ann', reason: 'solved' });
    expect(released.body).toMatchObject({ mode: 'bot_active', assignedTo: null });
    const kept = await findRows(engine.database, 'handover', { conversationId, cause: 'release' }, ['actor', 'reason']);
    expect(kept).toEqual([{ actor: 'ann', reason: 'solved' }]);
    expect(Number(released.body['epoch'])).toBeGreaterThan(Number(assigned.body['epoch']));
    await say(phone, 'Robot, come back');
    await eventually(async () => (await heard(phone)).length === 2);
  });

  it("the details of the agent's execution say since when a person has it, until the release", async () => {
    const phone = '15550100511';
    await say(phone, 'Hello');
    const { conversationId } = await untilAiMessage(phone, 'read');
    const details = async () => {
      const execution = engine.temporal.workflow.getHandle(workflowId('aiConversation', conversationId));
      return Details.parse(await execution.query('__temporal_workflow_metadata')).currentDetails;
    };
    await post(`/api/v1/conversations/${conversationId}/assign`, { assignee: 'ada', reason: 'vip' });
    const told = await eventually(async () => {
      const found = await details();
      return found.includes('A person has it') && found;
    });
    expect(told).toMatch(/^A person has it since \d{4}-\S+Z \(`assign`\)\. /m);
    // Temporal gets no names.
    expect(told).not.toContain('ada');
    await post(`/api/v1/conversations/${conversationId}/release`);
    await eventually(async () => !(await details()).includes('A person has it'));
  });

  it('the assignment needs no body', async () => {
    const { conversationId, messageId } = await send(engine, agency, '15550100502', 'first contact');
    await untilStatus(engine, agency, messageId, 'read');
    const assigned = await post(`/api/v1/conversations/${conversationId}/assign`);
    expect(assigned.body).toMatchObject({ conversationId, mode: 'human_takeover', assignedTo: null, inFlight: [] });
  });

  it("the agent's message that waits in the queue is cancelled and never reaches the network", async () => {
    const phone = '15550100503';
    const letGo = await holdSends();
    const head = await send(engine, agency, phone, 'slow head of the queue');
    await say(phone, 'A question');
    const waiting = await untilAiMessage(phone, 'queued');
    const assigned = await post(`/api/v1/conversations/${waiting.conversationId}/assign`);
    expect(assigned.body['inFlight']).toEqual([]);
    expect(await aiMessages(phone)).toMatchObject([{ id: waiting.id, status: 'cancelled', reason: 'taken_over' }]);
    await letGo();
    await untilStatus(engine, agency, head.messageId, 'read');
    const after = await send(engine, agency, phone, 'by a program, still allowed');
    await untilStatus(engine, agency, after.messageId, 'read');
    expect(await heard(phone)).toEqual(['slow head of the queue', 'by a program, still allowed']);
  });

  it("an assignment waits for the agent's message that is just being sent", async () => {
    const phone = '15550100505';
    const letGo = await holdSends();
    await say(phone, 'A question');
    const claimed = await untilAiMessage(phone, 'sending');
    const assigning = post(`/api/v1/conversations/${claimed.conversationId}/assign`);
    await untilCount(engine.database, 'conversation', { id: claimed.conversationId, mode: 'human_takeover' });
    await letGo();
    expect((await assigning).body['inFlight']).toEqual([]);
    expect(await heard(phone)).toHaveLength(1);
  });

  it('an assignment while the model thinks makes its answer worthless', async () => {
    const phone = '15550100506';
    await engine.control('POST', '/llm/script', { replies: [{ hold: true }] });
    await say(phone, 'Think about it');
    const [turn] = await eventually(async () => {
      const rows = await findRows(
        engine.database,
        'aiTurn',
        { conversationId: among('conversation', { chatId: `${phone}@c.us` }), outcome: 'running' },
        ['conversationId'],
      );
      return rows.length > 0 && rows;
    });
    await eventually(async () => JSON.stringify(await modelCalls(engine)).includes('Think about it'));
    await post(`/api/v1/conversations/${turn?.conversationId}/assign`);
    await engine.control('DELETE', '/llm');
    await untilCount(engine.database, 'aiTurn', {
      conversationId: turn?.conversationId,
      silenceCode: 'taken_over',
      modelCalls: not('[]'),
    });
    expect(await aiMessages(phone)).toEqual([]);
    expect(await heard(phone)).toEqual([]);
  });

  it("a person's reply through the inbox takes the conversation over and goes before the queue", async () => {
    const phone = '15550100507';
    const { conversationId } = await send(engine, agency, phone, 'campaign one');
    await eventually(async () => (await heard(phone)).length === 1);
    const letGo = await holdSends();
    const { messageId } = await send(engine, agency, phone, 'campaign two');
    await untilStatus(engine, agency, messageId, 'sending');
    await send(engine, agency, phone, 'campaign three');
    const reply = await post(`/api/v1/inbox/conversations/${conversationId}/messages`, {
      content: 'Ada here',
      attachments: [],
    });
    expect(reply.status).toBe(202);
    await letGo();
    await eventually(async () => (await heard(phone)).length === 4);
    expect(await heard(phone)).toEqual(['campaign one', 'campaign two', 'Ada here', 'campaign three']);
    await say(phone, 'Hi Ada');
    await untilSilentTurn(phone);
    expect(await aiMessages(phone)).toEqual([]);
  });

  it('whoever takes over is told which of its messages are on their way, and no other arrives', async () => {
    const [assigned, replied, flies, waits] = ['15550100504', '15550100510', '15550100509', '15550100508'];
    const letGo = await holdSends(4);
    await send(engine, agency, waits, 'slow head of the queue');
    for (const phone of [assigned, replied, flies, waits]) await say(phone, 'A question');
    const [first, second, third] = await Promise.all(
      [assigned, replied, flies].map((phone) => untilAiMessage(phone, 'sending')),
    );
    const waiting = await untilAiMessage(waits, 'queued');
    const named = (message: { id: string } | undefined) => [{ messageId: message?.id, status: 'sending' }];

    const path = `/api/v1/inbox/conversations/${second?.conversationId}/messages`;
    const [assignment, reply] = await Promise.all([
      post(`/api/v1/conversations/${first?.conversationId}/assign`),
      post(path, { content: 'Ada here' }),
    ]);
    expect(assignment.body['inFlight']).toEqual(named(first));
    expect(reply.body['inFlight']).toEqual(named(second));
    expect((await post(path, { content: 'Ada again' })).body['inFlight']).toEqual([]);

    const put = (body: object) => call(engine, 'PUT', '/api/v1/ai-sales-agent/state', { key: agency.scopedKey, body });
    const off = await put({ enabled: false });
    expect(off.body).toMatchObject({
      enabled: false,
      mode: 'bot_active',
      inFlight: expect.arrayContaining(named(third)),
    });
    expect(await aiMessages(waits)).toMatchObject([{ id: waiting.id, status: 'cancelled', reason: 'ai_paused' }]);
    await letGo();
    await say(assigned, 'And another');
    await untilSilentTurn(assigned);
    for (const message of [first, second, third]) await untilStatus(engine, agency, message?.id ?? '', 'read');
    expect([(await heard(assigned)).length, (await heard(flies)).length, await heard(waits)]).toEqual([
      1,
      1,
      ['slow head of the queue'],
    ]);
    await eventually(async () => (await heard(replied)).length === 3);
  });
});
