import { defineEntity, p } from '@mikro-orm/core';
import type { FilterQuery, InferEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { DEFAULT_BACKEND } from '../../domain/backend-server.ts';
import type { NetworkAccount } from '../../domain/network/network-event.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import { SCAN_QR_CODE, STARTING } from '../../domain/sessions/session.ts';
import { SESSION_REFUSALS } from '../../domain/sessions/session-error.ts';
import { derivedSessionName } from '../../domain/session-name.ts';
import { DEEDS } from '../../domain/sessions/change.ts';
import type { Deed } from '../../domain/sessions/change.ts';
import { SILENCE_REASONS } from '../../domain/sessions/comparison.ts';
import { SESSION_ACTS, SESSION_WISHES } from '../../domain/sessions/wish.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { newId } from '../engine/new-id.ts';
import { IdRow, Timestamp } from '../engine/columns.ts';
import { row, run } from '../engine/rows.ts';

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
    adopts: p.boolean(),
    status: p.string(),
    statusAt: p.datetime(),
    statusChangedAt: p.datetime(),
    chatId: p.string().nullable(),
    pushName: p.string().nullable(),
    lid: p.string().nullable(),
    platform: p.string().nullable(),
    lastError: p.string().nullable(),
    supervisedAt: p.datetime().nullable(),
    wish: p.enum(SESSION_WISHES),
    asked: p.enum(SESSION_ACTS).nullable(),
    askedAt: p.datetime().nullable(),
    acted: p.enum(DEEDS).nullable(),
    actedAt: p.datetime().nullable(),
    restarts: p.integer(),
    deletedAt: p.datetime().nullable(),
    syncedPages: p.integer(),
    syncedAt: p.datetime().nullable(),
    contactsSyncedAt: p.datetime().nullable(),
    suspect: p.enum(SILENCE_REASONS).nullable(),
    compareAt: p.datetime().nullable(),
    comparedAt: p.datetime().nullable(),
    silentSince: p.datetime().nullable(),
    silenceRestarts: p.integer(),
    silenceRestartAt: p.datetime().nullable(),
    gapsDueAt: p.datetime().nullable(),
    auditedAt: p.datetime().nullable(),
    toldSince: p.datetime().nullable(),
    toldAccount: p.string().nullable(),
    createdAt: p.datetime(),
  },
});
export type Session = InferEntity<typeof Session>;

/** A session that is deleted is nobody's; its row stays for the conversations and messages that it had. */
const NOT_DELETED = { wish: { $ne: 'deleted' } } as const;

/**
 * Finds the session of a scope: the named one (by id or name), else the key's, else the tenant's default. Null when the
 * scope has no such session.
 */
export async function findSessionInScope(queries: Queries, scope: Scope, named?: string): Promise<Session | null> {
  const own = { agencyId: scope.agencyId, tenantId: scope.tenantId, ...NOT_DELETED };
  if (scope.sessionId !== null) {
    const bound = await queries.em.findOne(Session, { ...own, id: scope.sessionId });
    return bound && (named === undefined || named === bound.id || named === bound.name) ? bound : null;
  }
  if (named === undefined) return queries.em.findOne(Session, { ...own, isDefault: true });
  return queries.em.findOne(Session, { ...own, $or: [{ id: named }, { name: named }] });
}

/** True if a session of any agency has, or had, the name. Case does not count, because names are unique without it. */
export async function sessionNameExists(queries: Queries, name: string): Promise<boolean> {
  return (await run(queries)`select 1 from session where lower(name) = lower(${name}) limit 1`) > 0;
}

/** Which sessions are listed. Null and undefined leave the choice open. */
export interface SessionFilter {
  agencyId: string;
  tenantId?: string | null | undefined;
  sessionId?: string | null | undefined;
  statuses?: readonly string[] | undefined;
}

/** Lists a page of an agency's sessions, the oldest first. */
export async function listSessions(
  queries: Queries,
  { agencyId, tenantId, sessionId, statuses }: SessionFilter,
  { after, limit }: { after: string | null; limit: number },
): Promise<Session[]> {
  const conditions: FilterQuery<Session>[] = [{ agencyId, ...NOT_DELETED }];
  if (typeof tenantId === 'string') conditions.push({ tenantId });
  if (typeof sessionId === 'string') conditions.push({ id: sessionId });
  if (statuses !== undefined) conditions.push({ status: { $in: [...statuses] } });
  if (after !== null) conditions.push({ id: { $gt: after } });
  return queries.em.find(Session, { $and: conditions }, { orderBy: { id: 'asc' }, limit });
}

