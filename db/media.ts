import { sql } from 'kysely';
import type { NetworkMedia } from '../domain/network-event.ts';
import type { Queries } from './database.ts';

/** The first record stands: what has been stored for a message does not change. */
export async function recordMedia(queries: Queries, messageId: string, media: NetworkMedia): Promise<void> {
  await sql`
    update message set media = ${JSON.stringify(media)}::jsonb, updated_at = ${queries.now}
    where id = ${messageId} and media is null`.execute(queries.sql);
}
