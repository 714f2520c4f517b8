import { sql } from 'kysely';
import { z } from 'zod';
import { OWED_REASONS } from '../../domain/agent/owed.ts';
import type { SettleOwed } from '../../domain/agent/owed.ts';
import type { Scope } from '../../domain/scope.ts';
import { lockConversation } from '../conversations/conversation.ts';
import type { Database } from '../database.ts';
import { promiseMissing } from '../promises.ts';
import { row, rows, run } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { MAX_OWED } from './desk.ts';
import { handOver } from './handover.ts';

/** Nobody answers what a contact wrote longer ago; the list of waiting chats ends there, too. */
const WAITS_FOR = sql`interval '30 days'`;

/**
 * True for conversation `c` whose contact waits for an answer that nobody is about to give: the agent has ended its
 * turns there, or has handed the conversation over because it was late. `handedOver` is the rule for the second kind.
 */
const isOwed = (now: Date, handedOver: ReturnType<typeof sql>) => sql`c.merged_into is null
  and c.contact_id is not null and c.last_inbound_at > ${now}::timestamptz - ${WAITS_FOR}
  and not has_opted_out(c.contact_id)
  and (c.mode = 'bot_active' or (${handedOver} and c.taken_over_by = 'agent'
    and c.assigned_reason = any(${OWED_REASONS}::text[])))
  and not is_owned_by_run(c.id)
  and not exists (select 1 from message w where w.conversation_id = c.id and w.awaits_turn)
  and not exists (select 1 from ai_turn r where r.conversation_id = c.id and r.outcome = 'running')
  and not exists (select 1 from message o where o.conversation_id = c.id and o.origin = 'ai'
    and o.status in ('queued', 'sending', 'uncertain'))
  and not ends_with_answer(c.id, c.unread_count, c.last_inbound_at) and waiting_since(c.id) is not null`;

const Found = z.object({ id: z.string() });

export interface Settled {
  conversationIds: string[];
  moreOwed: boolean;
}

/**
 * Lets the agent answer the chats again that are owed an answer, or hands them to people; the longest wait comes first.
 * Each chat has a transaction of its own, which looks again, so that a repeated request does nothing twice.
 */
export async function settleOwedChats(
  database: Pick<Database, 'read' | 'transaction'>,
  scope: Scope,
  { limit, ...how }: Omit<SettleOwed, 'agencyId' | 'tenantId'> & { limit: number; keyId: string },
): Promise<Settled> {
  const found = await database.read(
    (queries) => rows(queries, Found)`
    select c.id from conversation c
    where c.agency_id = ${scope.agencyId} and c.tenant_id = ${scope.tenantId}
      and (${scope.sessionId}::text is null or c.session_id = ${scope.sessionId})
      and ${isOwed(queries.now, mayBeHandedOver(how))}
    order by waiting_since(c.id), c.id limit ${limit + 1}`,
  );
  const conversationIds: string[] = [];
  for (const { id } of found.slice(0, limit)) {
    if (await database.transaction((tx) => settle(tx, scope, id, how))) conversationIds.push(id);
  }
  return { conversationIds, moreOwed: found.length > limit };
}

/** The agent gets back what it has handed over; a person is named for it only where nobody has it yet. */
function mayBeHandedOver({ action, assignee }: Pick<SettleOwed, 'action' | 'assignee'>): ReturnType<typeof sql> {
  if (action === 'answer') return sql`true`;
  return assignee === undefined ? sql`false` : sql`c.assigned_to is null`;
}

type How = Omit<SettleOwed, 'agencyId' | 'tenantId' | 'limit'> & { keyId: string };

const Mode = z.object({ mode: z.string() });

async function settle(tx: Tx, scope: Scope, conversationId: string, how: How): Promise<boolean> {
  const id = await lockConversation(tx, conversationId);
  const owed = await row(tx, Mode)`
    select c.mode from conversation c where c.id = ${id} and c.agency_id = ${scope.agencyId}
      and c.tenant_id = ${scope.tenantId} and ${isOwed(tx.now, mayBeHandedOver(how))}`;
  if (!owed) return false;
  const { action, assignee = null, actor = null, reason = null, keyId } = how;
  const by = { actor, reason, keyId };
  if (action === 'hand_over') {
    return (await handOver(tx, scope, id, { mode: 'human_takeover', cause: 'assign', assignee, ...by })) !== null;
  }
  const messages = await rows(tx, Found)`
    select w.id from message w join conversation c on c.id = w.conversation_id
    where c.id = ${id} and w.direction = 'in' and w.revoked_at is null and w.waived_at is null
      and w.occurred_at >= waiting_since(${id}) and unsaid(w, c.chat_id) is null
    order by w.occurred_at desc, w.id desc limit ${MAX_OWED}`;
  // A release ends what the agent owes, so it comes first.
  if (owed.mode !== 'bot_active') await handOver(tx, scope, id, { mode: 'bot_active', cause: 'release', ...by });
  await run(tx)`
    update message set awaits_turn = true, owed_from = ${tx.now}
    where id = any(${messages.map((message) => message.id)}::text[])`;
  await promiseMissing(tx, 'aiConversation', {
    which: sql`r.id = ${id}`,
    signal: 'messageReceived',
    movedAt: null,
    parkedForMs: 0,
  });
  return messages.length > 0;
}
