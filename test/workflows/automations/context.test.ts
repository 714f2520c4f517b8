import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { createLogger } from '../../../api/wire/logger.ts';
import { TASK_QUEUES } from '../../../domain/names.ts';
import { installRuntime } from '../../../worker/runtime.ts';
import type { takeEachStep } from './context-workflows.ts';
import { timeSkippingServer } from '../../support/servers.ts';

const DAY_MS = 86_400_000;

/** Returns the rows' response: a wait ends with its time. */
const waits = ({ isOver, timeoutMs, forMs }: { isOver: boolean; timeoutMs?: number; forMs?: number }) => ({
  stop: null,
  messageId: null,
  choice: null,
  leftMs: isOver ? 0 : (timeoutMs ?? forMs ?? 0),
});
const done = (detail: object = {}) => ({ stop: null, detail });
const ANSWERS: Readonly<Record<string, (input: never) => object | undefined>> = {
  sendText: () => done({ messageId: 'msg_1' }),
  lookForAck: () => ({ stop: null, messageId: 'msg_1', choice: 'read', leftMs: 0 }),
  lookForReply: waits,
  noteSleep: waits,
  lookAtHours: () => done({ isOpen: false, opensInMs: DAY_MS }),
  changeHandsFor: () => done(),
  rememberText: () => done(),
  noteWord: () => done(),
  noteFailure: () => undefined,
  callWebhook: () => {
    fullTimes -= 1;
    if (fullTimes >= 0) throw ApplicationFailure.nonRetryable('As many calls are under way as may be.', 'calls_full');
    return done();
  },
  labelChat: () => {
    throw ApplicationFailure.nonRetryable('The account has no label with this name.', 'label_unknown');
  },
};

/** The processes are full when the call is made first. */
let fullTimes = 7;

describe("an automation's context in Temporal", () => {
  let environment: TestWorkflowEnvironment;
  let workers: Worker[] = [];
  let runs: Promise<unknown> = Promise.resolve();
  const taken: { name: string; input: object }[] = [];

  beforeAll(async () => {
    installRuntime(createLogger({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent', name: 'test' }), null);
    environment = await TestWorkflowEnvironment.createTimeSkipping({ server: timeSkippingServer() });
    const answer = async (input: never): Promise<object | undefined> => {
      const { activityType: name } = activityInfo();
      taken.push({ name, input });
      return ANSWERS[name]?.(input);
    };
    const options = { connection: environment.nativeConnection, activities: { default: answer } };
    const workflowsPath = fileURLToPath(new URL('./context-workflows.ts', import.meta.url));
    workers = await Promise.all([
      Worker.create({ ...options, taskQueue: TASK_QUEUES.engine, workflowsPath }),
      Worker.create({ ...options, taskQueue: TASK_QUEUES.delivery }),
      Worker.create({ ...options, taskQueue: TASK_QUEUES.webhooks }),
    ]);
    runs = Promise.all(workers.map((worker) => worker.run()));
  });
  afterAll(async () => {
    for (const worker of workers) worker.shutdown();
    await runs;
    await environment.teardown();
  });

  it('takes each step once, under its number, waits days in no time, and says what could not be done', async () => {
    const options = { taskQueue: TASK_QUEUES.engine, workflowId: 'context', args: [] as [] };
    const found = await environment.client.workflow.execute<typeof takeEachStep>('takeEachStep', options);
    expect(found).toEqual({
      sent: 'msg_1',
      isRead: true,
      reply: null,
      never: 'waitForReply cannot wait Infinity ms: give a number of milliseconds from 0 to 10 years.',
      failed: 'The step could not be done: label_unknown.',
      days: 3,
    });
    const step = { executionId: 'exe_1' };
    const first = taken.filter(({ input }) => !('isOver' in input) || input.isOver === false);
    expect(first).toMatchObject([
      {
        name: 'sendText',
        input: { ...step, number: 1, text: 'question', buttons: ['yes', 'no'], transactional: true },
      },
      { name: 'lookForAck', input: { ...step, number: 2, messageId: 'msg_1', level: 3, timeoutMs: DAY_MS } },
      { name: 'lookForReply', input: { ...step, number: 3, choices: ['yes'] } },
      { name: 'changeHandsFor', input: { ...step, number: 4, to: 'person', among: ['anna', 'bert'] } },
      { name: 'changeHandsFor', input: { ...step, number: 5, to: 'agent' } },
      { name: 'rememberText', input: { ...step, number: 6, text: 'thanks', days: 30 } },
      { name: 'noteWord', input: { ...step, number: 7, detail: { word: 'score', of: 3 } } },
      { name: 'lookAtHours', input: { ...step, number: 8, name: 'sleepUntilWorkingHours' } },
      { name: 'noteSleep', input: { ...step, number: 9, forMs: DAY_MS } },
      { name: 'noteSleep', input: { ...step, number: 10, forMs: DAY_MS } },
      { name: 'labelChat', input: { ...step, number: 11, label: 'VIP', mode: 'add' } },
      { name: 'noteFailure', input: { ...step, number: 11, reason: 'label_unknown' } },
      // More often than the call itself would be attempted, and one step all the same.
      ...Array.from({ length: 8 }, () => ({ name: 'callWebhook', input: { ...step, number: 12, answer: null } })),
    ]);
  });
});
