import {
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Client, WorkflowOptions } from '@temporalio/client';
import type { Dispatch } from '../db/dispatch.ts';
import { isWorkflowType, PRIORITY, TASK_QUEUES } from '../domain/names.ts';
import { WORKFLOWS } from '../domain/workflows.ts';
import type { SearchAttribute } from '../domain/workflows.ts';
import { searchAttributePairs } from './search-attributes.ts';

/** The outcome of handing one dispatch to Temporal. */
export type DispatchOutcome =
  | { outcome: 'done' }
  /**
   * The workflow runs only once and has already ended. That is right only if its row is terminal, which the dispatcher
   * checks.
   */
  | { outcome: 'already_completed' }
  | { outcome: 'refused'; error: string }
  /**
   * `atOnce` means that nothing is wrong with the dispatch itself, so it need not pause once Temporal answers again.
   */
  | { outcome: 'failed'; error: string; temporalDown: boolean; atOnce: boolean; namesChanged?: boolean };

export interface SendOptions {
  client: Client;
  attributes: ReadonlySet<SearchAttribute>;
  /** True when the client shares a worker's connection. The first workflow task then comes back with the start. */
  eager: boolean;
}

/** Eager starts pay off when somebody waits: for replies, API sends and the AI. */
const EAGER_UP_TO_PRIORITY = 3;

/**
 * The client itself tries for ten seconds. Its call may still succeed after this time; the repeated call then changes
 * nothing.
 */
const ANSWER_WITHIN_MS = 5_000;
const NO_ANSWER: DispatchOutcome = {
  outcome: 'failed',
  error: 'Temporal did not answer in time',
  temporalDown: true,
  atOnce: true,
};

/**
 * A slice that cannot go on, because a deploy was rolled back to a release that does not know slices, ends after this
 * time. Its rows do not wait for that.
 */
const SLICE_TIMEOUT = '1 day';

/** gRPC status codes (source: the gRPC specification). */
const GRPC = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** Starts or signals one workflow. It is safe to repeat, because ids are deterministic and signals are hints. */
export async function sendDispatch(dispatch: Dispatch, options: SendOptions): Promise<DispatchOutcome> {
  if (!isWorkflowType(dispatch.workflowType)) {
    return { outcome: 'refused', error: `unknown workflow type ${dispatch.workflowType}` };
  }
  const late = Promise.withResolvers<DispatchOutcome>();
  const patience = setTimeout(() => late.resolve(NO_ANSWER), ANSWER_WITHIN_MS);
  try {
    return await Promise.race([callTemporal(dispatch, options), late.promise]);
  } catch (error) {
    // A workflow that has closed needs no hint. A start never fails in this way, because it does not need a workflow to
    // be there.
    if (error instanceof WorkflowNotFoundError && dispatch.action === 'signal') return { outcome: 'done' };
    if (error instanceof WorkflowExecutionAlreadyStartedError) {
      return { outcome: WORKFLOWS[dispatch.workflowType].once ? 'already_completed' : 'done' };
    }
    return failure(error);
  } finally {
    clearTimeout(patience);
  }
}

async function callTemporal(dispatch: Dispatch, options: SendOptions): Promise<DispatchOutcome> {
  const { client } = options;
  if (dispatch.action === 'signal') {
    await client.workflow.getHandle(dispatch.workflowId).signal(dispatch.signal ?? '', ...dispatch.signalArgs);
    return { outcome: 'done' };
  }
  const start = startOptions(dispatch, options);
  if (dispatch.action === 'signal_with_start') {
    await client.workflow.signalWithStart(dispatch.workflowType, {
      ...start,
      signal: dispatch.signal ?? '',
      signalArgs: dispatch.signalArgs,
    });
    return { outcome: 'done' };
  }
  const eager = { ...start, requestEagerStart: options.eager && dispatch.priority <= EAGER_UP_TO_PRIORITY };
  if (dispatch.signal === null) {
    await client.workflow.start(dispatch.workflowType, eager);
    return { outcome: 'done' };
  }
  try {
    await client.workflow.start(dispatch.workflowType, { ...eager, workflowIdConflictPolicy: 'FAIL' });
    return { outcome: 'done' };
  } catch (error) {
    // The workflow is open after all, so it has to be told.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return callTemporal({ ...dispatch, action: 'signal_with_start' }, options);
  }
}

function startOptions(dispatch: Dispatch, options: SendOptions): WorkflowOptions & { args: unknown[] } {
  const oneShot = isWorkflowType(dispatch.workflowType) && WORKFLOWS[dispatch.workflowType].once;
  return {
    workflowId: dispatch.workflowId,
    taskQueue: TASK_QUEUES.engine,
    args: dispatch.args,
    workflowIdReusePolicy: oneShot ? 'ALLOW_DUPLICATE_FAILED_ONLY' : 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    typedSearchAttributes: searchAttributePairs(dispatch.attributes, options.attributes),
    ...(dispatch.workflowType === 'deliverSlice' ? { workflowExecutionTimeout: SLICE_TIMEOUT } : {}),
    // Temporal gives nothing of a lower priority out while there is something of a higher one, so what contacts wait for
    // has one priority there, and the fairness key keeps agencies apart.
    priority: {
      priorityKey: dispatch.priority <= PRIORITY.ai ? PRIORITY.api : dispatch.priority,
      fairnessKey: dispatch.agencyId,
    },
    ...(dispatch.summary === null ? {} : { staticSummary: dispatch.summary }),
  };
}

function failure(error: unknown): DispatchOutcome {
  const cause: unknown = error instanceof ServiceError ? error.cause : error;
  const code = isGrpcServiceError(cause) ? cause.code : grpcCode(cause);
  if (isAboutSearchAttributes(cause)) {
    return {
      outcome: 'failed',
      error: 'the namespace lacks a search attribute',
      temporalDown: false,
      atOnce: false,
      namesChanged: true,
    };
  }
  if (code === GRPC.invalidArgument) {
    return { outcome: 'refused', error: `Temporal refused it (gRPC code ${code})` };
  }
  const unreachable = code === GRPC.unavailable || code === GRPC.deadlineExceeded;
  // A refused key heals when somebody changes it. Temporal may let the probe in and still refuse starts, so these
  // dispatches pause.
  const denied = code === GRPC.permissionDenied || code === GRPC.unauthenticated;
  return {
    outcome: 'failed',
    error: `Temporal could not take it (gRPC code ${code ?? 'none'})`,
    temporalDown: unreachable || denied,
    atOnce: unreachable,
  };
}

/**
 * A namespace that was made anew knows its attributes only after a moment, so this error heals. Other bad arguments do
 * not.
 */
function isAboutSearchAttributes(error: unknown): boolean {
  return error instanceof Error && /search attribute/i.test(error.message);
}

/** The native connection reports gRPC errors as plain errors with a numeric code. */
function grpcCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'number' ? code : undefined;
}
