import { sql } from 'kysely';
import { z } from 'zod';
import { DELIVERY_STATUSES } from '../../domain/webhooks/record.ts';
import type { DeliveryStatus } from '../../domain/webhooks/record.ts';
import { IdRow } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { insertEndpointHistory } from './endpoint-history.ts';
import type { Actor } from './endpoint-history.ts';
import { insertDeliveries, mayGet } from './replay.ts';
import { lockForReplay, sendAgainNow } from './requeue.ts';
import { wakeOwner } from './shards/shard-of.ts';

export type EventResent =
  | { outcome: 'resent'; deliveries: { endpointId: string; deliveryId: string }[] }
  | { outcome: 'no_event' | 'no_endpoint' };

/** `in_flight`: the delivery is being attempted, so it is not sent again. */
export type DeliveryResent = 'resent' | 'in_flight' | 'no_delivery' | 'no_endpoint' | 'event_expired';

export type DeliveryCancelled =
  { outcome: 'cancelled' | 'in_flight' | 'no_delivery' } | { outcome: 'ended'; status: DeliveryStatus };

/**
 * Sends an event again now: to the named endpoint, else to every endpoint that it was for. An endpoint that had not
 * asked for the event gets it, too, if it may have events of that tenant.
 */
export async function resendEvent(
  tx: Tx,
  { agencyId, eventId, endpointId }: { agencyId: string; eventId: string; endpointId: string | null },
  by: Actor,
): Promise<EventResent> {
  const events = await run(tx)`
    select 1 from event where id = ${eventId} and agency_id = ${agencyId}`;
  if (events === 0) return { outcome: 'no_event' };
  const targets = await rows(tx, IdRow)`
    select e.id from endpoint e join event v on v.id = ${eventId}
    where e.agency_id = ${agencyId} and e.deleted_at is null and ${mayGet()} and ${
      endpointId === null
        ? sql`e.id in (select d.endpoint_id from delivery d where d.event_id = ${eventId})`
        : sql`e.id = ${endpointId}`
    } order by e.id`;
  if (endpointId !== null && targets.length === 0) return { outcome: 'no_endpoint' };
  const deliveries: { endpointId: string; deliveryId: string }[] = [];
  for (const { id } of targets) {
    if (!(await lockForReplay(tx, id))) continue;
    const deliveryId = await deliveryOf(tx, id, eventId);
    if (deliveryId === undefined) return { outcome: 'no_event' };
    await sendAgainNow(tx, id, deliveryId);
    await insertEndpointHistory(tx, id, { action: 'resend', by, detail: { eventId, deliveryId } });
    deliveries.push({ endpointId: id, deliveryId });
  }
  return { outcome: 'resent', deliveries };
}

async function deliveryOf(tx: Tx, endpointId: string, eventId: string): Promise<string | undefined> {
  const known = await row(tx, IdRow)`
    select id::text as id from delivery where event_id = ${eventId} and endpoint_id = ${endpointId} order by id`;
  return known?.id ?? (await insertDeliveries(tx, endpointId, [eventId]))[0];
}

interface DeliveryOfAgency {
  agencyId: string;
  id: string;
}

const LockedRow = z.object({
  endpointId: z.string(),
  eventId: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  isInFlight: z.boolean(),
  isDeleted: z.boolean(),
  isKept: z.boolean(),
  mayGet: z.boolean(),
});

async function lockDelivery(
  tx: Tx,
  { agencyId, id }: DeliveryOfAgency,
): Promise<z.output<typeof LockedRow> | undefined> {
  return row(tx, LockedRow)`
    select d.endpoint_id as "endpointId", d.event_id as "eventId", d.status,
      coalesce(d.leased_until > clock_timestamp(), false) as "isInFlight", e.deleted_at is not null as "isDeleted",
      exists (select 1 from event v where v.id = d.event_id and v.created_at = d.event_created_at) as "isKept",
      exists (select 1 from event v where v.id = d.event_id and v.created_at = d.event_created_at
        and ${mayGet()}) as "mayGet"
    from delivery d join endpoint e on e.id = d.endpoint_id
    where d.id = ${id}::bigint and d.agency_id = ${agencyId} for update of d`;
}

/** Sends one delivery again now, ahead of others that wait for its endpoint. */
export async function resendDelivery(tx: Tx, delivery: DeliveryOfAgency, by: Actor): Promise<DeliveryResent> {
  const found = await lockDelivery(tx, delivery);
  if (!found) return 'no_delivery';
  if (found.isDeleted) return 'no_endpoint';
  if (!found.isKept) return 'event_expired';
  if (!found.mayGet) return 'no_endpoint';
  if (found.isInFlight) return 'in_flight';
  const { endpointId, eventId } = found;
  await sendAgainNow(tx, endpointId, delivery.id);
  await insertEndpointHistory(tx, endpointId, { action: 'resend', by, detail: { eventId, deliveryId: delivery.id } });
  return 'resent';
}

/**
 * Cancels a delivery, which is then sent again only if a person asks for it. The delivery behind it in its lane goes
 * on.
 */
export async function cancelDelivery(tx: Tx, delivery: DeliveryOfAgency, by: Actor): Promise<DeliveryCancelled> {
  const { id } = delivery;
  const found = await lockDelivery(tx, delivery);
  if (!found) return { outcome: 'no_delivery' };
  if (found.status === 'cancelled') return { outcome: 'cancelled' };
  if (found.status !== 'pending') return { outcome: 'ended', status: found.status };
  if (found.isInFlight) return { outcome: 'in_flight' };
  await run(tx)`
    update delivery set status = 'cancelled', done_at = ${tx.now}, lease_token = null, leased_until = null
    where id = ${id}::bigint`;
  await insertEndpointHistory(tx, found.endpointId, {
    action: 'cancel',
    by,
    detail: { eventId: found.eventId, deliveryId: id },
  });
  tx.wake('endpoint', found.endpointId);
  wakeOwner(tx, found.endpointId);
  return { outcome: 'cancelled' };
}
