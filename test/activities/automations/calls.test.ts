import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createCallActivities } from '../../../activities/automations/calls.ts';
import { createStepActivities } from '../../../activities/automations/steps.ts';
import type { PostAnswer, PostRequest } from '../../../adapters/egress/post.ts';
import { stopAutomations, resumeAutomations } from '../../../db/automations/stop.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { EQUAL_SHARES } from '../../../domain/shares.ts';
import { askSatisfaction } from '../../../workflows/automations/index.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { eventually } from '../../support/eventually.ts';
import { changeRows, findRows, plus } from '../../support/rows.ts';
import { inActivity } from '../in-activity.ts';
import { anEndpoint } from '../webhooks/a-drained-endpoint.ts';
import { executionScene } from './execution-scene.ts';

const { database, session } = await databaseOfThisFile();
const { anExecution } = executionScene(database, session);
const answers = { stock: z.object({ pieces: z.int(), kind: z.enum(['boat', 'oar']) }) };
const automations = new Catalogue({ askSatisfaction: { ...askSatisfaction, answers } });

const posted: PostRequest[] = [];
/** A receiver that does not answer yet. */
let held: Promise<void> | undefined;
let reply: { status: number; text?: string; retryAfter?: string } | { failure: 'timeout' | 'blocked_address' };
const egress = {
  async post(request: PostRequest): Promise<PostAnswer> {
    posted.push(request);
    await held;
    const timings = { durationMs: 5, connectMs: 1, firstByteMs: 2, reused: false };
    if ('failure' in reply) return { outcome: 'failed', ...reply, ...timings };
    const { status, text = '', retryAfter = null } = reply;
    return { outcome: 'answered', status, retryAfter, location: null, bytes: Buffer.from(text), ...timings };
  },
};
const { callWebhook } = createCallActivities({ database, egress, automations, shares: EQUAL_SHARES });
const { noteFailure } = createStepActivities({ database, automations });

async function aCall(more: { url?: string; answer?: string } = {}) {
  const { executionId, conversationId } = await anExecution();
  const { url = 'https://shop.test/hook?token=hidden', answer = null } = more;
  const endpointId = await anEndpoint(database, { url });
  const step = { executionId, number: 1, name: 'askWebhook', besidePeople: false };
  return { conversationId, ...step, endpointId, data: { order: 17, kind: 'express' }, answer };
}

const call = (given: Awaited<ReturnType<typeof aCall>>, attempt = 1) => {
  const { conversationId: _conversation, ...input } = given;
  return inActivity(callWebhook, input, { attempt });
};
const stepsOf = async (executionId: string) => {
  const steps = await findRows(database, 'automationStep', { executionId }, ['detail', 'endedAt']);
  return steps.map(({ detail, endedAt }) => ({ detail, isEnded: endedAt !== null }));
};

