import { describe, expect, it } from '@jest/globals';
import { condition } from '@temporalio/workflow';
import { z } from 'zod';
import type { DryTask } from '../../../domain/automations/dry-run/task.ts';
import { hours } from '../../../domain/automations/time.ts';
import type { Context } from '../../../workflows/automations/context.ts';
import { defineAutomation } from '../../../workflows/automations/define.ts';
import { simulate } from '../../../workflows/automations/dry-run/simulate.ts';

const DAY_MS = 86_400_000;

const answers = { stock: z.object({ pieces: z.int() }) };
const texts = {
  hello: { description: 'Says hello.', usual: 'Hello' },
  bye: { description: 'Says bye.', usual: 'Bye' },
  comes: { description: 'Says when.', usual: 'Number {number}, {name}, comes {day}.', values: ['number', 'day'] },
} as const;
type Tried = Context<'hello' | 'bye', typeof answers, { comes: 'number' | 'day' }>;

async function tried(run: (context: Tried) => Promise<void>, change: Partial<DryTask> = {}) {
  const automation = defineAutomation({
    title: 'Tried',
    description: 'Does what a test says.',
    version: 1,
    params: z.object({}),
    texts,
    answers,
    on: () => ({ event: 'request' }),
    run,
  });
  const task: DryTask = {
    definition: 'tried',
    params: {},
    texts: automation.usual,
    input: null,
    past: [],
    starts: [],
    isWithPerson: false,
    contactName: null,
    conversationId: 'cnv_1',
    language: 'en-GB',
    timeZone: 'UTC',
    acked: 'delivered',
    ...change,
  };
  const start = { atMs: 0, begun: { event: 'request' }, isOptedOut: false };
  const lookAtHours = () => Promise.resolve({ isOpen: false, opensInMs: hours(3) });
  return simulate({ task, start, automationIn: () => automation, lookAtHours, useClock: () => undefined });
}

