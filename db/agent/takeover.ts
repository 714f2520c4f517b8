import { z } from 'zod';
import type { ConversationMode } from '../../domain/conversation.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import { endRunsOfTenant } from '../sending/runs-taken-over.ts';
import { lockConversation } from '../conversations/conversation.ts';
import type { Database } from '../engine/database.ts';
import { IdRow } from '../engine/columns.ts';
import { rows } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import type { Wakeups } from '../engine/wakeups.ts';
import { cancelAiMessages, findHandover, handOver } from './handover.ts';
import type { Handover } from './handover.ts';

/**
 * A takeover waits at most this long for AI sends that were claimed before it; its answer names those that are not over
 * by then.
 */
const WAIT_MS = 2_000;
/**
 * The end of a message wakes the takeover; this bound is for a message that ends between a look and the wait after it,
 * and so wakes nothing.
 */
const LOOK_EVERY_MS = 200;

const InFlightRow = z.object({ messageId: z.string(), status: z.string() });
export type InFlight = z.output<typeof InFlightRow>;

/**
 * The functions by which a takeover looks for sends and decides whether it looks again. A test passes its own, to hold
 * the database at each step.
 */
export interface Looking {
  look?: typeof listAiInFlight;
  again?: (inFlight: readonly InFlight[]) => Promise<boolean>;
}

/**
 * Waits for AI sends that had been claimed when the takeover committed. The first look is a new statement after that
 * commit, so it sees every claim that committed before the takeover; a later claim sees the takeover itself.
 */
export async function awaitAiInFlight(
  database: Pick<Database, 'read' | 'wakeups'>,
  scope: Scope,
  conversationId: string | null,
  { look = listAiInFlight, again = within(database.wakeups, WAIT_MS) }: Looking = {},
): Promise<InFlight[]> {
  for (;;) {
    const inFlight = await database.read((queries) => look(queries, scope, conversationId));
    if (inFlight.length === 0 || !(await again(inFlight))) return inFlight;
  }
}

/**
 * Cancels the AI messages that wait in a tenant's conversations, after the tenant's state or persona has changed, and
 * ends the runs of automations there where a person has taken the whole tenant over. It
 * covers all of the tenant's sessions, even when the key that made the change is bound to one session.
 */
export async function stopTenantAi(
  database: Pick<Database, 'read' | 'transaction' | 'wakeups'>,
  { agencyId, tenantId }: TenantScope,
  looking: Looking = {},
): Promise<InFlight[]> {
  const tenant = { agencyId, tenantId, sessionId: null };
  const waiting = await database.read((queries) => listConversationsWithAiQueue(queries, tenant));
  for (const id of waiting) await database.transaction((tx) => cancelAiQueue(tx, id));
  await endRunsOfTenant(database, tenant);
  return awaitAiInFlight(database, tenant, null, looking);
}

/**
 * Applies an operator's decision from the workflow of a conversation, with the answer that the route gives. A decision
 * that is repeated under its `requestId` is applied once. Null when there is no such conversation.
 */
export async function changeHandsOnce(
  database: Pick<Database, 'read' | 'transaction' | 'wakeups'>,
  scope: Scope,
  conversationId: string,
  to: Handover & { requestId: string },
  looking: Looking = {},
): Promise<{ mode: ConversationMode; epoch: number; inFlight: InFlight[] } | null> {
  const { mode, requestId } = to;
  const changed = await database.transaction(async (tx) => {
    const id = await lockConversation(tx, conversationId);
    return (await findHandover(tx, requestId)) ?? handOver(tx, scope, id, to);
  });
  if (!changed) return null;
  const inFlight = mode === 'human_takeover' ? await awaitAiInFlight(database, scope, conversationId, looking) : [];
  return { mode, epoch: changed.epoch, inFlight };
}

/**
 * Waits until the first of the sends ends, or a moment has passed. All of the sends must end, so the end of the first
 * is a good time to look again.
 */
function within(wakeups: Wakeups, ms: number): NonNullable<Looking['again']> {
  const until = performance.now() + ms;
  return async ([first]) => {
    const restMs = until - performance.now();
    if (!first || restMs <= 0) return false;
    await wakeups.wait('message', first.messageId, Math.min(restMs, LOOK_EVERY_MS));
    return true;
  };
}

/** Lists the conversations of a tenant in which an AI message waits that may not go any more. */
async function listConversationsWithAiQueue(queries: Queries, scope: TenantScope): Promise<string[]> {
  const found = await rows(queries, IdRow)`
    select distinct m.conversation_id as id from message m
    join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id
    where m.agency_id = ${scope.agencyId} and m.tenant_id = ${scope.tenantId} and m.origin = 'ai'
      and m.status = 'queued' and (m.tenant_epoch is distinct from t.ai_epoch or tenant_silence(t) is not null)
    order by 1`;
  return found.map((row) => row.id);
}

/**
 * Cancels the waiting AI messages of one conversation. The caller gives each conversation its own transaction, because
 * a transaction that held a lock of the tenant's row while it waited for conversations would deadlock.
 */
async function cancelAiQueue(tx: Tx, conversationId: string): Promise<void> {
  await cancelAiMessages(tx, await lockConversation(tx, conversationId), 'ai_paused', 'of_the_past');
}

/**
 * Lists AI messages that were claimed and whose outcome is not known; they may still reach the backend. With a
 * conversation, it includes those of automations, because only the conversation's takeover stops them.
 */
export async function listAiInFlight(
  queries: Queries,
  scope: Scope,
  conversationId: string | null,
): Promise<InFlight[]> {
  return rows(queries, InFlightRow)`
    select id as "messageId", status from message
    where agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId} and status = 'sending'
      and (origin = 'ai' or (via = 'automation' and ${conversationId}::text is not null))
      and (${scope.sessionId}::text is null or session_id = ${scope.sessionId})
      and (${conversationId}::text is null
        or conversation_id = (select conversation_now(c) from conversation c where c.id = ${conversationId}))
    order by id`;
}
