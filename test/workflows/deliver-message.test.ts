import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { SendResult } from '../../activities/sending/send-result.ts';
import { OUTCOME_OPEN, SIGNALS, STATE_QUERY } from '../../domain/names.ts';
import { searchAttributePairs } from '../../loops/dispatch/search-attributes.ts';
import { eventually } from '../support/eventually.ts';
import { HOUR_MS, argumentsOf, inTurn, timersOf, workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene('delivery');

const sent: SendResult = { state: 'sent', level: 0, watch: true };
const waiting: SendResult = { state: 'waiting', reason: 'the session is away' };
const retry: SendResult = { state: 'retry', reason: 'the backend is busy' };
const ended = (status: string): SendResult => ({ state: 'ended', status, reason: null });

const aMessage = () => scene.start('deliverMessage', 'msg_1');
const phaseOf = async (message: WorkflowHandle) => (await message.query<{ phase: string }>(STATE_QUERY)).phase;
const until = (message: WorkflowHandle, phase: string) =>
  eventually(async () => (await phaseOf(message)) === phase, { what: `the message to be ${phase}` });

describe('deliverMessage: a message that is sent', () => {
  it('acked: is delivered when the network says so', async () => {
    scene.mock({ sendMessage: inTurn(sent) });
    const message = await aMessage();
    await until(message, 'watching');
    await message.signal(SIGNALS.acked, 1);
    await message.signal(SIGNALS.acked, 2);
    expect(await message.result()).toBe('delivered');
    expect(await phaseOf(message)).toBe('ended');
  });

  it('has failed when the network says so', async () => {
    scene.mock({ sendMessage: inTurn(sent) });
    const message = await aMessage();
    await message.signal(SIGNALS.acked, -1);
    expect(await message.result()).toBe('failed');
  });

  it('is watched for its delivery for two minutes, then it is sent', async () => {
    scene.mock({ sendMessage: inTurn(sent) });
    const message = await aMessage();
    expect(await message.result()).toBe('sent');
    expect(await timersOf(message)).toEqual([{ summary: 'waiting for the delivery ack', ms: 120_000 }]);
  });

  it.each([
    ['bulk', { ...sent, watch: false }, 'sent'],
    ['delivered already', { ...sent, level: 2 }, 'delivered'],
  ] as const)('is not watched when it is %s', async (_, result, outcome) => {
    scene.mock({ sendMessage: inTurn<SendResult>(result) });
    const message = await aMessage();
    expect(await message.result()).toBe(outcome);
    expect(await timersOf(message)).toEqual([]);
  });

  it('is prepared first where a local activity would take too long', async () => {
    scene.mock({ sendMessage: async () => ({ state: 'to_prepare' }), prepareAndSend: inTurn(ended('failed')) });
    expect(await (await aMessage()).result()).toBe('failed');
    expect(scene.calls('prepareAndSend')).toEqual([{ messageId: 'msg_1' }]);
  });
});

describe('deliverMessage: a message that waits for its session', () => {
  it('released: goes on when the session may send again', async () => {
    scene.mock({ sendMessage: inTurn<SendResult>(waiting, { ...sent, watch: false }) });
    const message = await aMessage();
    await until(message, 'waiting');
    await message.signal(SIGNALS.released);
    expect(await message.result()).toBe('sent');
  });

  it('is looked at again after twenty-four hours, when it is worthless', async () => {
    scene.mock({ sendMessage: inTurn(waiting, ended('failed')) });
    const message = await aMessage();
    await until(message, 'waiting');
    await scene.pass(23 * HOUR_MS);
    expect(scene.calls('sendMessage')).toHaveLength(1);
    expect(await message.result()).toBe('failed');
    expect(await timersOf(message)).toEqual([{ summary: 'until it is worthless', ms: 24 * HOUR_MS }]);
  });
});

describe('deliverMessage: a message that is tried again', () => {
  it('waits longer from time to time, at most a minute', async () => {
    scene.mock({ sendMessage: inTurn(retry, retry, retry, retry, retry, retry, retry, ended('failed')) });
    const message = await aMessage();
    await message.result();
    expect((await timersOf(message)).map(({ ms }) => ms / 1_000)).toEqual([2, 4, 8, 16, 32, 60, 60]);
  });

  it('changed: is tried at once when its row has changed', async () => {
    scene.mock({ sendMessage: inTurn(retry, ended('cancelled')) });
    const message = await aMessage();
    await until(message, 'pausing');
    await message.signal(SIGNALS.changed);
    await eventually(async () => (await message.describe()).status.name === 'COMPLETED');
  });

  it('goes on in a new run when its hundred tries are used up, with what it has come to', async () => {
    const begun = { attempts: 98, waits: 98, level: 0, toPrepare: true, pauseMs: 32_000, roundsLeft: 2 };
    scene.mock({ prepareAndSend: inTurn<SendResult>(retry, retry, ended('failed')) });
    const message = await scene.start('deliverMessage', 'msg_1', begun);
    expect(await message.result()).toBe('failed');
    expect((await scene.firstRun(message).describe()).status.name).toBe('CONTINUED_AS_NEW');
    const carried = { ...begun, attempts: 100, waits: 100, pauseMs: 60_000, roundsLeft: 100 };
    expect(await argumentsOf(scene.latestRun(message))).toEqual(['msg_1', carried]);
  });
});

describe('deliverMessage: a message of which nobody knows whether it went out', () => {
  const unsettled = { state: 'unsettled' } as const;

  it('is looked for until it is known, and not sent again before', async () => {
    scene.mock({
      sendMessage: inTurn<SendResult>(unsettled),
      settleMessage: inTurn(
        { ...unsettled, lookAgainInMs: 10_000 },
        { ...unsettled, lookAgainInMs: 10_000 },
        { ...sent, watch: false },
      ),
    });
    const message = await aMessage();
    expect(await message.result()).toBe('sent');
    expect(scene.calls('sendMessage')).toHaveLength(1);
    expect(scene.calls('settleMessage')).toEqual([false, true, true].map((again) => ({ messageId: 'msg_1', again })));
    expect((await timersOf(message)).map(({ ms }) => ms)).toEqual([10_000, 10_000]);
  });

  it('is sent again once it is certain that it did not go out', async () => {
    scene.mock({
      sendMessage: inTurn<SendResult>(unsettled, { ...sent, watch: false }),
      settleMessage: inTurn(retry),
    });
    expect(await (await aMessage()).result()).toBe('sent');
    expect(scene.calls('sendMessage')).toHaveLength(2);
  });
});

describe('deliverMessage: the search attribute Outcome', () => {
  const outcomeOf = async (message: WorkflowHandle) =>
    (await message.describe()).typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);

  it('says how it ended, where the message began with it', async () => {
    scene.mock({ sendMessage: inTurn(ended('failed')) });
    await scene.addSearchAttribute('Outcome');
    const typedSearchAttributes = searchAttributePairs({ Outcome: OUTCOME_OPEN }, new Set(['Outcome']));
    const message = await scene.startWith({ typedSearchAttributes }, 'deliverMessage', 'msg_1');
    await message.result();
    expect(await outcomeOf(message)).toEqual([['Outcome', 'failed']]);
  });

  it('is left alone in a namespace that lacks it', async () => {
    scene.mock({ sendMessage: inTurn(ended('failed')) });
    const message = await aMessage();
    await message.result();
    expect(await outcomeOf(message)).toEqual([]);
  });
});
