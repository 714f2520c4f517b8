import { sql } from 'kysely';
import { z } from 'zod';
import { Timestamp } from '../../engine/columns.ts';
import { shardOf } from './shard-of.ts';

/** A row of a delivery as the owner of its shard reads it. */
export const DeliveryRow = z.object({
  id: z.string(),
  endpointId: z.string(),
  lane: z.string(),
  place: z.int(),
  eventId: z.string(),
  /** The exact text of the time, by which the event is found again. */
  eventCreatedAt: z.string(),
  attempts: z.int(),
  ladderStep: z.int(),
  nextAttemptAt: Timestamp,
  outOfOrder: z.boolean(),
});

/** A pending delivery. Its lane is its event's id when it goes alone. */
export interface NewDelivery extends z.output<typeof DeliveryRow> {
  shard: number;
}

/** The columns of `delivery d`. */
export const COLUMNS = sql`d.id::text as id, d.endpoint_id as "endpointId", d.lane, d.place::float8 as place,
  d.event_id as "eventId", d.event_created_at::text as "eventCreatedAt", d.attempts, d.ladder_step as "ladderStep",
  d.next_attempt_at as "nextAttemptAt", d.out_of_order as "outOfOrder"`;

export function toNewDelivery(row: z.output<typeof DeliveryRow>): NewDelivery {
  return { ...row, shard: shardOf(row.endpointId) };
}
