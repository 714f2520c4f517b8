import { z } from 'zod';
import { ENDPOINT_STATUSES } from '../../domain/webhooks/endpoint.ts';
import { DEFAULT_EVENTS } from '../../domain/webhooks/event.ts';
import type { TenantScope } from '../../domain/scope.ts';
import type { WebhookChange } from '../../domain/tenants/settings.ts';
import { row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { deleteEndpoint, lockEndpoint, rotateSecret, updateEndpoint } from './endpoint-change.ts';
import type { Actor } from './endpoint-history.ts';
import { insertEndpoint, newWebhookSecret } from './endpoint.ts';

const TenantWebhook = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  status: z.enum(ENDPOINT_STATUSES),
  disabledReason: z.string().nullable(),
});
type TenantWebhook = z.output<typeof TenantWebhook>;

/** Finds the endpoint of the tenant's webhook setting; undefined when the tenant has none. */
export async function findTenantWebhook(queries: Queries, scope: TenantScope): Promise<TenantWebhook | undefined> {
  return row(queries, TenantWebhook)`
    select id, url, events, status, disabled_reason as "disabledReason" from endpoint
    where agency_id = ${scope.agencyId} and tenant_ids[1] = ${scope.tenantId} and source = 'tenant'
      and deleted_at is null`;
}

const OVERLAP_HOURS = 24;

export interface ChangedWebhook {
  /** The secret if it was made here, else null; it cannot be read again later. */
  secret: string | null;
  deletedId: string | null;
}

/**
 * Makes, changes or deletes the endpoint of a tenant's webhook setting, under the lock of the tenant's row: two
 * requests at once would both find no endpoint and both make one. `no_url`: the tenant has no endpoint yet, and none
 * can be made without a URL.
 */
export async function changeTenantWebhook(
  tx: Tx,
  scope: TenantScope,
  change: WebhookChange,
  by: Actor,
): Promise<ChangedWebhook | 'no_url'> {
  const { webhookUrl, webhookEvents, webhookSecret } = change;
  const none = { secret: null, deletedId: null };
  if (webhookUrl === undefined && webhookEvents === undefined && webhookSecret === undefined) return none;
  await run(tx)`
    select 1 from tenant where agency_id = ${scope.agencyId} and id = ${scope.tenantId} for no key update`;
  const known = await findTenantWebhook(tx, scope);
  if (webhookUrl === null) {
    if (!known) return none;
    await deleteEndpoint(tx, known.id, by);
    return { secret: null, deletedId: known.id };
  }
  const endpoint = known && (await lockEndpoint(tx, scope.agencyId, known.id));
  if (endpoint) {
    const events = webhookEvents === null ? [...DEFAULT_EVENTS] : webhookEvents;
    await updateEndpoint(tx, endpoint, { url: webhookUrl, events }, by);
    if (webhookSecret !== undefined) {
      await rotateSecret(tx, endpoint, { secret: webhookSecret, overlapHours: OVERLAP_HOURS }, by);
    }
    return none;
  }
  if (webhookUrl === undefined) return 'no_url';
  const secret = webhookSecret ?? newWebhookSecret();
  await insertEndpoint(tx, {
    agencyId: scope.agencyId,
    source: 'tenant',
    tenantIds: [scope.tenantId],
    url: webhookUrl,
    secret,
    events: webhookEvents ?? [...DEFAULT_EVENTS],
  });
  return { secret: webhookSecret === undefined ? secret : null, deletedId: null };
}