describe('callWebhook: an automation that calls a system of its tenant', () => {
  it('tells ids, words and numbers, and reads of the answer what it has named', async () => {
    reply = { status: 200, text: JSON.stringify({ pieces: 3, kind: 'oar', note: 'for Ada' }) };
    const given = await aCall({ answer: 'stock' });
    const { executionId, conversationId, endpointId } = given;
    const taken = await call(given);
    const eventId = `${executionId}-1`;
    const detail = { endpointId, eventId, status: 200, answer: { pieces: 3, kind: 'oar' } };
    expect(taken).toEqual({ stop: null, detail });
    expect(await stepsOf(executionId)).toEqual([{ detail, isEnded: true }]);
    const { headers, body } = posted.at(-1) ?? { headers: {}, body: '' };
    expect(headers).toMatchObject({ 'webhook-id': eventId, 'webhook-attempt': '1' });
    expect(JSON.parse(String(body))).toMatchObject({
      event: 'automation.call',
      payload: { executionId, automation: 'ask-satisfaction', conversationId, data: { order: 17, kind: 'express' } },
      metadata: { eventId, tenantId: session.tenantId },
    });
    const before = posted.length;
    expect(await call(given)).toEqual(taken);
    expect(posted).toHaveLength(before);
  });

  it('is repeated with the same id and the same bytes, and waits as long as the system asks', async () => {
    reply = { status: 503, retryAfter: '7' };
    const given = await aCall();
    await expect(call(given)).rejects.toMatchObject({ type: 'webhook_failed', nextRetryDelay: 7_000 });
    reply = { status: 204 };
    expect(await call(given, 2)).toMatchObject({ stop: null, detail: { status: 204 } });
    const [first, again] = posted.slice(-2);
    expect(again?.headers).toMatchObject({ 'webhook-id': first?.headers['webhook-id'], 'webhook-attempt': '2' });
    expect(again?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
  });

  it.each([
    ['a refusal', { status: 400 }, 'webhook_refused', true],
    ['an address that is not public', { failure: 'blocked_address' } as const, 'webhook_refused', true],
    ['silence', { failure: 'timeout' } as const, 'webhook_failed', false],
    ['an answer of another form', { status: 200, text: '{"pieces":"many"}' }, 'answer_unfit', true],
    ['an answer without an end', { status: 200, text: `{"note":"${'x'.repeat(16_384)}` }, 'answer_unfit', true],
  ])('fails by a name after %s, and tells nothing of the address', async (_what, given, type, nonRetryable) => {
    reply = given;
    const failure = await call(await aCall({ answer: 'stock' })).catch((error: unknown) => error);
    expect(failure).toMatchObject({ type, nonRetryable });
    expect(String(failure)).not.toMatch(/shop\.test|hidden/);
  });

  it('that finds its process full says so by a name of its own, and takes no attempt', async () => {
    reply = { status: 204 };
    const given = await Promise.all(Array.from({ length: 30 }, () => aCall()));
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const before = posted.length;
    const full = new Set<unknown>();
    const calls = given.map((each) =>
      call(each).catch((error: unknown) => {
        full.add(error);
        return null;
      }),
    );
    // A tenant has a quarter of the places.
    await eventually(() => posted.length - before + full.size === given.length);
    expect([...full]).toEqual(Array(5).fill(expect.objectContaining({ type: 'calls_full', nonRetryable: true })));
    held = undefined;
    resolve();
    const taken = await Promise.all(calls);
    const again = given.filter((_, place) => taken[place] === null);
    expect(await Promise.all(again.map((each) => call(each)))).toMatchObject(Array(5).fill({ stop: null }));
    expect(posted.length - before).toBe(given.length);
  });

  it('calls only an endpoint that is active and serves the tenant', async () => {
    reply = { status: 204 };
    const before = posted.length;
    const given = await aCall();
    await changeRows(database, 'endpoint', { status: 'paused' }, { id: given.endpointId });
    await expect(call(given)).rejects.toMatchObject({ type: 'endpoint_unusable' });
    const other = await anEndpoint(database, { tenantIds: ['another'] });
    await expect(call({ ...given, endpointId: other })).rejects.toMatchObject({ type: 'endpoint_unusable' });
    const ofSession = await anEndpoint(database);
    await changeRows(database, 'endpoint', { sessionId: session.id }, { id: ofSession });
    await expect(call({ ...given, endpointId: ofSession })).rejects.toMatchObject({ type: 'endpoint_unusable' });
    expect(posted).toHaveLength(before);
  });

  it('is not made once an operator has stopped automations or a person has the conversation', async () => {
    reply = { status: 204 };
    const before = posted.length;
    const given = await aCall();
    const by = { keyId: 'master', actor: 'ops', reason: 'a wrong text' };
    await database.transaction((tx) => stopAutomations(tx, session.agencyId, by));
    expect(await call(given)).toEqual({ stop: 'stopped' });
    await database.transaction((tx) => resumeAutomations(tx, session.agencyId, by));
    await changeRows(
      database,
      'conversation',
      { mode: 'human_takeover', epoch: plus(1) },
      { id: given.conversationId },
    );
    expect(await call(given)).toEqual({ stop: 'taken_over' });
    expect(posted).toHaveLength(before);
  });
});

describe('noteFailure: a step that could not be done', () => {
  it('ends with the reason, which holds when the code runs anew', async () => {
    reply = { status: 204 };
    const given = await aCall();
    const { executionId, number, name } = given;
    await noteFailure({ executionId, number, name, reason: 'webhook_failed' });
    const before = posted.length;
    expect(await call(given)).toEqual({ stop: null, detail: { failed: 'webhook_failed' } });
    expect(posted).toHaveLength(before);
  });
});
