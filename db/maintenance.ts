import { sql } from 'kysely';
import type { Tx } from './database.ts';

/** How long an ack waits for a message that we may yet come to know. */
const PARKED_ACK_DAYS = 2;

/** Makes the partitions of the coming days, drops those whose time is over, and forgets acks of strangers. */
export async function cleanUp(tx: Tx): Promise<void> {
  await sql`select maintain_partitions(current_date)`.execute(tx.sql);
  await sql`delete from parked_ack where at < clock_timestamp() - ${PARKED_ACK_DAYS} * interval '1 day'`.execute(
    tx.sql,
  );
}
