import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { SendResult } from '../../activities/sending/send-result.ts';
import { SIGNALS, STATE_QUERY, UPDATES } from '../../domain/names.ts';
import { eventually } from '../support/eventually.ts';
import { DECISION, HOUR_MS, inTurn, timersOf, workflowScene, detailsOf } from './a-workflow-scene.ts';

const scene = workflowScene();
const waiting: SendResult = { state: 'waiting', reason: 'the session is away' };
const uncertain: SendResult = { state: 'ended', status: 'uncertain', reason: null };
const ended = (status: string): SendResult => ({ state: 'ended', status, reason: null });
const resolved = async () => ({ status: 'sent', resentAs: null });
const cancelled = async () => ({ status: 'cancelled' as const });

/** A message that has come to that phase. */
async function aMessageThatIs(phase: string): Promise<WorkflowHandle> {
  const message = await scene.start('deliverMessage', 'msg_1');
  await eventually(async () => (await message.query<{ phase: string }>(STATE_QUERY)).phase === phase, {
    what: `the message to be ${phase}`,
  });
  return message;
}

const decide = (message: WorkflowHandle, update: string, decision: object): Promise<unknown> =>
  message.executeUpdate(update, { args: [decision] });

describe('cancel: a message that waits', () => {
  it('is cancelled by the operator who says why', async () => {
    scene.mock({ sendMessage: inTurn(waiting, ended('cancelled')), cancelMessage: cancelled });
    const message = await aMessageThatIs('waiting');
    expect(await decide(message, UPDATES.cancel, DECISION)).toEqual({ status: 'cancelled' });
    expect(await message.result()).toBe('cancelled');
    expect(scene.calls('cancelMessage')).toEqual([{ messageId: 'msg_1', ...DECISION }]);
  });

  it.each([
    ['nobody', { reason: 'why' }],
    ['no reason', { actor: 'operator', reason: '  ' }],
    ['a reason of 501 characters', { actor: 'operator', reason: 'x'.repeat(501) }],
  ])('is not cancelled for %s', async (_, decision) => {
    scene.mock({ sendMessage: inTurn(waiting) });
    const message = await aMessageThatIs('waiting');
    await expect(decide(message, UPDATES.cancel, decision)).rejects.toMatchObject({
      message: 'Workflow Update failed',
      cause: { type: 'invalid_request', nonRetryable: true },
    });
    expect(scene.calls('cancelMessage')).toEqual([]);
  });

  it('is not cancelled once it may have gone out', async () => {
    scene.mock({ sendMessage: inTurn(uncertain) });
    const message = await aMessageThatIs('uncertain');
    await expect(decide(message, UPDATES.cancel, DECISION)).rejects.toMatchObject({
      cause: { message: 'It is uncertain: too late to cancel.', type: 'message_ended', nonRetryable: true },
    });
  });

  it('tells the operator why the engine refuses it, and not only that an activity has failed', async () => {
    const cancelMessage = async (): Promise<never> => {
      throw ApplicationFailure.nonRetryable('It is delivered: too late to cancel.', 'message_ended');
    };
    scene.mock({ sendMessage: inTurn(waiting), cancelMessage });
    const message = await aMessageThatIs('waiting');
    await expect(decide(message, UPDATES.cancel, DECISION)).rejects.toMatchObject({
      cause: { message: 'It is delivered: too late to cancel.', type: 'message_ended', nonRetryable: true },
    });
  });
});

describe('resolve: an uncertain message', () => {
  it('is what the operator says it is, and its story goes on from there', async () => {
    scene.mock({
      sendMessage: inTurn<SendResult>(uncertain, { state: 'sent', level: 0, watch: false }),
      resolveMessage: resolved,
    });
    const message = await aMessageThatIs('uncertain');
    await scene.pass(71 * HOUR_MS);
    const resolution = { outcome: 'sent', ...DECISION };
    expect(await decide(message, UPDATES.resolve, resolution)).toEqual({ status: 'sent', resentAs: null });
    expect(await message.result()).toBe('sent');
    expect(scene.calls('resolveMessage')).toEqual([{ messageId: 'msg_1', ...resolution }]);
  });

  it('shows the cause, the deadline and the input to paste', async () => {
    scene.mock({ sendMessage: inTurn<SendResult>({ ...uncertain, cause: 'error_answer' }) });
    const message = await aMessageThatIs('uncertain');
    const details = await detailsOf(message);
    expect(details).toContain('Cause: `error_answer`.');
    expect(details).toMatch(/^At the latest until \d{4}-\d\d-\d\dT/m);
    expect(details).toContain('`{"outcome":"sent","actor":"your name","reason":"why"}`');
  });

  it('stays open for seventy-two hours, then it is uncertain for good', async () => {
    scene.mock({ sendMessage: inTurn(uncertain) });
    const message = await aMessageThatIs('uncertain');
    await scene.pass(72 * HOUR_MS - 60_000);
    expect((await message.describe()).status.name).toBe('RUNNING');
    await scene.pass(120_000);
    await eventually(async () => (await message.describe()).status.name === 'COMPLETED');
    expect(await message.result()).toBe('uncertain');
    expect(await timersOf(message)).toEqual([{ summary: 'open for `resolve`', ms: 72 * HOUR_MS }]);
  });

  it('is open no longer because it was told of something else meanwhile', async () => {
    scene.mock({ sendMessage: inTurn(uncertain) });
    const message = await aMessageThatIs('uncertain');
    await scene.pass(48 * HOUR_MS);
    await message.signal(SIGNALS.changed);
    await eventually(() => scene.calls('sendMessage').length === 2);
    expect(await message.result()).toBe('uncertain');
    expect(await timersOf(message)).toHaveLength(1);
  });

  it('is not resolved with an outcome that there is not', async () => {
    scene.mock({ sendMessage: inTurn(uncertain) });
    const message = await aMessageThatIs('uncertain');
    await expect(decide(message, UPDATES.resolve, { outcome: 'lost', ...DECISION })).rejects.toMatchObject({
      cause: { message: '"outcome" must be one of sent, resend, failed.' },
    });
  });

  it('is the only one that is resolved', async () => {
    scene.mock({ sendMessage: inTurn(waiting) });
    const message = await aMessageThatIs('waiting');
    await expect(decide(message, UPDATES.resolve, { outcome: 'sent', ...DECISION })).rejects.toMatchObject({
      cause: { message: 'It is waiting: only an uncertain message can be resolved.' },
    });
  });
});
