import { sql } from 'kysely';
import type { NetworkMedia } from '../../domain/network/network-event.ts';
import type { Tx } from '../tx.ts';

/** The first record stands: what has been stored for a message does not change. */
export async function recordMedia(tx: Tx, messageId: string, media: NetworkMedia): Promise<void> {
  await sql`
    update message set media = ${JSON.stringify(media)}::jsonb, updated_at = ${tx.now}
    where id = ${messageId} and media is null`.execute(tx.sql);
}

/** The file's server could not give the file; answers how many times that has been so. */
export async function recordUnavailableMedia(tx: Tx, messageId: string, detail: string): Promise<number> {
  const { rows } = await sql<{ times: number }>`
    with noted as (
      insert into message_history (message_id, at, status, reason, detail)
      select id, ${tx.now}, status, 'media_unavailable', ${detail} from message where id = ${messageId} and status = 'queued'
    )
    select count(*)::int + 1 as times from message_history
    where message_id = ${messageId} and reason = 'media_unavailable'`.execute(tx.sql);
  return rows[0]?.times ?? 1;
}

/** The person gets the file, but those whom its caption names are not told. */
export async function noteMentionsLeftOut(tx: Tx, messageId: string): Promise<void> {
  await sql`
    insert into message_history (message_id, at, status, reason)
    select id, ${tx.now}, status, 'mentions_left_out' from message where id = ${messageId}`.execute(tx.sql);
}
