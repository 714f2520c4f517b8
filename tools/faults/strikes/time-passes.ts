import type { Client } from 'pg';
import { workflowId } from '../../../domain/names.ts';

/**
 * Dates these messages back, as if they had been promised twice in vain within ten minutes: at the third promise the
 * engine looks at the execution. The fault does not have to wait that long.
 */
export async function letTimePass(database: Client, messageIds: readonly string[]): Promise<void> {
  await database.query(
    `update message set updated_at = now() - interval '10 minutes', promised_at = now() - interval '5 minutes'
     where id = any($1) and status in ('queued', 'sending')`,
    [messageIds],
  );
  await database.query(
    `insert into repeated_promise (workflow_id, times, counted_at)
     select unnest($1::text[]), 2, now() - interval '5 minutes'
     on conflict (workflow_id) do update set times = 2, counted_at = excluded.counted_at`,
    [messageIds.map((id) => workflowId('deliverMessage', id))],
  );
}
