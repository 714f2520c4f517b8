import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { activityInfo } from '@temporalio/activity';
import type { WorkflowHandle, WorkflowHandleWithFirstExecutionRunId, WorkflowOptions } from '@temporalio/client';
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { createActivities } from '../../activities/index.ts';
import { createLogger } from '../../api/wire/logger.ts';
import { TASK_QUEUES } from '../../domain/names.ts';
import type { SignalName, TaskQueue } from '../../domain/names.ts';
import type { SearchAttribute } from '../../domain/workflows.ts';
import { installRuntime } from '../../worker/runtime.ts';
import type * as workflows from '../../workflows/index.ts';
import { eventually } from '../support/eventually.ts';
import { timeSkippingServer, workflowBundle } from '../support/servers.ts';

type Queues = ReturnType<typeof createActivities>['queues'];
type Activities = Queues['engine'] & Queues['delivery'] & Queues['webhooks'] & Queues['ai'] & Queues['sync'];

/** Temporal's number for that type. */
const KEYWORD = 2;

/** A third of the four mebibytes at which Temporal suggests a new run, and some more. */
const LARGE_BYTES = 1_500_000;

/** The activities' responses in a test; an unnamed activity fails its workflow. */
export type Mocks = Partial<Activities>;

/**
 * Workflows alone, against a server that skips the time in which nothing happens; the only place where activities are mocked.
 * The clock is the server's and one for all its workflows, so each file has a server of its own. `queues` are those that the
 * workflow's activities are sent to; local activities need none.
 */
export function workflowScene(...queues: TaskQueue[]) {
  let environment: TestWorkflowEnvironment;
  let workers: Worker[] = [];
  let runs: Promise<unknown> = Promise.resolve();
  let mocks: Mocks = {};
  let called: { name: string; input: unknown }[] = [];
  let started = 0;
  let open: WorkflowHandle[] = [];

  /** At rest only: the server never skips time again once an activity was lost with its workflow. */
  async function end({ workflowId }: WorkflowHandle): Promise<void> {
    const latest = environment.client.workflow.getHandle(workflowId);
    const isOpen = async () => (await latest.describe()).status.name === 'RUNNING';
    await eventually(async () => !(await isOpen()) || rests(latest), { what: `${workflowId} to rest` });
    if (await isOpen()) await latest.terminate();
  }

  async function answer(...inputs: unknown[]): Promise<unknown> {
    const { activityType: name } = activityInfo();
    called.push({ name, input: inputs[0] });
    const mock: unknown = Reflect.get(mocks, name);
    if (typeof mock !== 'function')
      throw ApplicationFailure.nonRetryable(`The test does not say what ${name} answers.`);
    return Reflect.apply(mock, undefined, inputs);
  }

  beforeAll(async () => {
    installRuntime(createLogger({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent', name: 'test' }), null);
    environment = await TestWorkflowEnvironment.createTimeSkipping({ server: timeSkippingServer() });
    const options = { connection: environment.nativeConnection, activities: { default: answer } };
    workers = await Promise.all([
      Worker.create({ ...options, taskQueue: TASK_QUEUES.engine, workflowBundle: workflowBundle() }),
      ...queues.map((queue) => Worker.create({ ...options, taskQueue: TASK_QUEUES[queue] })),
    ]);
    runs = Promise.all(workers.map((worker) => worker.run()));
  });
  beforeEach(() => {
    mocks = {};
    called = [];
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map(end));
  });
  afterAll(async () => {
    for (const worker of workers) worker.shutdown();
    await runs;
    await environment.teardown();
  });

  return {
    /** Says what the activities answer from now on, beside what was said before. */
    mock(given: Mocks): void {
      mocks = { ...mocks, ...given };
    },

    /** Returns the arguments of the activity, call by call. */
    calls: (name: keyof Activities): unknown[] => called.filter((call) => call.name === name).map(({ input }) => input),

    start(type: keyof typeof workflows, ...args: unknown[]): Promise<WorkflowHandleWithFirstExecutionRunId> {
      return this.startWith({}, type, ...args);
    },

    async startWith(
      options: Pick<WorkflowOptions, 'typedSearchAttributes'>,
      type: keyof typeof workflows,
      ...args: unknown[]
    ): Promise<WorkflowHandleWithFirstExecutionRunId> {
      started += 1;
      const id = { workflowId: `${type}/${started}`, taskQueue: TASK_QUEUES.engine };
      const handle = await environment.client.workflow.start(type, { ...options, ...id, args });
      open.push(handle);
      return handle;
    },

    /** The namespace has it from now on. */
    async addSearchAttribute(name: SearchAttribute): Promise<void> {
      const searchAttributes = { [name]: KEYWORD };
      await environment.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes });
    },

    /** Lets the time pass, and whatever is due in it happen. */
    pass: (ms: number): Promise<void> => environment.sleep(ms),

    /** Makes its history so large that Temporal suggests a new run; the signal's payload is read by nobody. */
    async fillHistory(handle: WorkflowHandle, signal: SignalName): Promise<void> {
      for (let part = 0; part < 3; part += 1) await handle.signal(signal, 'x'.repeat(LARGE_BYTES));
    },

    /** Its first run, where it goes on in another one. */
    firstRun: ({ workflowId, firstExecutionRunId }: WorkflowHandleWithFirstExecutionRunId): WorkflowHandle =>
      environment.client.workflow.getHandle(workflowId, firstExecutionRunId),

    /** Whichever run is the latest. */
    latestRun: ({ workflowId }: WorkflowHandle): WorkflowHandle => environment.client.workflow.getHandle(workflowId),
  };
}

/** Nothing of it runs: neither its code nor an activity. */
export async function rests(handle: WorkflowHandle): Promise<boolean> {
  const { events } = await handle.fetchHistory();
  let running = 0;
  for (const event of events ?? []) {
    if (event.workflowTaskScheduledEventAttributes ?? event.activityTaskScheduledEventAttributes) running += 1;
    if (event.workflowTaskCompletedEventAttributes ?? event.workflowTaskFailedEventAttributes) running -= 1;
    if (event.activityTaskCompletedEventAttributes ?? event.activityTaskFailedEventAttributes) running -= 1;
    if (event.activityTaskCanceledEventAttributes) running -= 1;
  }
  return running === 0;
}

/** Returns the text that Temporal's UI shows above the history. */
export async function detailsOf(handle: WorkflowHandle): Promise<string> {
  const { currentDetails } = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return currentDetails ?? '';
}

/** The timers that a run has set, each with its summary and its length. */
export async function timersOf(handle: WorkflowHandle): Promise<{ summary: string; ms: number }[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ timerStartedEventAttributes: timer, userMetadata }) => {
    if (!timer) return [];
    const summary = userMetadata?.summary ? String(defaultPayloadConverter.fromPayload(userMetadata.summary)) : '';
    const { seconds, nanos } = timer.startToFireTimeout ?? {};
    return [{ summary, ms: Number(seconds ?? 0) * 1_000 + (nanos ?? 0) / 1e6 }];
  });
}

/** Returns the arguments of a run. */
export async function argumentsOf(handle: WorkflowHandle): Promise<unknown[]> {
  const { events } = await handle.fetchHistory();
  const input = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  return input.map((payload) => defaultPayloadConverter.fromPayload(payload));
}

/** Answers one after the other, the last one from then on. */
export function inTurn<T>(...answers: [T, ...T[]]): () => Promise<T> {
  const [first] = answers;
  let last = first;
  return async () => {
    last = answers.shift() ?? last;
    return last;
  };
}

export const DECISION = { actor: 'operator', reason: 'looked into the chat' };
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