/** Tells whether a tenant has a session, whatever its status. */
export async function hasSession(queries: Pick<Queries, 'sql'>, { agencyId, tenantId }: TenantScope): Promise<boolean> {
  const found = await row(queries, IdRow)`
    select id from session
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and wish <> 'deleted' limit 1`;
  return found !== undefined;
}

/**
 * Makes the session the tenant's default. The tenant's row is locked first, so that of two such requests, and of a
 * request and a deletion, one waits. False when the session is deleted by then.
 */
export async function makeDefault(tx: Tx, scope: TenantScope, id: string): Promise<boolean> {
  await lockTenant(tx, scope);
  const found = await row(tx, IdRow)`select id from session where id = ${id} and wish <> 'deleted'`;
  if (!found) return false;
  await chooseDefault(tx, scope, id, true);
  return true;
}

/** Finds a session without a scope, for activities and the ingest: they learn the tenant from the session. */
export async function findSessionById(queries: Queries, sessionId: string): Promise<Session | null> {
  return queries.em.findOne(Session, { id: sessionId });
}

/**
 * Finds a session by its whole name. The name cannot be split into agency and tenant: `a` + `b_tenant_c` and
 * `a_tenant_b` + `c` derive the same name.
 */
export async function findSessionByName(queries: Queries, name: string): Promise<Session | null> {
  return queries.em.findOne(Session, { name });
}

/** Locks a session, by id or name and without a scope, for what only an operator or the engine itself does. */
export async function lockSession(tx: Tx, idOrName: string): Promise<Session | null> {
  await run(tx)`select 1 from session where id = ${idOrName} or name = ${idOrName} for no key update`;
  return tx.em.findOne(Session, { $or: [{ id: idOrName }, { name: idOrName }] }, { refresh: true });
}

/**
 * Binds a new session to the tenant. A derived name that another session has gets a suffix; null when a name that the
 * caller chose is not free.
 */
export async function insertSession(
  tx: Tx,
  scope: TenantScope,
  wanted: {
    name?: string | undefined;
    default?: boolean | undefined;
    adopt?: boolean | undefined;
    backend?: string | undefined;
  },
): Promise<string | null> {
  const id = newId('ses');
  const derived = [undefined, id.slice(-8)].map((suffix) => derivedSessionName(scope.agencyId, scope.tenantId, suffix));
  const candidates = wanted.name === undefined ? derived : [wanted.name];
  for (const name of candidates) {
    // Two names that differ in case are one directory on some disks, so one account would be that of two tenants.
    await run(tx)`select pg_advisory_xact_lock(hashtextextended('session ' || lower(${name}), 0))`;
    const inserted = await run(tx)`
      insert into session (id, agency_id, tenant_id, name, backend, is_default, adopts, status)
      select ${id}, ${scope.agencyId}, ${scope.tenantId}, ${name}, ${wanted.backend ?? DEFAULT_BACKEND}, false,
        ${wanted.adopt === true}, ${STARTING}
      where not exists (select 1 from session s where lower(s.name) = lower(${name}))
      on conflict (name) do nothing`;
    if (inserted === 0) continue;
    await run(tx)`insert into session_sequence (session_id) values (${id})`;
    await chooseDefault(tx, scope, id, wanted.default);
    return id;
  }
  return null;
}

/**
 * Finds the tenant's default session. The tenant's row is locked first, so that of two requests which would make it one
 * waits and finds what the other has made.
 */
export async function lockDefaultSession(tx: Tx, scope: TenantScope): Promise<Session | null> {
  await lockTenant(tx, scope);
  return findSessionInScope(tx, { ...scope, sessionId: null });
}

/**
 * Locks the tenant's row, but not its key: every session that is being inserted shares the key, and two of them would
 * wait for each other.
 */
export async function lockTenant(tx: Tx, scope: TenantScope): Promise<void> {
  await run(tx)`
    select 1 from tenant where agency_id = ${scope.agencyId} and id = ${scope.tenantId} for no key update`;
}

/** Makes the session the tenant's default if it is the first, or if the caller wants that. */
async function chooseDefault(tx: Tx, scope: TenantScope, id: string, wanted: boolean | undefined): Promise<void> {
  const own = sql`agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}`;
  // Without the lock two first sessions could both become the default.
  await lockTenant(tx, scope);
  if (wanted === true) await run(tx)`update session set is_default = false where ${own} and is_default`;
  if (wanted === false) return;
  await run(tx)`
    update session set is_default = true
    where id = ${id} and not exists (select 1 from session where ${own} and is_default)`;
}

const StatusChange = z.object({
  previous: z.string(),
  status: z.string(),
  acted: z.enum(DEEDS).nullable(),
  actedAt: Timestamp.nullable(),
  isForSilence: z.boolean(),
});

