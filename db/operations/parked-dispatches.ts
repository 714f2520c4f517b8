import { sql } from 'kysely';
import { z } from 'zod';
import { DISPATCH_ACTIONS } from '../../domain/operations/parked-dispatch.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

const ParkedDispatch = z.object({
  id: z.string(),
  agencyId: z.string(),
  action: z.enum(DISPATCH_ACTIONS),
  workflowType: z.string(),
  workflowId: z.string(),
  error: z.string().nullable(),
  attempts: z.int(),
  createdAt: Timestamp,
  parkedAt: Timestamp.nullable(),
});
export type ParkedDispatch = z.output<typeof ParkedDispatch>;

const COLUMNS = sql`d.id::text as id, d.agency_id as "agencyId", d.action, d.workflow_type as "workflowType",
  d.workflow_id as "workflowId", d.last_error as error, d.attempts, d.created_at as "createdAt",
  d.parked_at as "parkedAt"`;

/** Lists dispatches that Temporal refused for good, of all agencies, the oldest first. */
export async function listParkedDispatches(
  queries: Queries,
  { after, limit }: { after: string | null; limit: number },
): Promise<ParkedDispatch[]> {
  return rows(queries, ParkedDispatch)`
    select ${COLUMNS} from dispatch d where d.parked_at is not null and (${after}::bigint is null or d.id > ${after})
    order by d.id limit ${limit}`;
}

/** Has a parked dispatch tried again; undefined where none is parked under this number. */
export async function retryParkedDispatch(tx: Tx, id: string): Promise<ParkedDispatch | undefined> {
  const found = await row(tx, ParkedDispatch)`
    update dispatch d set parked_at = null, lease_token = null, leased_until = null, not_before = clock_timestamp()
    where d.id = ${id} and d.parked_at is not null returning ${COLUMNS}`;
  if (found) tx.wake('dispatch');
  return found;
}
