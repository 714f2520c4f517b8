import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { TenantSettings } from '../../domain/tenants/settings.ts';
import type { SettingsChange } from '../../domain/tenants/settings.ts';
import { IdRow } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const SettingsRow = z.object({ settings: TenantSettings });

/** Reads a tenant's settings; null when there is no such tenant. */
export async function findSettings(queries: Queries, scope: TenantScope): Promise<TenantSettings | null> {
  const found = await row(queries, SettingsRow)`
    select settings from tenant where agency_id = ${scope.agencyId} and id = ${scope.tenantId}`;
  return found?.settings ?? null;
}

/**
 * Merges the given fields into the settings; a field that is null removes its setting. Waiting messages are decided on
 * again under the new settings: held messages become ready now, and the releaser looks at the tenant's sessions.
 */
export async function updateSettings(tx: Tx, scope: TenantScope, change: SettingsChange): Promise<TenantSettings> {
  const updated = await row(tx, SettingsRow)`
    update tenant set settings = jsonb_strip_nulls(settings || ${JSON.stringify(change)}::jsonb
      || ${mergedPace(change)})
    where agency_id = ${scope.agencyId} and id = ${scope.tenantId} returning settings`;
  if (!updated) throw new Error('The tenant of changed settings must exist.');
  const sessions = await rows(tx, IdRow)`
    select id from session where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} order by id`;
  const ids = sessions.map(({ id }) => id);
  await run(tx)`
    with pace as (
      select session_id from session_pace where session_id = any(${ids}::text[]) order by session_id for no key update
    )
    update session_pace p set next_slot_at = least(next_slot_at, ${tx.now}::timestamptz),
      release_at = least(release_at, ${tx.now}::timestamptz) from pace
    where p.session_id = pace.session_id`;
  // Locked messages are skipped: the transaction that holds one may be waiting for the pace that is locked here, and
  // releases or ends the message itself.
  await run(tx)`
    with held as (
      select id from message
      where session_id = any(${ids}::text[]) and status = 'queued' and released_at is null
        and ready_at is not null and held_until > ${tx.now}
      order by id for no key update skip locked
    )
    update message m set ready_at = least(m.ready_at, ${tx.now}), held_by = null, held_until = null
    from held where m.id = held.id`;
  for (const id of ids) tx.wake('release', id);
  return updated.settings;
}

/** Merges a change of `pace` field by field; a pace whose fields are all removed is removed itself. */
function mergedPace({ pace }: SettingsChange): RawBuilder<unknown> {
  if (!pace) return sql`'{}'::jsonb`;
  const merged = sql`jsonb_strip_nulls(coalesce(settings->'pace', '{}') || ${JSON.stringify(pace)}::jsonb)`;
  return sql`jsonb_build_object('pace', nullif(${merged}, '{}'))`;
}

/** True when PostgreSQL knows the time zone, because the pace and the quiet hours are computed there. */
export async function knowsTimeZone(queries: Queries, name: string): Promise<boolean> {
  const count = await run(queries)`select 1 from pg_timezone_names where lower(name) = lower(${name})`;
  return count > 0;
}