describe('an automation in virtual time', () => {
  it('ends waits that race in the order of their times', async () => {
    const order: string[] = [];
    const { status, endedAt } = await tried(async (context) => {
      const long = context.sleep(2 * DAY_MS).then(() => order.push('long'));
      const short = context.sleep(DAY_MS).then(() => order.push('short'));
      await Promise.race([long, short]);
      order.push('race');
      await long;
    });
    expect({ status, endedAt, order }).toEqual({
      status: 'completed',
      endedAt: '1970-01-03T00:00:00.000Z',
      order: ['short', 'race', 'long'],
    });
  });

  it('waits for acks as far as they are assumed, and for working hours as the tenant has them', async () => {
    const acks: boolean[] = [];
    const { endedAt } = await tried(async (context) => {
      const id = await context.send('hello');
      acks.push(await context.waitForAck(id, { level: 'delivered', timeoutMs: DAY_MS }));
      acks.push(await context.waitForAck(id, { level: 'read', timeoutMs: DAY_MS }));
      await context.sleepUntilWorkingHours();
    });
    expect({ acks, endedAt }).toEqual({ acks: [true, false], endedAt: '1970-01-02T03:00:00.000Z' });
  });

  it('is not followed for ever, nor beyond its context', async () => {
    const noEnd = await tried(async (context) => {
      for (;;) await context.log('again');
    });
    expect(noEnd).toMatchObject({ status: 'unfinished', reason: 'too_many_steps' });
    expect(noEnd.steps).toHaveLength(100);
    expect(await tried((context) => context.sleep(400 * DAY_MS))).toMatchObject({ reason: 'too_long' });
    expect(await tried(() => new Promise(() => undefined))).toMatchObject({ reason: 'waits_for_ever' });
    expect(await tried(() => condition(() => true))).toMatchObject({ reason: 'beyond_context' });
    const thrown = await tried(() => Promise.reject(new Error('no')));
    const error = { message: 'Error: no', at: null };
    expect(thrown).toMatchObject({ status: 'failed', reason: 'code_failed', error });
    expect(noEnd).toMatchObject({ error: null });
  });

  it.each([
    ['sleep', (context: Tried, ms: number) => context.sleep(ms)],
    ['waitForReply', (context: Tried, timeoutMs: number) => context.waitForReply({ timeoutMs })],
    ['waitForAck', (context: Tried, timeoutMs: number) => context.waitForAck('msg_1', { level: 'read', timeoutMs })],
  ])('is told by %s which times it cannot wait', async (name, wait) => {
    for (const ms of [Number.POSITIVE_INFINITY, Number.NaN, -1, 4_000 * DAY_MS]) {
      const { error, steps } = await tried(async (context) => void (await wait(context, ms)));
      const message = `Error: ${name} cannot wait ${ms} ms: give a number of milliseconds from 0 to 10 years.`;
      expect({ error, steps }).toEqual({ error: { message, at: null }, steps: [] });
    }
    expect(await tried(async (context) => void (await wait(context, 0)))).toMatchObject({ status: 'completed' });
  });

  it('takes what a button says for the button, as the tenant has worded it', async () => {
    const replies: unknown[] = [];
    const ask = async (context: Tried): Promise<void> => {
      await context.sendButtons('hello', ['bye', 'hello']);
      replies.push((await context.waitForReply({ timeoutMs: DAY_MS, choices: ['bye', 'hello'] }))?.choice);
    };
    const says = (body: string) =>
      ({ event: 'message', atMs: hours(1), id: 'msg_1', body, from: 'contact', kind: 'text', pressed: null }) as const;
    const texts = { hello: 'Hallo!', bye: 'Servus' };
    await tried(ask, { texts, past: [says('hallo')] });
    await tried(ask, { texts, past: [says('servus.')] });
    await tried(ask, { texts, past: [says('Gar nicht')] });
    expect(replies).toEqual(['hello', 'bye', null]);
    const long = await tried(ask, { texts: { ...texts, bye: 'x'.repeat(65) } });
    expect(long).toMatchObject({
      reason: 'code_failed',
      error: { message: expect.stringContaining('has 65 characters') },
    });
    const same = await tried(ask, { texts: { hello: 'Ja', bye: 'Ja' } });
    expect(same.error?.message).toContain('says what an earlier button says');
  });

  it('goes on after it has given the conversation to a person itself, and not after somebody else has', async () => {
    const talk = async (context: Tried): Promise<void> => {
      await context.assignHuman();
      await context.send('hello');
      await context.sleep(hours(2));
      await context.send('hello');
    };
    expect(await tried(talk)).toMatchObject({ status: 'completed' });
    const past = [{ event: 'conversation.assigned' as const, atMs: hours(1), byAutomation: false }];
    expect(await tried(talk, { past })).toMatchObject({ status: 'cancelled', reason: 'taken_over' });
    expect(await tried(talk, { isWithPerson: true })).toMatchObject({ reason: 'taken_over', steps: [] });
  });

  it('ends as soon as somebody takes the conversation over while it waits, also if it is released again', async () => {
    const talk = async (context: Tried): Promise<void> => {
      await context.sleep(DAY_MS);
      await context.send('hello');
    };
    const handed = (event: 'conversation.assigned' | 'conversation.released', atMs: number) =>
      ({ event, atMs, byAutomation: false }) as const;
    const past = [handed('conversation.assigned', hours(2)), handed('conversation.released', hours(3))];
    const ended = { status: 'cancelled', reason: 'taken_over', endedAt: '1970-01-01T02:00:00.000Z' };
    expect(await tried(talk, { past })).toMatchObject({ ...ended, steps: [{ name: 'sleep', endedAt: null }] });
    const before = [handed('conversation.assigned', -hours(1)), handed('conversation.released', hours(3))];
    expect(await tried(talk, { past: before })).toMatchObject({ status: 'completed' });
  });

  it('says what would be labelled and told, and goes on by the answers that it is given', async () => {
    const order = async (context: Tried): Promise<void> => {
      await context.label('VIP');
      await context.callWebhook('whe_1', { order: 17 });
      const { pieces } = await context.askWebhook('whe_1', 'stock');
      await context.askAi('stock');
      await context.log(pieces > 2 ? 'enough' : 'few');
    };
    expect(await tried(order, { answers: { stock: { pieces: 3 } } })).toMatchObject({
      status: 'completed',
      steps: [
        { name: 'label', detail: { label: 'VIP', mode: 'add' } },
        { name: 'callWebhook', detail: { endpointId: 'whe_1', data: { order: 17 } } },
        { name: 'askWebhook', detail: { answer: { pieces: 3 } } },
        { name: 'askAi', detail: { answer: { pieces: 3 } } },
        { name: 'log', detail: { word: 'enough' } },
      ],
    });
    const unknown = await tried(order);
    expect(unknown).toMatchObject({ status: 'unfinished', reason: 'needs_answer' });
    expect(unknown.steps).toHaveLength(3);
    expect(await tried(order, { isWithPerson: true })).toMatchObject({ reason: 'taken_over', steps: [] });
  });

  it('fills in a template in the language and the zone of the tenant, and fails where a value is missing', async () => {
    const day = new Date('2026-12-24T08:30:00Z');
    const filled = /^Number 17, Ada, comes Thursday,? 24 December 2026 at 09:30\.$/;
    const sent = await tried(
      async (context) => {
        await context.sendTemplate('comes', { number: 17, day });
      },
      { contactName: 'Ada', timeZone: 'Europe/Berlin' },
    );
    expect(sent.steps).toMatchObject([{ name: 'sendTemplate', detail: { says: expect.stringMatching(filled) } }]);
    const gaps: ((context: Tried) => Promise<unknown>)[] = [
      // @ts-expect-error: a template needs all of its values.
      (context) => context.sendTemplate('comes', { number: 17 }),
      (context) => context.sendTemplate('comes', { number: 'seven or eight', day }),
      // @ts-expect-error: a template is not sent without values.
      (context) => context.sendTemplate('hello', { number: 17 }),
    ];
    for (const gap of gaps) {
      const failed = await tried(async (context) => void (await gap(context)));
      expect(failed).toMatchObject({ status: 'failed', reason: 'code_failed', steps: [] });
    }
  });

  it.each([
    ['has a placeholder that nobody fills in', { usual: 'It comes {when}.' }],
    ['has a value by the name of another', { usual: 'Hello {name}.', values: ['name'] }],
  ])('is refused at once where a text %s', (_what, text) => {
    const define = () =>
      defineAutomation({
        title: 'Refused',
        description: 'Does nothing.',
        version: 1,
        params: z.object({}),
        texts: { wrong: { description: 'A text.', ...text } },
        on: () => ({ event: 'request' }),
        run: () => Promise.resolve(),
      });
    expect(define).toThrow(/wrong/);
  });
});
