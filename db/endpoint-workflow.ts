import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { PRIORITY, SIGNALS, workflowId } from '../domain/names.ts';
import type { Priority, SignalName } from '../domain/names.ts';
import type { Tx } from './database.ts';
import { insertMissing } from './dispatch.ts';

/** Every endpoint has an execution as long as it exists: called by the transaction that makes it. */
export async function promiseEndpointWorkflow(tx: Tx, endpoint: { id: string }): Promise<void> {
  await insertMissing(tx, wanted('start', null, PRIORITY.background, sql`e.id = ${endpoint.id}`));
}

/**
 * Its execution looks at the row again, by the transaction that changes it; one that is deleted lets it complete. Always a
 * promise of its own: one that is open may have been kept a moment before the change is there to see.
 */
export async function tellEndpointWorkflow(tx: Tx, endpointId: string): Promise<void> {
  await sql`
    insert into dispatch (workflow_type, workflow_id, action, signal, args, attributes, summary, priority, agency_id)
    ${wanted('signal_with_start', SIGNALS.changed, PRIORITY.background, sql`e.id = ${endpointId}`)}`.execute(tx.sql);
  tx.wake('dispatch');
}

/** For the start of a process: Temporal's store may be a new one. */
export async function promiseEndpointWorkflows(tx: Tx): Promise<number> {
  return insertMissing(tx, wanted('start', null, PRIORITY.background, sql`e.deleted_at is null`));
}

/**
 * Promises a drain for endpoints that have something due and nobody draining, unless one is promised already. What was
 * leased to a drain that died counts as due.
 */
export async function promiseDrains(tx: Tx): Promise<number> {
  const due = sql`e.status = 'active' and e.deleted_at is null
    and exists (select 1 from agency a where a.id = e.agency_id and a.status <> 'suspended')
    and exists (select 1 from endpoint_drain n where n.endpoint_id = e.id
      and (n.drained_until is null or n.drained_until < clock_timestamp()))
    and exists (
      select 1 from endpoint_health h join delivery d on d.endpoint_id = h.endpoint_id
      where h.endpoint_id = e.id and (h.throttled_until is null or h.throttled_until <= ${tx.now})
        and (h.breaker <> 'open' or h.probe_at <= ${tx.now})
        and d.status = 'pending' and d.ready
        and d.next_attempt_at <= case h.breaker when 'open' then 'infinity' else ${tx.now}::timestamptz end)`;
  return insertMissing(tx, wanted('signal_with_start', SIGNALS.due, PRIORITY.api, due));
}

/** The columns of a dispatch for the executions of such endpoints. */
function wanted(
  action: 'start' | 'signal_with_start',
  signal: SignalName | null,
  priority: Priority,
  which: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select 'deliverWebhooks' as workflow_type, ${workflowId('deliverWebhooks', '')} || e.id as workflow_id, ${action}::text as action,
      ${signal}::text as signal, jsonb_build_array(e.id) as args,
      jsonb_strip_nulls(jsonb_build_object('AgencyId', e.agency_id, 'TenantId', case when cardinality(e.tenant_ids) = 1 then e.tenant_ids[1] end)) as attributes,
      'events to an endpoint of agency ' || e.agency_id as summary, ${priority}::smallint as priority, e.agency_id
    from endpoint e where ${which}`;
}
