import {
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Client, WorkflowOptions } from '@temporalio/client';
import type { Dispatch } from '../../db/dispatch.ts';
import { isWorkflowType, PRIORITY, TASK_QUEUES } from '../../domain/names.ts';
import { WORKFLOWS } from '../../domain/workflows.ts';
import type { SearchAttribute } from '../../domain/workflows.ts';
import { searchAttributePairs } from './search-attributes.ts';
import { TemporalReach } from './temporal-reach.ts';

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
  | { outcome: 'failed'; error: string; atOnce: boolean; namesChanged?: boolean };

export interface SendOptions {
  client: Client;
  attributes: ReadonlySet<SearchAttribute>;
  /** True when the client shares a worker's connection. The first workflow task then comes back with the start. */
  eager: boolean;
  /** True once every worker asks for the tasks of people's sends in a queue of their own. */
  peopleApart?: boolean;
  /** Learns how each call ended, and says how long one may take. */
  reach?: TemporalReach;
  /** Holds, for each call under way, what ends the wait for it. */
  underWay?: Set<() => void>;
}

/** Eager starts pay off when somebody waits: for replies, API sends and the AI. */
const EAGER_UP_TO_PRIORITY = 3;

/** A call goes on after its deadline and may still succeed; the repeated call then changes nothing. */
const NO_ANSWER: DispatchOutcome = {
  outcome: 'failed',
  error: 'Temporal did not answer in time',
  // A pause lets the late call end first. Without one a slow Temporal gets each call twice.
  atOnce: false,
};

/**
 * A slice that cannot go on, because a deploy was rolled back to a release that does not know slices, ends after this
 * time. Its rows do not wait for that.
 */
const SLICE_TIMEOUT = '1 day';

/** gRPC status codes (source: the gRPC specification). */
const GRPC = {
  /** The native connection reports its own deadline so. */
  cancelled: 1,
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
  const { reach = new TemporalReach(), underWay } = options;
  const late = Promise.withResolvers<DispatchOutcome>();
  const waiting = { isOver: false };
  const giveUp = (): void => {
    waiting.isOver = true;
    late.resolve(NO_ANSWER);
  };
  underWay?.add(giveUp);
  const ends = reach.callBegins();
  const patience = setTimeout(() => {
    reach.missed();
    giveUp();
  }, reach.deadlineMs);
  try {
    return await Promise.race([outcomeOf(dispatch, options, { reach, waiting }), late.promise]);
  } finally {
    clearTimeout(patience);
    ends();
    underWay?.delete(giveUp);
  }
}

/**
 * Reports to `reach` what the call says of Temporal, and an answer also when it comes late. Once nobody waits, an end
 * without an answer is not reported: the missed deadline was, and Temporal may answer others again by then.
 */
async function outcomeOf(
  dispatch: Dispatch,
  options: SendOptions,
  { reach, waiting }: { reach: TemporalReach; waiting: { readonly isOver: boolean } },
): Promise<DispatchOutcome> {
  const since = performance.now();
  try {
    const outcome = await callTemporal(dispatch, options);
    reach.answered(performance.now() - since);
    return outcome;
  } catch (error) {
    const kind = unreachableBy(error);
    if (kind === null) reach.answered(performance.now() - since);
    else if (!waiting.isOver) reach[kind]();
    return failureOf(error, dispatch);
  }
}

function failureOf(error: unknown, { workflowType, action }: Dispatch): DispatchOutcome {
  // A workflow that has closed needs no hint. A start never fails in this way, because it does not need a workflow to
  // be there.
  if (error instanceof WorkflowNotFoundError && action === 'signal') return { outcome: 'done' };
  if (error instanceof WorkflowExecutionAlreadyStartedError) {
    const once = isWorkflowType(workflowType) && WORKFLOWS[workflowType].once;
    return { outcome: once ? 'already_completed' : 'done' };
  }
  return failure(error);
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

/** A send by a person, whatever carries it. */
export function isPersonsSend({ workflowType, priority }: Pick<Dispatch, 'workflowType' | 'priority'>): boolean {
  return priority === PRIORITY.reply && (workflowType === 'deliverMessage' || workflowType === 'deliverSlice');
}

function startOptions(dispatch: Dispatch, options: SendOptions): WorkflowOptions & { args: unknown[] } {
  const oneShot = isWorkflowType(dispatch.workflowType) && WORKFLOWS[dispatch.workflowType].once;
  return {
    workflowId: dispatch.workflowId,
    taskQueue: options.peopleApart === true && isPersonsSend(dispatch) ? TASK_QUEUES.people : TASK_QUEUES.engine,
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
  const code = codeOf(error);
  if (isAboutSearchAttributes(causeOf(error))) {
    return { outcome: 'failed', error: 'the namespace lacks a search attribute', atOnce: false, namesChanged: true };
  }
  if (code === GRPC.invalidArgument) {
    return { outcome: 'refused', error: `Temporal refused it (gRPC code ${code})` };
  }
  return {
    outcome: 'failed',
    error: `Temporal could not take it (gRPC code ${code ?? 'none'})`,
    // A refused key heals when somebody changes it. Temporal may let the probe in and still refuse starts, so these
    // dispatches pause.
    atOnce: code === GRPC.unavailable,
  };
}

/** Tells how an error says that Temporal was not reached; null for an error that Temporal itself has answered. */
export function unreachableBy(error: unknown): 'refused' | 'missed' | 'denied' | null {
  switch (codeOf(error)) {
    case GRPC.unavailable:
      return 'refused';
    case GRPC.deadlineExceeded:
    case GRPC.cancelled:
      return 'missed';
    case GRPC.permissionDenied:
    case GRPC.unauthenticated:
      return 'denied';
    default:
      return null;
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof ServiceError ? error.cause : error;
}

function codeOf(error: unknown): number | undefined {
  const cause = causeOf(error);
  return isGrpcServiceError(cause) ? cause.code : grpcCode(cause);
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
