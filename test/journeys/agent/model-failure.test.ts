import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { workflowId } from '../../../domain/names.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { findRows, toldPayloads, untilCount } from '../../support/rows.ts';
import { modelCalls, personWrites, textsSeenBy } from '../../support/sandbox-record.ts';
import { aWebhookReceiver } from '../../support/webhook-receiver.ts';

const FALLBACK = 'A colleague will write.';
const SECRET = 'model-failure-0123456789-0123456789';

describe('a customer whose question no model answers', () => {
  let engine: TestEngine;
  let agency: Agency;
  let dashboard: Awaited<ReturnType<typeof aWebhookReceiver>>;
  let people = 0;

  beforeAll(async () => {
    engine = await startEngine();
    dashboard = await aWebhookReceiver(SECRET, () => 204);
    agency = await anAgencyWithScopedKey(engine, {
      agencyId: 'failing',
      webhookSecret: SECRET,
      dashboardUrl: dashboard.url,
    });
    const { url } = dashboard;
    await call(engine, 'POST', '/api/v1/webhooks/endpoints', {
      key: agency.dashboardKey,
      body: { url, events: ['conversation.assigned'], secret: SECRET },
    });
    await put('state', { enabled: true, mode: 'bot_active' });
  });
  afterAll(async () => {
    await engine.close();
    dashboard.close();
  });
  beforeEach(() =>
    put('persona', {
      extractMemories: false,
      quietPeriodMs: 60,
      fallbackMessage: FALLBACK,
      onModelFailure: 'handoff',
      retryForMinutes: 5,
    }),
  );
  afterEach(() => engine.control('DELETE', '/llm'));

  const put = (what: 'state' | 'persona', body: object) =>
    call(engine, 'PUT', `/api/v1/ai-sales-agent/${what}`, { key: agency.scopedKey, body });
  const person = () => `1555017${String(1_000 + ++people)}`;
  const say = (from: string, text: string) => personWrites(engine, agency.session.name, { from, text, pushName: 'P' });
  const heard = (phone: string) => textsSeenBy(engine, agency.session.name, `${phone}@c.us`);
  /** The provider refuses the key: asking at once again would be of no use. */
  const fail = (times: number) =>
    engine.control('POST', '/llm/script', { replies: Array.from({ length: times }, () => ({ status: 401 })) });
  const conversationOf = (phone: string) =>
    eventually(async () => {
      const [row] = await findRows(engine.database, 'conversation', { chatId: `${phone}@c.us` }, ['id']);
      return row?.id;
    });
  const turns = async (id: string) => {
    const path = `/api/v1/conversations/${id}/turns`;
    const { body } = await call(engine, 'GET', path, { key: agency.scopedKey });
    return body['turns'] as { outcome: string; silence: { code: string } | null; retryAt: string | null }[];
  };
  const workflowOf = (id: string) => engine.temporal.workflow.getHandle(workflowId('aiConversation', id));
  const untilRetrying = async (phone: string): Promise<string> => {
    const id = await conversationOf(phone);
    await untilCount(engine.database, 'aiTurn', { conversationId: id, silenceCode: 'model_retry' });
    await eventually(async () => {
      // A busy worker may not answer in time.
      const state = await workflowOf(id)
        .query<{ phase: string }>('state')
        .catch(() => undefined);
      return state?.phase === 'retrying';
    });
    return id;
  };
  const untilHanded = (id: string) =>
    untilCount(engine.database, 'conversation', { id, takenOverBy: 'agent', assignedReason: 'model_failed' });
  const toldOf = async (id: string) => {
    const told = await toldPayloads(engine.database, { conversationId: id, type: 'conversation.assigned' });
    return told.map(({ cause }) => ({ cause }));
  };

  it('hears the fallback message once, and the dashboard is told that a person is wanted', async () => {
    const phone = person();
    await fail(1);
    await say(phone, 'Hello?');
    const id = await conversationOf(phone);
    await untilHanded(id);
    await eventually(async () => (await heard(phone)).length === 1);
    expect(await heard(phone)).toEqual([FALLBACK]);
    await eventually(() =>
      dashboard
        .taken('conversation.assigned')
        .some(
          (event) => JSON.stringify(event).includes(id) && JSON.stringify(event).includes('"cause":"model_failed"'),
        ),
    );
    expect(await turns(id)).toMatchObject([
      { outcome: 'handoff', handoffReason: 'model_failed', silence: { code: 'model_failed' }, retryAt: null },
    ]);
    // A person has it: whatever is written next is theirs.
    await say(phone, 'Anybody there?');
    await untilCount(engine.database, 'aiTurn', { conversationId: id, silenceCode: 'human' });
    expect(await heard(phone)).toEqual([FALLBACK]);
  });

  it('is answered by the model that is back, where the persona asks again, and the wait shows everywhere', async () => {
    const phone = person();
    await put('persona', { onModelFailure: 'retry' });
    await fail(1);
    await say(phone, 'Do you have boats?');
    const id = await untilRetrying(phone);
    const [turn] = await turns(id);
    expect(turn).toMatchObject({ outcome: 'silence', silence: { code: 'model_retry' }, retryAt: expect.any(String) });
    const state = await workflowOf(id).query<object>('state');
    expect(state).toMatchObject({ phase: 'retrying', retriesUntil: expect.stringMatching(/^2\d{3}-.*Z$/) });
    await say(phone, 'Red ones?');
    await untilCount(engine.database, 'message', { conversationId: id, body: 'Red ones?' });
    await engine.control('POST', '/llm/script', { replies: [{ text: 'Yes, red boats.' }] });
    await pauseOver(id);
    await eventually(async () => (await heard(phone)).length === 1);
    expect(await heard(phone)).toEqual(['Yes, red boats.']);
    const [answered] = await turns(id);
    expect(answered).toMatchObject({ outcome: 'reply', inboundMessageIds: [expect.any(String), expect.any(String)] });
    expect(await toldOf(id)).toEqual([]);
  });

  it('is a person’s where the model does not come back in time, after one fallback message', async () => {
    const phone = person();
    await put('persona', { onModelFailure: 'retry' });
    await fail(50);
    await say(phone, 'Do you have boats?');
    const id = await untilRetrying(phone);
    await pauseOver(id, 5 * 60_000);
    await untilHanded(id);
    await eventually(async () => (await heard(phone)).length === 1);
    expect(await heard(phone)).toEqual([FALLBACK]);
    expect(await toldOf(id)).toEqual([{ cause: 'model_failed' }]);
  });

  it('is left to the person who takes over while the model is away', async () => {
    const phone = person();
    await put('persona', { onModelFailure: 'retry' });
    await fail(1);
    await say(phone, 'Do you have boats?');
    const id = await untilRetrying(phone);
    const assigned = await call(engine, 'POST', `/api/v1/conversations/${id}/assign`, {
      key: agency.scopedKey,
      body: { assignee: 'ada' },
    });
    expect(assigned.body).toMatchObject({ mode: 'human_takeover', inFlight: [] });
    const asked = (await modelCalls(engine)).length;
    await pauseOver(id);
    await eventually(async () => {
      const idle = workflowOf(id).query<{ phase: string }>('state');
      return (await idle.catch(() => undefined))?.phase === 'idle';
    });
    expect((await modelCalls(engine)).length).toBe(asked);
    expect(await heard(phone)).toEqual([]);
    expect(await toldOf(id)).toEqual([{ cause: 'assign' }]);
  });

  it('is answered, too, when the workflow that waited for the model is gone', async () => {
    const phone = person();
    await put('persona', { onModelFailure: 'retry' });
    await fail(1);
    await say(phone, 'Do you have boats?');
    const id = await untilRetrying(phone);
    await workflowOf(id).terminate('as if its store were lost');
    await engine.control('POST', '/llm/script', { replies: [{ text: 'Yes, boats.' }] });
    engine.database.clock.advance(20_000);
    await say(phone, 'Hello?');
    await eventually(async () => (await heard(phone)).length === 1);
    expect(await heard(phone)).toEqual(['Yes, boats.']);
  });

  it('tries a persona on a model that fails: the rehearsal says so, and nobody hears or is told of it', async () => {
    await fail(1);
    const body = { messages: [{ from: 'contact', text: 'Hello?' }], persona: { onModelFailure: 'retry' } };
    const before = dashboard.taken('conversation.assigned').length;
    const { body: rehearsal } = await call(engine, 'POST', '/api/v1/ai/rehearse', { key: agency.scopedKey, body });
    expect(rehearsal).toMatchObject({
      status: 'done',
      results: [{ decision: null, reply: null, error: { code: 'key_refused' } }],
    });
    expect(dashboard.taken('conversation.assigned')).toHaveLength(before);
  });

  it('does not let a persona ask for longer than an answer is worth', async () => {
    for (const retryForMinutes of [0, 16, 1.5]) {
      expect((await put('persona', { retryForMinutes })).status).toBe(422);
    }
    expect((await put('persona', { onModelFailure: 'silence' })).status).toBe(422);
  });

  /** Its timer is Temporal's and would go by in real time: woken, the workflow goes by the rows and their clock. */
  async function pauseOver(id: string, byMs = 20_000): Promise<void> {
    engine.database.clock.advance(byMs);
    await workflowOf(id).signal('messageReceived');
  }
});
