import { sql } from 'kysely';
import { RehearsalRequest, RehearsalResult } from '../../domain/agent/rehearsal.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import type { Queries, Tx } from '../tx.ts';
import { newId } from '../new-id.ts';
import { promise } from '../promises.ts';

export interface Rehearsal {
  id: string;
  agencyId: string;
  tenantId: string;
  sessionId: string | null;
  status: 'running' | 'done' | 'failed';
  request: RehearsalRequest;
  results: RehearsalResult[];
  errorCode: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

const KEEP_DAYS = 7;
/** Each takes what customers' answers need, too: requests to models, and workers that wait for them. */
const MOST_RUNNING = 5;
/** Longer than its workflow can take. */
const RUNS_MS = 3_600_000;

/** Promises its workflow with it. The session is that of the conversation, or of the key that asks. */
export async function insertRehearsal(
  tx: Tx,
  { agencyId, tenantId, sessionId }: Scope,
  request: RehearsalRequest,
): Promise<string> {
  const id = newId('reh');
  await sql`
    insert into rehearsal (id, agency_id, tenant_id, session_id, request, created_at)
    values (${id}, ${agencyId}, ${tenantId}, ${sessionId}, ${JSON.stringify(request)}::jsonb, ${tx.now})`.execute(
    tx.sql,
  );
  await promise(tx, 'rehearse', { which: sql`r.id = ${id}` });
  return id;
}

/** Whether another may begin; who asks at the same time waits. */
export async function mayRehearse(tx: Tx, { agencyId, tenantId }: TenantScope): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rehearsal/${agencyId}/${tenantId}`}, 0))`.execute(tx.sql);
  const { rows } = await sql<{ running: number }>`
    select count(*)::int as running from rehearsal
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and status = 'running'`.execute(tx.sql);
  return (rows[0]?.running ?? 0) < MOST_RUNNING;
}

/** Forgets the rehearsals of these messages' conversations: their results may repeat what was taken back. */
export async function forgetRehearsalsOf(tx: Tx, messageIds: readonly string[]): Promise<void> {
  await sql`
    delete from rehearsal r using message m
    where m.id = any(${messageIds}::text[]) and r.request->>'conversationId' = m.conversation_id and r.status <> 'running'`.execute(
    tx.sql,
  );
}

export async function findRehearsalInScope(queries: Queries, scope: Scope, id: string): Promise<Rehearsal | null> {
  const rehearsal = await findRehearsal(queries, id);
  if (rehearsal?.agencyId !== scope.agencyId || rehearsal.tenantId !== scope.tenantId) return null;
  return scope.sessionId === null || scope.sessionId === rehearsal.sessionId ? rehearsal : null;
}

/** For activities, which were given the id by its row. */
export async function findRehearsal(queries: Queries, id: string): Promise<Rehearsal | null> {
  const { rows } = await sql<
    Omit<Rehearsal, 'request' | 'results' | 'createdAt' | 'endedAt'> & {
      request: unknown;
      result: unknown;
      createdAt: string;
      endedAt: string | null;
    }
  >`
    select id, agency_id as "agencyId", tenant_id as "tenantId", session_id as "sessionId", status, request, result,
      error_code as "errorCode", created_at as "createdAt", ended_at as "endedAt"
    from rehearsal where id = ${id}`.execute(queries.sql);
  const [row] = rows;
  if (!row) return null;
  const { request, result, createdAt, endedAt, ...rest } = row;
  return {
    ...rest,
    request: RehearsalRequest.parse(request),
    results: RehearsalResult.array().parse(result ?? []),
    createdAt: new Date(createdAt),
    endedAt: endedAt === null ? null : new Date(endedAt),
  };
}

/** The first end stands. Whoever waits for it is told. */
export async function endRehearsal(
  tx: Tx,
  id: string,
  end: { results: readonly RehearsalResult[] } | { errorCode: string },
): Promise<void> {
  const { status, result, errorCode } =
    'results' in end
      ? { status: 'done', result: JSON.stringify(end.results), errorCode: null }
      : { status: 'failed', result: null, errorCode: end.errorCode };
  await sql`
    update rehearsal set status = ${status}, result = ${result}::jsonb, error_code = ${errorCode}, ended_at = ${tx.now}
    where id = ${id} and status = 'running'`.execute(tx.sql);
  tx.wake('message', id);
}

/** Forgets those that nobody reads any more; one that nobody could run has failed. */
export async function tidyRehearsals(tx: Tx, limit: number): Promise<void> {
  const ago = (ms: number): Date => new Date(tx.now.getTime() - ms);
  await sql`
    update rehearsal set status = 'failed', error_code = 'internal', ended_at = ${tx.now}
    where status = 'running' and created_at < ${ago(RUNS_MS)}`.execute(tx.sql);
  await sql`
    delete from rehearsal where id = any(array(select id from rehearsal
      where created_at < ${ago(KEEP_DAYS * 86_400_000)} order by created_at limit ${limit}))`.execute(tx.sql);
}
