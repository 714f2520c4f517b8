import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import { startTracing } from '../../../bin/telemetry/tracing.ts';
import { workflowId } from '../../../domain/names.ts';
import { tracingSinks } from '../../../worker/workers.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { findRow, findRows, not } from '../../support/rows.ts';
import { personWrites } from '../../support/sandbox-record.ts';
import { send } from '../../support/sends.ts';
import { workflowBundle } from '../../support/servers.ts';
import { aWebhookReceiver } from '../../support/webhook-receiver.ts';
import type { WebhookReceiver } from '../../support/webhook-receiver.ts';
import { anOtlpReceiver } from './otlp-receiver.ts';

const SECRET = 'a raw secret of more than thirty-two characters';

describe('an operator who follows a trace', () => {
  let engine: TestEngine;
  let agency: Agency;
  let receiver: WebhookReceiver;
  let otlp: Awaited<ReturnType<typeof anOtlpReceiver>>;

  beforeAll(async () => {
    engine = await startEngine();
    receiver = await aWebhookReceiver(SECRET);
    otlp = await anOtlpReceiver();
    agency = await anAgencyWithScopedKey(engine, {
      agencyId: 'traced',
      dashboardUrl: receiver.url,
      webhookSecret: SECRET,
    });
  });
  afterAll(async () => {
    await engine.close();
    receiver.close();
    otlp.close();
  });

  const beginTracing = () =>
    startTracing({ endpoint: otlp.url, ratio: 1, service: 'test', version: '0', log: { warn: () => undefined } });
  const spansOf = (traceId: string | undefined) => otlp.spans.filter((span) => span.traceId === traceId);
  /**
   * Waits until a trace has, of each name, a span below one of the other name. A parent comes after its child where it
   * ends later, and some names have more than one span, which come in any order.
   */
  async function hasBelow(traceId: string, parents: Readonly<Record<string, string | undefined>>): Promise<void> {
    const nameOf = (id: string | undefined) => spansOf(traceId).find(({ spanId }) => spanId === id)?.name;
    const isThere = ([name, parent]: [string, string | undefined]) =>
      spansOf(traceId).some((span) => span.name === name && nameOf(span.parentSpanId) === parent);
    const missing = () => Object.entries(parents).filter((pair) => !isThere(pair));
    await eventually(() => missing().length === 0, {
      what: () =>
        missing()
          .map(([name, parent]) => `${name} below ${parent ?? 'nothing'}`)
          .join(', '),
    });
  }

  it('comes from the request through dispatch, workflow and backend to the webhook', async () => {
    const stopTracing = beginTracing();
    const [traceId, clientSpan] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const sent = await call(engine, 'POST', '/api/v1/messages/send', {
      key: agency.scopedKey,
      headers: { traceparent: `00-${traceId}-${clientSpan}-01` },
      body: { to: '+15550107777', text: 'a text that no trace shows' },
    });
    const messageId = String(sent.body['messageId']);
    const traceOf = (id: string) =>
      receiver.received.find(({ raw }) => raw.includes(id) && raw.includes('message.ack'))?.headers;
    await hasBelow(traceId, {
      'POST /api/v1/messages/send': undefined,
      dispatch: 'POST /api/v1/messages/send',
      deliverMessage: 'dispatch',
      sendMessage: 'deliverMessage',
      'backend POST': 'sendMessage',
      webhook: 'POST /api/v1/messages/send',
    });
    await stopTracing();
    expect(spansOf(traceId).find(({ name }) => name === 'POST /api/v1/messages/send')?.parentSpanId).toBe(clientSpan);
    expect((await eventually(() => traceOf(messageId)))['traceparent']).toContain(traceId);
    for (const personal of ['15550107777', 'a text that no trace shows', agency.session.name, agency.session.id]) {
      expect(otlp.raw.join('')).not.toContain(personal);
    }
    // The header changes nothing that the execution does, so workers replay it.
    const history = await engine.temporal.workflow.getHandle(workflowId('deliverMessage', messageId)).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: workflowBundle(), sinks: tracingSinks }, history);
    // Switched off, nothing is carried any more.
    const untraced = await send(engine, agency, '+15550107778', 'later');
    expect((await eventually(() => traceOf(untraced.messageId)))['traceparent']).toBeUndefined();
    expect(await findRow(engine.database, 'message', { id: untraced.messageId }, ['trace'])).toEqual({ trace: null });
  });
  it('finds what somebody has written with what the agent and automations made of it, each message in a trace of its own', async () => {
    const { scopedKey, dashboardKey, agencyId, tenantId, session } = agency;
    const [from, text] = ['15550107799', 'words that no trace shows'];
    await call(engine, 'PUT', '/api/v1/ai-sales-agent/persona', {
      key: scopedKey,
      body: { agentName: 'Ada', systemPrompt: 'You sell boats.', quietPeriodMs: 60, extractMemories: false },
    });
    await call(engine, 'PUT', '/api/v1/ai-sales-agent/state', { key: scopedKey, body: { enabled: true } });
    await call(engine, 'PUT', '/api/v1/automations/welcome-contact', {
      key: dashboardKey,
      body: { agencyId, tenantId, enabled: true },
    });
    const stopTracing = beginTracing();
    const traceOf = async (body: string): Promise<string> => {
      await personWrites(engine, session.name, { from, text: body });
      const [row] = await eventually(async () => {
        const found = await findRows(engine.database, 'message', { direction: 'in', body, trace: not(null) }, [
          'trace',
        ]);
        return found.length > 0 && found;
      });
      return row?.trace?.split('-')[1] ?? '';
    };
    const first = await traceOf(text);
    await hasBelow(first, {
      dispatch: 'message in',
      runAutomation: 'dispatch',
      sendText: 'runAutomation',
      // Below the agent's execution, which is open still.
      answerTurn: undefined,
      webhook: 'message in',
    });
    expect(spansOf(first).find(({ name }) => name === 'message in')?.parentSpanId).toBeUndefined();
    // The agent's execution goes on in the trace of what it answers.
    const second = await traceOf('more of them');
    expect(second).not.toBe(first);
    await hasBelow(second, {
      dispatch: 'message in',
      answerTurn: 'dispatch',
      sendMessage: 'deliverMessage',
    });
    await stopTracing();
    for (const personal of [from, text, session.name, session.id]) expect(otlp.raw.join('')).not.toContain(personal);
    const [conversation] = await findRows(engine.database, 'message', { body: text }, { id: 'conversationId' });
    const id = workflowId('aiConversation', conversation?.id ?? '');
    const history = await engine.temporal.workflow.getHandle(id).fetchHistory();
    await Worker.runReplayHistory({ workflowBundle: workflowBundle(), sinks: tracingSinks }, history);
  });
});
