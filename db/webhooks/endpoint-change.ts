import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { UpdateEndpoint } from '../../domain/webhooks/endpoint.ts';
import type { Database } from '../engine/database.ts';
import { run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { insertEndpointHistory } from './endpoint-history.ts';
import type { Actor } from './endpoint-history.ts';
import { changeEndpointStatus } from './endpoint-state.ts';
import { rotateSecrets, sealSecret } from './endpoint-secrets.ts';
import { forgetUnreadable } from './endpoint-health.ts';
import { findEndpoint } from './endpoint-view.ts';
import type { EndpointRow } from './endpoint-view.ts';
import { tellEndpointWorkflow } from './endpoint-workflow.ts';

/** Finds the endpoint and locks it against other changes; undefined when the agency has no endpoint with that id. */
export async function lockEndpoint(tx: Tx, agencyId: string, id: string): Promise<EndpointRow | undefined> {
  await run(tx)`
    select 1 from endpoint where id = ${id} and agency_id = ${agencyId} for no key update`;
  return findEndpoint(tx, agencyId, id);
}

/** A change of an endpoint; its `headers` are all headers of the endpoint, sealed by `mergeHeaders`. */
type EndpointChange = Omit<UpdateEndpoint, 'agencyId' | 'headers'> & { headers?: Buffer | null | undefined };

/**
 * The reasons for which the engine itself disables an endpoint. Another URL undoes the engine's decision, but not a
 * person's.
 */
export const DISABLED_BY_ITSELF: readonly string[] = ['gone', 'failing_for_days'];

/**
 * Changes an endpoint; fields that are left out stay as they are. The change holds for new events; waiting deliveries
 * stay in their lanes. The caller has locked the endpoint ({@link lockEndpoint}). An endpoint that the engine has
 * disabled begins again when it gets another URL.
 */
export async function updateEndpoint(
  tx: Tx,
  endpoint: Pick<EndpointRow, 'id' | 'url' | 'status' | 'disabledReason'>,
  change: EndpointChange,
  by: Actor,
): Promise<void> {
  const given = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (given.length === 0) return;
  const set = (column: string, value: unknown): RawBuilder<unknown>[] =>
    value === undefined ? [] : [sql`${sql.ref(column)} = ${value}`];
  const assignments = [
    ...set('url', change.url),
    ...set('description', change.description),
    ...set('events', change.events),
    ...set('tenant_ids', change.tenantIds),
    ...set('ordering', change.ordering),
    ...set('rate_per_second', change.ratePerSecond),
    ...set('concurrency', change.concurrency),
    ...set('timeout_ms', change.timeoutMs),
    ...set('retry_ladder_ms', change.retryLadderMs),
    ...set('headers', change.headers),
  ];
  await run(tx)`update endpoint set ${sql.join(assignments)} where id = ${endpoint.id}`;
  await insertEndpointHistory(tx, endpoint.id, { action: 'change', by, detail: { fields: given } });
  const isElsewhere = change.url !== undefined && change.url !== endpoint.url;
  if (isElsewhere && endpoint.status === 'disabled' && DISABLED_BY_ITSELF.includes(endpoint.disabledReason ?? '')) {
    await changeEndpointStatus(tx, endpoint.id, 'active', { ...by, reason: 'Its URL was changed.' });
    return;
  }
  await tellEndpointWorkflow(tx, endpoint.id);
  tx.wake('endpoint', endpoint.id);
}

const HOUR = 3_600_000;

/**
 * Replaces the secret; the old secret signs along for `overlapHours`. Returns until when each old secret signs. The
 * caller has locked the endpoint ({@link lockEndpoint}).
 */
export async function rotateSecret(
  tx: Tx,
  endpoint: Pick<EndpointRow, 'id' | 'secret' | 'oldSecrets'>,
  rotation: { secret: string; overlapHours: number },
  by: Actor,
): Promise<string[]> {
  const { secret, overlapHours } = rotation;
  const until = new Date(tx.now.getTime() + overlapHours * HOUR);
  const old = rotateSecrets(tx.secrets, endpoint, secret, { until, now: tx.now });
  if (old === null) {
    return endpoint.oldSecrets.map((each) => each.until).filter((each) => Date.parse(each) > tx.now.getTime());
  }
  await run(tx)`
    update endpoint set secret = ${sealSecret(tx.secrets, endpoint.id, secret)},
      old_secrets = ${JSON.stringify(old)}::jsonb
    where id = ${endpoint.id}`;
  await forgetUnreadable(tx, [endpoint.id]);
  await insertEndpointHistory(tx, endpoint.id, { action: 'rotate_secret', by, detail: { overlapHours } });
  tx.wake('endpoint', endpoint.id);
  return old.map((each) => each.until);
}

/**
 * Deletes an endpoint. Its rows stay, so that past deliveries can be read; {@link cancelPending} ends the waiting ones.
 */
export async function deleteEndpoint(tx: Tx, endpointId: string, by: Actor): Promise<void> {
  await run(tx)`update endpoint set deleted_at = ${tx.now} where id = ${endpointId}`;
  await insertEndpointHistory(tx, endpointId, { action: 'delete', by });
  await tellEndpointWorkflow(tx, endpointId);
  tx.wake('endpoint', endpointId);
}

const CHUNK = 2_000;

/**
 * Cancels the pending deliveries of a deleted endpoint. Deliveries that a crash leaves pending end when their events
 * are dropped.
 */
export async function cancelPending(database: Database, endpointId: string): Promise<void> {
  for (;;) {
    const cancelled = await database.transaction(async (tx) => {
      const count = await run(tx)`
        update delivery set status = 'cancelled', done_at = ${tx.now}, lease_token = null, leased_until = null
        where id in (select d.id from delivery d join endpoint e on e.id = d.endpoint_id
          where d.endpoint_id = ${endpointId} and d.status = 'pending' and e.deleted_at is not null
          order by d.id limit ${CHUNK} for update of d skip locked)
        returning 1`;
      return count;
    });
    if (cancelled === 0) return;
  }
}
