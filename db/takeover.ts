import { sql } from 'kysely';
import type { Scope, TenantScope } from '../domain/scope.ts';
import { lockConversation } from './conversation.ts';
import type { Queries, Tx } from './database.ts';
import { cancelAiMessages, handOver } from './handover.ts';
import type { HandedOver, Handover } from './handover.ts';

/** What the routes do: a person takes the conversation over, or gives it back. */
export async function takeOver(
  tx: Tx,
  scope: Scope,
  conversationId: string,
  to: Omit<Handover, 'cause'> & { cause?: Handover['cause'] },
): Promise<HandedOver | null> {
  return handOver(tx, scope, conversationId, { cause: to.mode === 'bot_active' ? 'release' : 'assign', ...to });
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
