import { isGrpcServiceError, ServiceError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { AT_OUR_QUEUES, isOurs, parseWorkflowId, WORKFLOW_TYPES } from '../../domain/names.ts';

/** Bounds one look. More executions at once mean an accident, which the ordinary rounds repair. */
const MAX_LISTED = 1_000;
/**
 * The query names our queues and types, because executions of another application in the namespace must not fill a look.
 */
const OURS = `${AT_OUR_QUEUES} AND WorkflowType IN (${WORKFLOW_TYPES.map((type) => `'${type}'`).join(', ')})`;

/**
 * Lists executions that have failed, or that somebody has ended, since a time. None of our workflows ends in this way
 * by itself.
 */
export async function listEndedExecutions(client: Client, since: Date): Promise<string[]> {
  return listIds(
    client,
    `ExecutionStatus IN ('Terminated', 'Canceled', 'Failed', 'TimedOut') AND CloseTime >= '${since.toISOString()}'`,
  );
}

/**
 * Lists executions whose workflow tasks fail one after the other. An older Temporal does not report such trouble, so
 * the list is then empty.
 */
export async function listTroubledExecutions(client: Client): Promise<string[]> {
  try {
    return await listIds(client, `ExecutionStatus = 'Running' AND TemporalReportedProblems IS NOT NULL`);
  } catch (error) {
    if (isInvalidArgument(error)) return [];
    throw error;
  }
}

/** Includes executions that somebody has paused. */
const OPEN_SUPERVISORS = `${OURS} AND WorkflowType = 'superviseSession' AND CloseTime IS NULL`;

/** Counts the open executions of sessions: one question, however many there are. */
export async function countOpenSupervisors({ workflow }: Pick<Client, 'workflow'>): Promise<number> {
  return (await workflow.count(OPEN_SUPERVISORS)).count;
}

/** Lists the sessions that have an open execution. */
export async function listSupervisedSessions({ workflow }: Pick<Client, 'workflow'>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of workflow.list({ query: OPEN_SUPERVISORS })) {
    const parsed = parseWorkflowId(workflowId);
    if (parsed?.type === 'superviseSession') ids.push(parsed.key);
  }
  return ids;
}

async function listIds(client: Client, query: string): Promise<string[]> {
  const ids = new Set<string>();
  for await (const execution of client.workflow.list({ query: `${OURS} AND ${query}` })) {
    if (isOurs(execution)) ids.add(execution.workflowId);
    if (ids.size >= MAX_LISTED) break;
  }
  return [...ids];
}

/** gRPC's code for a query with a search attribute that the server does not know. */
const INVALID_ARGUMENT = 3;

function isInvalidArgument(error: unknown): boolean {
  const cause: unknown = error instanceof ServiceError ? error.cause : error;
  if (isGrpcServiceError(cause)) return cause.code === INVALID_ARGUMENT;
  return typeof cause === 'object' && cause !== null && Reflect.get(cause, 'code') === INVALID_ARGUMENT;
}
