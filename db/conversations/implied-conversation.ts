import { sql } from 'kysely';
import { IdRow } from '../engine/columns.ts';
import { rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

/**
 * Finds the conversation that a request of one session can only mean: that of the quoted message, or the session's only
 * one if nothing is quoted. Null if there is none, or more than one.
 */
export async function findImpliedConversation(
  queries: Queries,
  { agencyId, tenantId, sessionId }: { agencyId: string; tenantId: string; sessionId: string },
  quoted: string | null,
): Promise<string | null> {
  const isQuoted =
    quoted === null
      ? sql`c.merged_into is null`
      : sql`c.id = (
          select conversation_now(q) from message m join conversation q on q.id = m.conversation_id
          where m.id = message_of(${quoted}) and m.agency_id = ${agencyId} and m.tenant_id = ${tenantId})`;
  const [found, second] = await rows(queries, IdRow)`
    select c.id from conversation c
    where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.session_id = ${sessionId} and ${isQuoted}
    limit 2`;
  return found === undefined || second !== undefined ? null : found.id;
}
