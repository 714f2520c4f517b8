import { sql } from 'kysely';
import type { TenantScope } from '../domain/scope.ts';
import { TenantSettings } from '../domain/settings.ts';
import type { Queries, Tx } from './database.ts';

/** Null when there is no such tenant. */
export async function findSettings(queries: Queries, scope: TenantScope): Promise<TenantSettings | null> {
  const { rows } = await sql<{ settings: unknown }>`
    select settings from tenant where agency_id = ${scope.agencyId} and id = ${scope.tenantId}`.execute(queries.sql);
  return rows[0] ? TenantSettings.parse(rows[0].settings) : null;
}

/**
 * Merges the fields given; null takes one back. What waits is decided on again under the new settings: what is held until
 * some time is ready now, and the releaser looks at the tenant's sessions.
 */
export async function updateSettings(tx: Tx, scope: TenantScope, change: TenantSettings): Promise<TenantSettings> {
  const { rows } = await sql<{ settings: unknown }>`
    update tenant set settings = jsonb_strip_nulls(settings || ${JSON.stringify(change)}::jsonb)
    where agency_id = ${scope.agencyId} and id = ${scope.tenantId} returning settings`.execute(tx.sql);
  const settings = TenantSettings.parse(rows[0]?.settings);
  const sessions = await sql<{ id: string }>`
    select id from session where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} order by id`.execute(
    tx.sql,
  );
  const ids = sessions.rows.map(({ id }) => id);
  await sql`
    with slots as (
      update session_pace set next_slot_at = least(next_slot_at, ${tx.now}::timestamptz) where session_id = any(${ids}::text[])
    )
    update message set ready_at = least(ready_at, ${tx.now}), held_by = null, held_until = null
    where session_id = any(${ids}::text[]) and status = 'queued' and released_at is null
      and ready_at is not null and held_until > ${tx.now}`.execute(tx.sql);
  for (const id of ids) tx.wake('release', id);
  return settings;
}

/** The rules are kept by the database, so it must know the zone too. */
export async function knowsTimeZone(queries: Queries, name: string): Promise<boolean> {
  const { rows } = await sql<object>`select 1 from pg_timezone_names where lower(name) = lower(${name})`.execute(
    queries.sql,
  );
  return rows.length > 0;
}
