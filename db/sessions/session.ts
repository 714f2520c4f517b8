import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { NetworkAccount } from '../../domain/network/network-event.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import { SCAN_QR_CODE, SESSION_REFUSALS } from '../../domain/session.ts';
import { derivedSessionName } from '../../domain/session-name.ts';
import type { Queries, Tx } from '../tx.ts';
import { newId } from '../new-id.ts';
import { row, run } from '../rows.ts';

export const Session = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.string().primary(),
    agencyId: p.string(),
    tenantId: p.string(),
    name: p.string(),
    backend: p.string(),
    isDefault: p.boolean(),
    status: p.string(),
    statusAt: p.datetime(),
    statusChangedAt: p.datetime(),
    chatId: p.string().nullable(),
    pushName: p.string().nullable(),
    lid: p.string().nullable(),
    platform: p.string().nullable(),
    lastError: p.string().nullable(),
    syncedPages: p.integer(),
    syncedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export type Session = InferEntity<typeof Session>;

/**
 * The session of a scope: the one named (id or name), else the key's, else the tenant's default. Null when not theirs.
 */
export async function findSessionInScope(queries: Queries, scope: Scope, named?: string): Promise<Session | null> {
  const own = { agencyId: scope.agencyId, tenantId: scope.tenantId };
  if (scope.sessionId !== null) {
    const bound = await queries.em.findOne(Session, { ...own, id: scope.sessionId });
    return bound && (named === undefined || named === bound.id || named === bound.name) ? bound : null;
  }
  if (named === undefined) return queries.em.findOne(Session, { ...own, isDefault: true });
  return queries.em.findOne(Session, { ...own, $or: [{ id: named }, { name: named }] });
}

export async function listSessions(queries: Queries, scope: Scope): Promise<Session[]> {
  return queries.em.find(
    Session,
    {
      agencyId: scope.agencyId,
      tenantId: scope.tenantId,
      ...(scope.sessionId === null ? {} : { id: scope.sessionId }),
    },
    { orderBy: { id: 'asc' } },
  );
}

/** For activities and the ingest, which work on a session and learn its tenant from it. */
export async function findSessionById(queries: Queries, sessionId: string): Promise<Session | null> {
  return queries.em.findOne(Session, { id: sessionId });
}

/** Bindings are looked up by name, never split: `a` + `b_tenant_c` and `a_tenant_b` + `c` derive the same name. */
export async function findSessionByName(queries: Queries, name: string): Promise<Session | null> {
  return queries.em.findOne(Session, { name });
}

/**
 * Binds a new session to the tenant. A derived name that another binding holds gets a suffix; a name that the caller
 * chose must be free: null when it is not.
 */
export async function insertSession(
  tx: Tx,
  scope: TenantScope,
  wanted: { name?: string | undefined; default?: boolean | undefined },
): Promise<string | null> {
  const id = newId('ses');
  const derived = [undefined, id.slice(-8)].map((suffix) => derivedSessionName(scope.agencyId, scope.tenantId, suffix));
  const candidates = wanted.name === undefined ? derived : [wanted.name];
  for (const name of candidates) {
    const inserted = await run(tx)`
      insert into session (id, agency_id, tenant_id, name, is_default)
      values (${id}, ${scope.agencyId}, ${scope.tenantId}, ${name}, false) on conflict (name) do nothing`;
    if (inserted === 0) continue;
    await run(tx)`insert into session_sequence (session_id) values (${id})`;
    await chooseDefault(tx, scope, id, wanted.default);
    return id;
  }
  return null;
}

/** The first session is the tenant's default; a later one takes its place only when it says so. */
async function chooseDefault(tx: Tx, scope: TenantScope, id: string, wanted: boolean | undefined): Promise<void> {
  // The tenant's row is locked first, so that two first sessions cannot both become the default. Not its key, which
  // every session that is being inserted shares: those would wait for each other.
  const own = sql`agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}`;
  await run(tx)`
    select 1 from tenant where agency_id = ${scope.agencyId} and id = ${scope.tenantId} for no key update`;
  if (wanted === true) await run(tx)`update session set is_default = false where ${own} and is_default`;
  if (wanted === false) return;
  await run(tx)`
    update session set is_default = true
    where id = ${id} and not exists (select 1 from session where ${own} and is_default)`;
}

const StatusChange = z.object({ previous: z.string(), status: z.string() });

/**
 * Records what the backend says of the session, unless something newer is known; `at` is always by the backend's clock,
 * which ours need not agree with. Returns the status before, or undefined when nothing changed.
 */
export async function recordSessionStatus(
  tx: Tx,
  sessionId: string,
  seen: { status: string; at: Date; account: NetworkAccount | null; platform: string | null },
): Promise<{ previous: string } | undefined> {
  const recorded = await row(tx, StatusChange)`
    update session set
      status = ${seen.status}, status_at = ${seen.at},
      status_changed_at = case when old.status = ${seen.status} then session.status_changed_at else ${tx.now}::timestamptz end,
      ${accountOf(seen)},
      platform = coalesce(${seen.platform}, session.platform),
      last_error = case when ${seen.status} = 'WORKING' then null else session.last_error end
    from (select id, status from session where id = ${sessionId} for no key update) old
    where session.id = old.id and session.status_at <= ${seen.at}
    returning old.status as previous, session.status`;
  return recorded && recorded.previous !== recorded.status ? { previous: recorded.previous } : undefined;
}

/**
 * Whose account it is. One that waits to be scanned has none any more; what is not told of another account is not what
 * was known of the one before.
 */
function accountOf({ status, account }: { status: string; account: NetworkAccount | null }): RawBuilder<unknown> {
  if (status === SCAN_QR_CODE) return sql`chat_id = null, push_name = null, lid = null`;
  if (account === null) return sql`chat_id = session.chat_id, push_name = session.push_name, lid = session.lid`;
  const { chatId, pushName, lid } = account;
  return sql`chat_id = ${chatId},
      push_name = coalesce(${pushName}, case when session.chat_id = ${chatId} then session.push_name end),
      lid = coalesce(${lid}, case when session.chat_id = ${chatId} then session.lid end)`;
}

export async function recordSessionError(tx: Tx, sessionId: string, lastError: string): Promise<void> {
  await run(tx)`update session set last_error = ${lastError} where id = ${sessionId}`;
}

/** Whether the backend has refused to make the session: nothing asks it again until the engine starts anew. */
export function isRefused(lastError: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`coalesce(${lastError} = any(${Object.values(SESSION_REFUSALS)}::text[]), false)`;
}

export async function recordSynced(tx: Tx, sessionId: string, pages: number): Promise<void> {
  await run(tx)`
    update session set synced_at = ${tx.now}, synced_pages = greatest(synced_pages, ${pages}) where id = ${sessionId}`;
}

/** The supervisor was here: the reconcile leaves the session alone. */
export async function touchSupervised(tx: Tx, sessionId: string): Promise<void> {
  await run(tx)`update session set supervised_at = ${tx.now} where id = ${sessionId}`;
}
