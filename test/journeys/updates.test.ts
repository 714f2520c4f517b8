import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';
import { workflowId } from '../../domain/names.ts';
import type { WorkflowType } from '../../domain/workflows.ts';
import { startSandbox } from '../../local/sandbox/main.ts';
import type { Sandbox } from '../../local/sandbox/main.ts';
import { anAgencyWithScopedKey, call } from '../support/client.ts';
import type { Agency } from '../support/client.ts';
import { startEngine, TEST_SANDBOX } from '../support/engine.ts';
import type { TestEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { BACKEND_KEY, MASTER_KEY } from '../support/keys.ts';
import { personWrites } from '../support/sandbox-record.ts';
import { passportOf, send, untilStatus } from '../support/sends.ts';
import { aWebhookReceiver } from '../support/webhook-receiver.ts';
import type { WebhookReceiver } from '../support/webhook-receiver.ts';
import { ALL_UPDATES, pastedInput } from '../workflows/updates.ts';
import { docsPages } from '../toolchain/source-files.ts';

const SECRET = 'walked-0123456789-0123456789-0123456789';
const ACTOR = 'ops@example.org';
const Details = z.object({ currentDetails: z.string().default('') });
const Audit = z.object({
  entries: z.array(
    z.object({ object: z.string(), action: z.string(), reason: z.string().nullable(), keyId: z.string().nullable() }),
  ),
});
const Endpoints = z.object({ endpoints: z.array(z.object({ id: z.string(), status: z.string() })) });
const Chats = z.object({ chats: z.array(z.looseObject({ conversationId: z.string(), chatId: z.string() })) });
const Run = z.object({ id: z.string(), status: z.string(), reason: z.string().nullable() });
const Waiting = Run.extend({
  waitsFor: z.string().nullable(),
  steps: z.array(z.object({ name: z.string(), detail: z.record(z.string(), z.unknown()) })),
});

describe('an operator who performs every Update, with the input that the details show', () => {
  let engine: TestEngine;
  let second: Sandbox;
  let agency: Agency;
  let receiver: WebhookReceiver;
  const performed: string[] = [];

  beforeAll(async () => {
    second = await startSandbox(TEST_SANDBOX);
    const backend = { id: 'second', url: second.url, apiKey: BACKEND_KEY, weight: 0, engine: 'NOWEB' };
    engine = await startEngine({ listSessionsEveryMs: 500, environment: { BACKENDS: JSON.stringify([backend]) } });
    receiver = await aWebhookReceiver(SECRET);
    const registration = { agencyId: 'walked', dashboardUrl: receiver.url, webhookSecret: SECRET };
    agency = await anAgencyWithScopedKey(engine, registration);
  });
  afterAll(async () => {
    await engine.close();
    await second.close();
    receiver.close();
  });

  const handleOf = (type: WorkflowType, key: string): WorkflowHandle =>
    engine.temporal.workflow.getHandle(workflowId(type, key));
  const ask = (method: string, path: string, body?: object) => {
    const { agencyId, tenantId, dashboardKey: key } = agency;
    if (method === 'GET') return call(engine, method, `${path}?agencyId=${agencyId}&tenantId=${tenantId}`, { key });
    return call(engine, method, path, { key, body: { agencyId, tenantId, ...body } });
  };
  const session = () => handleOf('superviseSession', agency.session.id);
  const untilSession = (wanted: object) =>
    eventually(async () => {
      const { body } = await ask('GET', '/api/v1/sessions/status');
      return Object.entries(wanted).every(([name, value]) => body[name] === value);
    });

  /** Copies the input from the details, fills it in, and sends it; without a name it is refused. */
  async function perform<Answer>(
    [type, key, name]: [type: WorkflowType, key: string, name: string],
    more: object = {},
  ): Promise<Answer> {
    const handle = handleOf(type, key);
    const input = await eventually(
      async () => {
        const told = await handle.query('__temporal_workflow_metadata').catch(() => ({}));
        return pastedInput(Details.parse(told).currentDetails, name);
      },
      { what: `the input of ${name} in the details of ${type}` },
    );
    expect(input).toMatchObject({ actor: 'your name', reason: 'why' });
    const anonymous: unknown = await handle
      .executeUpdate(name, { args: [{ ...input, ...more, actor: '' }] })
      .catch((error: unknown) => error);
    if (!(anonymous instanceof WorkflowUpdateFailedError)) throw new Error(`${type} took a nameless ${name}.`);
    expect(anonymous.cause?.message).toContain('"actor"');
    performed.push(`${type} ${name}`);
    const given = { ...input, ...more, actor: ACTOR, reason: `walk: ${type} ${name}` };
    return handle.executeUpdate<Answer, [object]>(name, { args: [given] });
  }

  /** Lets a contact write, and answers the conversation. */
  async function conversationWith(from: string): Promise<string> {
    await personWrites(engine, agency.session.name, { from, text: 'Good morning', pushName: 'Ada' });
    return eventually(async () => {
      const { chats } = Chats.parse((await ask('GET', '/api/v1/inbox/chats')).body);
      return chats.find(({ chatId }) => chatId.startsWith(from))?.conversationId;
    });
  }

  it('pauses an endpoint and resumes it, tries again at once, and replays', async () => {
    const list = async () => Endpoints.parse((await ask('GET', '/api/v1/webhooks/endpoints')).body).endpoints;
    const id = (await list())[0]?.id ?? '';
    const status = async () => (await list()).find((endpoint) => endpoint.id === id)?.status;
    await perform(['deliverWebhooks', id, 'pause']);
    expect(await status()).toBe('paused');
    await perform(['deliverWebhooks', id, 'resume']);
    expect(await status()).toBe('active');

    receiver.answerWith(() => 500);
    await conversationWith('15550100810');
    await eventually(() => receiver.received.some((event) => event.status === 500));
    await handleOf('deliverWebhooks', id).signal('changed');
    // It is offered only while an event waits, so the receiver fails until it has been performed.
    await perform(['deliverWebhooks', id, 'retryNow']);
    receiver.answerWith(() => 204);
    const again = { actor: ACTOR, reason: 'the receiver is back' };
    await handleOf('deliverWebhooks', id).executeUpdate('retryNow', { args: [again] });
    const taken = () => receiver.taken('message').length;
    await eventually(() => taken() === 1);
    expect(await perform(['deliverWebhooks', id, 'replaySince'])).toMatchObject({ count: expect.any(Number) });
    await eventually(() => taken() === 2);
  });

  it('takes a conversation from the agent, and gives it back', async () => {
    const key = agency.scopedKey;
    await call(engine, 'PUT', '/api/v1/ai-sales-agent/persona', { key, body: { quietPeriodMs: 60_000 } });
    await call(engine, 'PUT', '/api/v1/ai-sales-agent/state', { key, body: { enabled: true, mode: 'bot_active' } });
    const id = await conversationWith('15550100820');
    expect(await perform(['aiConversation', id, 'takeOver'])).toMatchObject({ mode: 'human_takeover' });
    expect(await perform(['aiConversation', id, 'release'])).toMatchObject({ mode: 'bot_active' });
    await call(engine, 'PUT', '/api/v1/ai-sales-agent/state', { key, body: { enabled: false } });
  });

  it('cancelExecution, skipExecutionWait, handExecutionOver: ends what a run of an automation waits for, cancels one, and gives the conversation of one to a person', async () => {
    await ask('PUT', '/api/v1/automations/ask-satisfaction', { enabled: true });
    const read = async (id: string) => Waiting.parse((await ask('GET', `/api/v1/automation-executions/${id}`)).body);
    const aRun = async (from: string) => {
      const conversationId = await conversationWith(from);
      const body = { automation: 'ask-satisfaction', conversationId };
      const { id } = Run.parse((await ask('POST', '/api/v1/automation-executions', body)).body);
      await eventually(async () => (await read(id)).waitsFor === 'reply');
      return { id, conversationId };
    };
    const ended = async (id: string) => {
      await handleOf('runAutomation', id).result();
      return read(id);
    };

    const skipped = await aRun('15550100830');
    await perform(['runAutomation', skipped.id, 'skipWait']);
    const { steps, ...end } = await ended(skipped.id);
    expect(end).toMatchObject({ status: 'completed', waitsFor: null });
    expect(steps[1]).toMatchObject({ name: 'waitForReply', detail: { messageId: null, skipped: true } });

    const cancelled = await aRun('15550100831');
    const requested = { status: 'cancelled', reason: 'requested' };
    expect(await perform(['runAutomation', cancelled.id, 'cancel'])).toEqual(requested);
    expect(await ended(cancelled.id)).toMatchObject(requested);

    const handed = await aRun('15550100832');
    const taken = { status: 'cancelled', reason: 'taken_over' };
    expect(await perform(['runAutomation', handed.id, 'handOver'], { assignee: 'anna' })).toEqual(taken);
    expect(await ended(handed.id)).toMatchObject(taken);
    const { chats } = Chats.parse((await ask('GET', '/api/v1/inbox/chats')).body);
    expect(chats.find(({ conversationId }) => conversationId === handed.conversationId)).toMatchObject({
      mode: 'human_takeover',
      assignedTo: 'anna',
    });
  });

  // It moves the clock on, and the agent answers nothing that is old.
  it('says what became of a message, and takes one back', async () => {
    // A session that has shown none of its sends proves nothing, so what it loses is uncertain.
    const lossy = await anAgencyWithScopedKey(engine, { agencyId: 'lossy' });
    const { name } = lossy.session;
    await engine.control('POST', '/faults', { route: 'sendText', kind: 'status500', session: name, count: 1 });
    const lost = await send(engine, lossy, '15550100800', 'lost');
    await eventually(async () => {
      engine.database.clock.advance(60_000);
      return (await passportOf(engine, lossy, lost.messageId)).status === 'uncertain';
    });
    expect(await perform(['deliverMessage', lost.messageId, 'resolve'])).toEqual({ status: 'sent', resentAs: null });
    await untilStatus(engine, lossy, lost.messageId, 'sent');

    await engine.control('POST', '/faults', {
      webhook: 'lose',
      count: 1,
      events: ['session.status'],
      session: name,
    });
    await engine.control('POST', `/sessions/${name}/status`, { status: 'FAILED' });
    const waiting = await send(engine, lossy, '15550100801', 'never mind');
    expect(await perform(['deliverMessage', waiting.messageId, 'cancel'])).toEqual({ status: 'cancelled' });
    expect((await passportOf(engine, lossy, waiting.messageId)).error?.code).toBe('cancelled_by_request');
  });

  it('stops a session, asks for more of its past and stops that, restarts it, links it anew, and moves it', async () => {
    const { id } = agency.session;
    await perform(['superviseSession', id, 'stop']);
    await untilSession({ status: 'STOPPED', wanted: 'stopped' });

    // The reading of the past waits for the session, so it is open.
    await call(engine, 'POST', `/api/v1/sessions/${id}/sync`, { key: agency.dashboardKey, body: {} });
    expect(await perform(['syncHistory', id, 'deepen'], { messagesPerChat: 77 })).toEqual({ asked: 'deepen' });
    expect(await perform(['syncHistory', id, 'stop'])).toEqual({ asked: 'stop' });

    await perform(['superviseSession', id, 'restart']);
    await untilSession({ status: 'WORKING', wanted: 'running' });
    await perform(['superviseSession', id, 'relogin']);
    await eventually(async () => {
      // A busy worker may not answer in time.
      const state = await session()
        .query<{ lately: { what: string }[] }>('state')
        .catch(() => undefined);
      return state?.lately.some(({ what }) => what === 'did: relogin');
    });
    await untilSession({ status: 'WORKING' });
    await perform(['superviseSession', id, 'move'], { backend: 'second' });
    await untilSession({ backend: 'second', status: 'WORKING' });
  });

  it('opens each view that the guides link to, and Temporal takes its query', async () => {
    const linked = docsPages().flatMap(({ text }) =>
      [...text.matchAll(/\/workflows\?query=([^&)]+)/g)].map(([, query]) => query),
    );
    const queries = [...new Set(linked.map((query = '') => decodeURIComponent(query)))];
    expect(queries.length).toBeGreaterThan(8);
    await Promise.all(queries.map((query) => engine.temporal.workflow.count(query)));
    // Queries find the executions of the decisions above.
    for (const query of [
      'Outcome IN ("failed","uncertain","cancelled")',
      'WorkflowType="superviseSession" AND ExecutionStatus="Running"',
    ]) {
      expect(queries).toContain(query);
      // Temporal's list is a while behind.
      await eventually(async () => (await engine.temporal.workflow.count(query)).count > 0, { what: query });
    }
  });

  it('has performed all that there are, and each is in the audit with the name and the reason', async () => {
    expect(performed.toSorted()).toEqual(ALL_UPDATES.toSorted());
    const audit = await call(engine, 'GET', `/api/v1/admin/audit?actor=${encodeURIComponent(ACTOR)}&limit=100`, {
      key: MASTER_KEY,
    });
    const entries = Audit.parse(audit.body).entries;
    for (const entry of entries) expect(entry.keyId).toBeNull();
    const reasons = new Set(entries.map(({ reason }) => reason));
    expect(performed.filter((update) => !reasons.has(`walk: ${update}`))).toEqual([]);
  });
});
