import { sql } from 'kysely';
import { z } from 'zod';
import { Begun, EXECUTION_STATUSES } from '../../domain/automations/execution.ts';
import type { ExecutionStatus } from '../../domain/automations/execution.ts';
import type { Scope } from '../../domain/scope.ts';
import { Timestamp } from '../engine/columns.ts';
import { idsOfConversation } from '../conversations/ids-of-conversation.ts';
import { insertTold } from '../promises.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { endExecution } from './execution.ts';

const ExecutionRow = z.object({
  id: z.string(),
  definition: z.string(),
  automationId: z.string(),
  definitionVersion: z.int().nullable(),
  retryOf: z.string().nullable(),
  sessionId: z.string().nullable(),
  conversationId: z.string().nullable(),
  contactId: z.string().nullable(),
  params: z.record(z.string(), z.unknown()),
  begun: Begun,
  status: z.enum(EXECUTION_STATUSES),
  reason: z.string().nullable(),
  failedPath: z.string().nullable(),
  waitsFor: z.string().nullable(),
  waitsUntil: Timestamp.nullable(),
  /** False while the run waits for its turn, and for one that was cancelled there: Temporal knows nothing of it. */
  isPromised: z.boolean(),
  createdAt: Timestamp,
  endedAt: Timestamp.nullable(),
});
export type ExecutionRow = z.output<typeof ExecutionRow>;

const COLUMNS = sql`e.id, e.automation_id as "automationId", e.definition, e.retry_of as "retryOf",
  e.definition_version as "definitionVersion", e.session_id as "sessionId", e.conversation_id as "conversationId",
  e.contact_id as "contactId", e.params, e.trigger as begun, e.status, e.reason,
  e.failed_path as "failedPath",
  case when e.status = 'running' and e.promised_at is null then 'turn' else e.waits_for end as "waitsFor",
  e.waits_until as "waitsUntil", e.promised_at is not null as "isPromised",
  e.created_at as "createdAt", e.ended_at as "endedAt"`;

/** A condition on `automation_execution e`: a session's key sees those of its session. */
const inScope = ({ agencyId, tenantId, sessionId }: Scope) => sql`e.agency_id = ${agencyId}
  and e.tenant_id = ${tenantId} and (${sessionId}::text is null or e.session_id = ${sessionId})`;

export interface ExecutionFilter {
  automation?: string | undefined;
  status?: ExecutionStatus | undefined;
  conversationId?: string | undefined;
  /** Only those that were asked for from then on. */
  since?: Date | undefined;
}

/**
 * Lists the runs of a tenant's automations, the newest first: ids sort by time. A conversation's include those of all
 * that merges have made one with it.
 */
export async function listExecutions(
  queries: Queries,
  scope: Scope,
  { automation, status, conversationId, since }: ExecutionFilter,
  page: { after: string | null; limit: number },
): Promise<ExecutionRow[]> {
  const isInConversation =
    conversationId === undefined ? sql`true` : sql`e.conversation_id = any(${idsOfConversation(conversationId)})`;
  return rows(queries, ExecutionRow)`
    select ${COLUMNS} from automation_execution e
    where ${inScope(scope)} and (${automation ?? null}::text is null or e.definition = ${automation ?? null})
      and (${status ?? null}::text is null or e.status = ${status ?? null})
      and ${isInConversation}
      and (${since ?? null}::timestamptz is null or e.created_at >= ${since ?? null})
      and (${page.after}::text is null or substr(e.id, 5) < substr(${page.after}, 5))
    order by substr(e.id, 5) desc limit ${page.limit}`;
}

export async function findExecution(queries: Queries, scope: Scope, id: string): Promise<ExecutionRow | undefined> {
  return row(queries, ExecutionRow)`
    select ${COLUMNS} from automation_execution e where e.id = ${id} and ${inScope(scope)}`;
}

const StepRow = z.object({
  name: z.string(),
  path: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  startedAt: Timestamp,
  endedAt: Timestamp.nullable(),
});
export type StepRow = z.output<typeof StepRow>;

export async function listSteps(queries: Queries, executionId: string): Promise<StepRow[]> {
  return rows(queries, StepRow)`
    select name, path, detail, started_at as "startedAt", ended_at as "endedAt" from automation_step
    where execution_id = ${executionId} order by number`;
}

/** Ends a run by request and tells its workflow. A run that has ended stays as it is. */
export async function cancelExecution(tx: Tx, scope: Scope, id: string): Promise<ExecutionRow | undefined> {
  const found = await findExecution(tx, scope, id);
  if (found?.status !== 'running') return found;
  await endExecution(tx, id, { status: 'cancelled', reason: 'requested' });
  await tellExecution(tx, scope, id);
  return findExecution(tx, scope, id);
}

/** Has the workflow of a run look at its rows. */
export async function tellExecution(tx: Tx, { agencyId }: Scope, id: string): Promise<void> {
  await run(tx)`${insertTold('runAutomation', 'changed', [{ key: id, agencyId }])}`;
  tx.wake('dispatch');
}

const RetriedByRow = z.object({ id: z.string() });

/** Finds the run that repeats this one. */
export async function findRetry(queries: Queries, scope: Scope, id: string): Promise<string | null> {
  const found = await row(queries, RetriedByRow)`
    select r.id from automation_execution e
    join automation_execution r on r.automation_id = e.automation_id and r.trigger_key = ${retryKey(id)}
    where e.id = ${id} and ${inScope(scope)}`;
  return found?.id ?? null;
}

/** The key under which a run is repeated: once, so that a request that is repeated does not repeat it again. */
export const retryKey = (id: string): string => `retry/${id}`;
