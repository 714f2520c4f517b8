import { z } from 'zod';
import { one } from '../rows.ts';
import { OVERLOOKED_ACKS } from '../sending/acks/acks.ts';
import type { Queries } from '../tx.ts';
import { OVERDUE_HOLDS } from '../webhooks/events/held-events.ts';

const Overlooked = z.object({ acks: z.boolean(), holds: z.boolean() });

/** Tells in one look whether acks were overlooked, and whether held events have waited for long enough. */
export async function findOverlooked(queries: Queries): Promise<z.output<typeof Overlooked>> {
  return one(queries, Overlooked)`
    select exists (select 1 from ${OVERLOOKED_ACKS}) as acks, exists (select 1 from ${OVERDUE_HOLDS}) as holds`;
}