export interface RecordedChange {
  previous: string;
  /** The engine's last action on the session at the backend, with its time. */
  deed: { deed: Deed; at: Date; isForSilence: boolean } | null;
}

/** A report so soon after a logout is one from before it, which would have the logout undone. */
const SCAN_TAKES_MS = 5_000;

/**
 * Records the backend's report of the session, unless a newer report is known. `at` is a time of the backend's clock,
 * because our clock may differ. An account that was logged out is wanted again once somebody has scanned its code.
 * Returns the status before, or undefined when it did not change.
 */
export async function recordSessionStatus(
  tx: Tx,
  sessionId: string,
  seen: { status: string; at: Date; account: NetworkAccount | null; platform: string | null },
): Promise<RecordedChange | undefined> {
  const recorded = await row(tx, StatusChange)`
    update session set
      status = ${seen.status}, status_at = ${seen.at},
      status_changed_at = case when old.status = ${seen.status} then session.status_changed_at
        else ${tx.now}::timestamptz end,
      ${accountOf(seen)},
      platform = coalesce(${seen.platform}, session.platform),
      last_error = case when ${seen.status} = 'WORKING' then null else session.last_error end,
      wish = case when ${seen.status} = 'WORKING' and session.wish = 'logged_out' and session.asked is null
          and (session.acted_at <= ${tx.now}::timestamptz - ${SCAN_TAKES_MS} * interval '1 millisecond'
            -- A status that was reported since the logout is older than this one, so the account is a new one. After a
            -- scan that status is STARTING.
            or (old.status <> ${seen.status} and session.status_changed_at > session.acted_at)
            -- The code may be reported before the logout is recorded as done.
            or (old.status = ${SCAN_QR_CODE} and session.status_changed_at >= session.asked_at))
        then 'running' else session.wish end
    from (select id, status from session where id = ${sessionId} for no key update) old
    where session.id = old.id and session.status_at <= ${seen.at}
    returning old.status as previous, session.status, session.acted, session.acted_at as "actedAt",
      coalesce(session.silence_restart_at > coalesce(session.wished_at, 'epoch'), false) as "isForSilence"`;
  if (!recorded || recorded.previous === recorded.status) return undefined;
  const { previous, acted, actedAt, isForSilence } = recorded;
  return { previous, deed: acted === null || actedAt === null ? null : { deed: acted, at: actedAt, isForSilence } };
}

/**
 * Assigns the session's account. A session that waits for a scan has no account. When the account changes, name and lid
 * of the old account are dropped even if those of the new one are not told.
 */
function accountOf({ status, account }: { status: string; account: NetworkAccount | null }): RawBuilder<unknown> {
  if (status === SCAN_QR_CODE) return sql`chat_id = null, push_name = null, lid = null`;
  if (account === null) return sql`chat_id = session.chat_id, push_name = session.push_name, lid = session.lid`;
  const { chatId, pushName, lid } = account;
  return sql`chat_id = ${chatId},
      push_name = coalesce(${pushName}, case when session.chat_id = ${chatId} then session.push_name end),
      lid = coalesce(${lid}, case when session.chat_id = ${chatId} then session.lid end)`;
}

/** Records the name that the account has been given through the engine, of which the backend tells no event. */
export async function recordPushName(tx: Tx, sessionId: string, pushName: string): Promise<void> {
  await run(tx)`update session set push_name = ${pushName} where id = ${sessionId} and chat_id is not null`;
}

export async function recordSessionError(tx: Tx, sessionId: string, lastError: string): Promise<void> {
  await run(tx)`update session set last_error = ${lastError} where id = ${sessionId}`;
}

/**
 * An SQL condition: the backend has refused to make the session, so nothing asks it again until the engine starts anew.
 */
export function isRefused(lastError: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`coalesce(${lastError} = any(${Object.values(SESSION_REFUSALS)}::text[]), false)`;
}

/**
 * Tells whether what the backend has under the session's name is ours. Another program may have something there until
 * the backend has told of the session, and after it has answered that the name is taken.
 */
export function isOursAtBackend(session: Pick<Session, 'supervisedAt' | 'statusAt' | 'lastError'>): boolean {
  const wasSeen = session.supervisedAt !== null || session.statusAt.getTime() > 0;
  return wasSeen && session.lastError !== SESSION_REFUSALS.taken;
}

/** Records that the account's past was read, so many pages of its chats, from a time on. */
export async function recordSynced(
  tx: Tx,
  sessionId: string,
  { pages, at }: { pages: number; at: Date },
): Promise<void> {
  await run(tx)`
    update session set synced_at = ${at}, synced_pages = greatest(synced_pages, ${pages}) where id = ${sessionId}`;
}
