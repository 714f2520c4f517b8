import { sql } from 'kysely';
import { z } from 'zod';
import { REHEARSAL_STATUSES, RehearsalRequest, RehearsalResult } from '../../domain/agent/rehearsal.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import { mayTake } from '../../domain/shares.ts';
import { Timestamp } from '../engine/columns.ts';
import { one, row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { newId } from '../engine/new-id.ts';
import { promise } from '../promises.ts';

const RehearsalRow = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string().nullable(),
  status: z.enum(REHEARSAL_STATUSES),
  request: RehearsalRequest,
  results: z.array(RehearsalResult),
  errorCode: z.string().nullable(),
  createdAt: Timestamp,
  endedAt: Timestamp.nullable(),
});
export type Rehearsal = z.output<typeof RehearsalRow>;

const KEEP_DAYS = 7;
/**
 * At most this many rehearsals run at once: of a tenant, and of all. Each uses requests to models, and a worker that
 * waits for them, which the answers to contacts need, too.
 */
const MAX_RUNNING_OF_TENANT = 5;
const MAX_RUNNING = 20;
/** A rehearsal that still runs after this time has failed, because its workflow cannot take so long. */
const RUNS_MS = 3_600_000;

/**
 * Inserts a rehearsal and promises its workflow in the same transaction. The session is the conversation's, or that of
 * the key that asks.
 */
export async function insertRehearsal(
  tx: Tx,
  { agencyId, tenantId, sessionId }: Scope,
  request: RehearsalRequest,
): Promise<string> {
  const id = newId('reh');
  await run(tx)`
    insert into rehearsal (id, agency_id, tenant_id, session_id, request, created_at)
    values (${id}, ${agencyId}, ${tenantId}, ${sessionId}, ${JSON.stringify(request)}::jsonb, ${tx.now})`;
  await promise(tx, 'rehearse', { which: sql`r.id = ${id}` });
  return id;
}

const RunningRow = z.object({ ofTenant: z.int(), ofAgency: z.int(), inAll: z.int(), share: z.number() });

/**
 * True when another rehearsal of the tenant may begin. However many tenants an agency has, some places stay free for
 * other agencies (`mayTake`). The advisory lock makes a second request at the same time wait.
 */
export async function mayRehearse(tx: Tx, { agencyId, tenantId }: TenantScope): Promise<boolean> {
  await run(tx)`select pg_advisory_xact_lock(hashtextextended('rehearsal', 0))`;
  const running = await one(tx, RunningRow)`
    select count(*) filter (where agency_id = ${agencyId} and tenant_id = ${tenantId})::int as "ofTenant",
      count(*) filter (where agency_id = ${agencyId})::int as "ofAgency", count(*)::int as "inAll",
      coalesce((select stored_number(limits->'share', 0.1) from agency where id = ${agencyId}), 1) as share
    from rehearsal where status = 'running'`;
  const { ofTenant, ofAgency, inAll, share } = running;
  const isInShare = mayTake({ own: ofAgency, used: inAll, places: MAX_RUNNING, weight: share });
  return ofTenant < MAX_RUNNING_OF_TENANT && isInShare;
}

/** Forgets the rehearsals of these messages' conversations, because their results may repeat what was revoked. */
export async function forgetRehearsalsOf(tx: Tx, messageIds: readonly string[]): Promise<void> {
  await run(tx)`
    delete from rehearsal r using message m
    where m.id = any(${messageIds}::text[]) and r.request->>'conversationId' = m.conversation_id
      and r.status <> 'running'`;
}

export async function findRehearsalInScope(queries: Queries, scope: Scope, id: string): Promise<Rehearsal | null> {
  const rehearsal = await findRehearsal(queries, id);
  if (rehearsal?.agencyId !== scope.agencyId || rehearsal.tenantId !== scope.tenantId) return null;
  return scope.sessionId === null || scope.sessionId === rehearsal.sessionId ? rehearsal : null;
}

/** Finds a rehearsal without a scope, for activities: they have the id from its row. */
export async function findRehearsal(queries: Queries, id: string): Promise<Rehearsal | null> {
  const found = await row(queries, RehearsalRow)`
    select id, agency_id as "agencyId", tenant_id as "tenantId", session_id as "sessionId", status, request,
      coalesce(result, '[]') as results, error_code as "errorCode", created_at as "createdAt", ended_at as "endedAt"
    from rehearsal where id = ${id}`;
  return found ?? null;
}

/** Ends a rehearsal and wakes the requests that wait for it. Only the first end counts. */
export async function endRehearsal(
  tx: Tx,
  id: string,
  end: { results: readonly RehearsalResult[] } | { errorCode: string },
): Promise<void> {
  const { status, result, errorCode } =
    'results' in end
      ? { status: 'done', result: JSON.stringify(end.results), errorCode: null }
      : { status: 'failed', result: null, errorCode: end.errorCode };
  await run(tx)`
    update rehearsal set status = ${status}, result = ${result}::jsonb, error_code = ${errorCode}, ended_at = ${tx.now}
    where id = ${id} and status = 'running'`;
  tx.wake('message', id);
}

/** Ends as failed the rehearsals that have run for too long, and forgets old ones. Returns how many it forgot. */
export async function tidyRehearsals(tx: Tx, limit: number): Promise<number> {
  const ago = (ms: number): Date => new Date(tx.now.getTime() - ms);
  await run(tx)`
    update rehearsal set status = 'failed', error_code = 'internal', ended_at = ${tx.now}
    where status = 'running' and created_at < ${ago(RUNS_MS)}`;
  return run(tx)`
    delete from rehearsal where id = any(array(select id from rehearsal
      where created_at < ${ago(KEEP_DAYS * 86_400_000)} order by created_at limit ${limit}))`;
}
