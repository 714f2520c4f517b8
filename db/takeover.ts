import { sql } from 'kysely';
import type { ConversationMode } from '../domain/conversation.ts';
import type { EndReason } from '../domain/message.ts';
import type { Scope, TenantScope } from '../domain/scope.ts';
import { lockConversation } from './conversation.ts';
import type { Queries, Tx } from './database.ts';
import { endMessage } from './outcome.ts';

/**
 * Hands the conversation to a person: mode, epoch and the end of AI messages that nobody has claimed, in one
 * transaction. What was claimed before is waited for by the caller, in new statements.
 */
export async function takeOver(
  tx: Tx,
  scope: Scope,
  conversationId: string,
  to: { mode: ConversationMode; assignee: string | null },
): Promise<{ epoch: number; assignedTo: string | null } | null> {
  const { rows } = await sql<{ epoch: number; assignedTo: string | null }>`
    update conversation set mode = ${to.mode}, epoch = epoch + 1, assigned_to = ${to.assignee}
    where id = ${conversationId} and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
      and (${scope.sessionId}::text is null or session_id = ${scope.sessionId}) and merged_into is null
    returning epoch, assigned_to as "assignedTo"`.execute(tx.sql);
  const row = rows[0];
  if (!row) {
    const merged = await sql<{ into: string }>`
      select merged_into as into from conversation
      where id = ${conversationId} and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
        and (${scope.sessionId}::text is null or session_id = ${scope.sessionId}) and merged_into is not null`.execute(
      tx.sql,
    );
    return merged.rows[0] ? takeOver(tx, scope, merged.rows[0].into, to) : null;
  }
  await cancelAiMessages(tx, conversationId, to.mode === 'human_takeover' ? 'taken_over' : 'ai_paused');
  return row;
}

/** Ends the AI's unclaimed messages of a conversation; needs its lock. */
async function cancelAiMessages(tx: Tx, conversationId: string, reason: EndReason): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from message where conversation_id = ${conversationId} and origin = 'ai' and status = 'queued'
    order by chat_seq for update`.execute(tx.sql);
  for (const { id } of rows) await endMessage(tx, id, { status: 'cancelled', reason, detail: null });
}

/** The conversations of a tenant in which an AI message is waiting, for a takeover of the whole tenant. */
export async function listConversationsWithAiQueue(queries: Queries, scope: TenantScope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct conversation_id as id from message
    where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} and origin = 'ai' and status = 'queued'
    order by 1`.execute(queries.sql);
  return rows.map((row) => row.id);
}

/** A transaction of its own per conversation: holding the tenant's row while waiting for conversations would deadlock. */
export async function cancelAiQueue(tx: Tx, conversationId: string): Promise<void> {
  await cancelAiMessages(tx, await lockConversation(tx, conversationId), 'ai_paused');
}

/** AI messages that were claimed and whose outcome is not known: they may still reach the backend. */
export async function listAiInFlight(
  queries: Queries,
  scope: Scope,
  conversationId: string | null,
): Promise<{ messageId: string; status: string }[]> {
  const { rows } = await sql<{ messageId: string; status: string }>`
    select id as "messageId", status from message
    where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} and origin = 'ai' and status = 'sending'
      and (${scope.sessionId}::text is null or session_id = ${scope.sessionId})
      and (${conversationId}::text is null
        or conversation_id = (select coalesce(merged_into, id) from conversation where id = ${conversationId}))
    order by id`.execute(queries.sql);
  return rows;
}
