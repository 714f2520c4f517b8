import { fileURLToPath } from 'node:url';
import { ResourceBasedController, Worker } from '@temporalio/worker';
import type {
  NativeConnection,
  WorkerDeploymentOptions,
  WorkerOptions,
  ActivityInterceptors,
  InjectedSinks,
} from '@temporalio/worker';
import type { Context } from '@temporalio/activity';
import { defaultPayloadConverter } from '@temporalio/common';
import type { createActivities } from '../activities/index.ts';
import { TASK_QUEUES, WORKFLOW_QUEUES } from '../domain/names.ts';
import type { TaskQueue } from '../domain/names.ts';
import { activityInterceptors } from './interceptors.ts';
import { readCores } from './cores.ts';
import { POLLERS, TARGETS, tunerOf } from './slots.ts';
import { inSpan, isTracing, tellSpan, TRACEPARENT } from '../domain/telemetry/tracing.ts';
import type { TracingSinks } from '../workflows/interceptors.ts';

/** The version of this worker, if Temporal decides which versions work. */
export type WorkerVersion = WorkerDeploymentOptions['version'];

export interface WorkersOptions {
  connection: NativeConnection;
  namespace: string;
  queues: ReturnType<typeof createActivities>['queues'];
  only: readonly TaskQueue[] | null;
  version: WorkerVersion | null;
  onUnknownError: (error: unknown) => void;
  /** The bundle that `bin/bundle.ts` has made. Without a bundle the worker makes its own at its start. */
  workflowBundle?: WorkerOptions['workflowBundle'];
}

const CACHED_WORKFLOWS = { engine: 500, people: 50 };
const WORKFLOW_INTERCEPTORS = fileURLToPath(new URL('../workflows/interceptors.ts', import.meta.url));
const GRACE_MS = 5_000;
/** After this time the worker no longer waits for an activity that does not end. */
const FORCE_MS = 8_000;

/**
 * Makes one worker for each task queue. The workers of `engine` and `people` run workflows and their local activities.
 * Whoever serves `engine` also serves `people`, so that a process that names its queues leaves no person's send
 * waiting.
 */
export async function createWorkers(options: WorkersOptions): Promise<Worker[]> {
  const { only } = options;
  const names = Object.values(TASK_QUEUES).filter(
    (queue) => only === null || only.includes(queue) || (queue === 'people' && only.includes('engine')),
  );
  const controller = ResourceBasedController.create(TARGETS);
  const cores = readCores();
  return Promise.all(
    names.map((queue) =>
      Worker.create({
        connection: options.connection,
        namespace: options.namespace,
        taskQueue: TASK_QUEUES[queue],
        activities: options.queues[queue],
        interceptors: {
          activity: [traceActivities, activityInterceptors(options.onUnknownError)],
          // A bundle has them inside, and the SDK warns of those that it is given beside one.
          ...(WORKFLOW_QUEUES.has(queue) && options.workflowBundle === undefined
            ? { workflowModules: [WORKFLOW_INTERCEPTORS] }
            : {}),
        },
        sinks: tracingSinks,
        tuner: tunerOf(queue, controller, cores),
        ...POLLERS,
        shutdownGraceTime: GRACE_MS,
        shutdownForceTime: FORCE_MS,
        ...(options.version === null ? {} : { workerDeploymentOptions: versioned(options.version) }),
        ...(queue === 'engine' || queue === 'people' ? workflowOptions(queue, options) : {}),
      }),
    ),
  );
}

/**
 * Lets open executions go on with the current version. Most of them live for days, and tests replay the histories of
 * each release.
 */
function versioned(version: WorkerVersion): WorkerDeploymentOptions {
  return { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' };
}

function workflowOptions(
  queue: keyof typeof CACHED_WORKFLOWS,
  { workflowBundle }: WorkersOptions,
): Partial<WorkerOptions> {
  return {
    maxCachedWorkflows: CACHED_WORKFLOWS[queue],
    ...(workflowBundle === undefined
      ? { workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)) }
      : { workflowBundle }),
  };
}

/** Runs an activity in a span of the trace that its workflow carries. */
function traceActivities({ info }: Context): ActivityInterceptors {
  return {
    inbound: {
      execute(input, next) {
        const header = isTracing() ? input.headers[TRACEPARENT] : undefined;
        if (header === undefined) return next(input);
        const parent = String(defaultPayloadConverter.fromPayload(header));
        const attributes = { attempt: info.attempt, queue: info.taskQueue };
        return inSpan({ name: info.activityType, kind: 'consumer', parent, attributes }, () => next(input));
      },
    },
  };
}

/** Tells the span of a workflow's run once, not at its replays. */
export const tracingSinks: InjectedSinks<TracingSinks> = {
  tracing: {
    runEnded: {
      callDuringReplay: false,
      fn: (_info, run) => tellSpan({ ...run, kind: 'internal' }),
    },
  },
};
