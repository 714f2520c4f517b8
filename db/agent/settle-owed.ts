import { sql } from 'kysely';
import { z } from 'zod';
import { OWED_REASONS } from '../../domain/agent/owed.ts';
import type { SettleOwed } from '../../domain/agent/owed.ts';
import type { Scope } from '../../domain/scope.ts';
import { lockConversation } from '../conversations/conversation.ts';
import type { Database } from '../engine/database.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { MAX_OWED } from './desk.ts';
import { handOver, wakeAgent } from './handover.ts';

/** The newest words of conversation `c` that wait for an answer and can have one. `waiting_since` is asked once. */
const WAITING_WORDS = sql`(select w.* from message w
  where w.conversation_id = c.id and w.direction = 'in' and w.revoked_at is null and w.waived_at is null
    and w.occurred_at >= (select waiting_since(c.id)) and unsaid(w, c.chat_id) is null
  order by w.occurred_at desc, w.id desc limit ${MAX_OWED})`;

/** Turns that ended so have decided nothing about their messages: the agent was kept from answering them. */
const UNDECIDED = ['stale', 'paused', 'human', 'taken_over', 'agent_late', 'model_failed', 'newer_message'];

/**
 * True for words `w` with their last turn `r` that no turn has decided about, or whose reply failed. Silence is a
 * decision: a chat that needs no answer would otherwise be owed for ever.
 */
const IS_UNDECIDED = sql`r.id is null or r.silence_code = any(${UNDECIDED}::text[])
  or (r.outcome = 'reply' and r.silence_code is null and not turn_answers(r))`;

/** True for words `w` that a model was asked about again, in their last turn `r`. Once is enough: people are next. */
const WAS_ASKED_AGAIN = sql`coalesce(w.owed_from > w.created_at and r.started_at >= w.owed_from
  and r.model_calls <> '[]', false)`;

/** True where the agent may speak in the tenant of conversation `c`. */
const IS_AGENT_ON = sql`exists (select 1 from tenant t
  where t.agency_id = c.agency_id and t.id = c.tenant_id and tenant_silence(t) is null)`;

/**
 * True for conversation `c` whose contact waits for an answer that nobody is about to give: the agent was kept from
 * answering, or has handed the conversation over because it was late. The agent must be on to get or to lose one.
 */
const isOwed = (
  now: Date,
  { action, assignee }: Pick<SettleOwed, 'action' | 'assignee'>,
) => sql`awaits_answer(c, ${now})
  and case when c.mode = 'bot_active' then ${IS_AGENT_ON}
    else c.taken_over_by = 'agent' and c.assigned_reason = any(${OWED_REASONS}::text[])
      and c.assigned_to is null and ${action === 'answer' ? IS_AGENT_ON : sql`${assignee !== undefined}`} end
  and not is_owned_by_run(c.id)
  and not exists (select 1 from message w where w.conversation_id = c.id and w.awaits_turn)
  and not exists (select 1 from ai_turn r where r.conversation_id = c.id and r.outcome = 'running')
  and not exists (select 1 from message o where o.conversation_id = c.id and o.origin = 'ai'
    and o.status in ('queued', 'sending', 'uncertain'))
  and exists (select 1 from ${WAITING_WORDS} w left join ai_turn r on r.id = w.turn_id
    where ${action === 'answer' ? sql`not ${WAS_ASKED_AGAIN}` : sql`true`}
      and (c.mode <> 'bot_active' or ${IS_UNDECIDED}))`;

const Found = z.object({ id: z.string() });

export interface Settled {
  conversationIds: string[];
  moreOwed: boolean;
  /** The first error. The other chats are settled all the same. */
  error: unknown;
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
      and ${isOwed(queries.now, how)}
    order by waiting_since(c.id), c.id limit ${limit + 1}`,
  );
  const conversationIds: string[] = [];
  const errors: unknown[] = [];
  for (const { id } of found.slice(0, limit)) {
    try {
      if (await database.transaction((tx) => settle(tx, scope, id, how))) conversationIds.push(id);
    } catch (error) {
      errors.push(error);
    }
  }
  return { conversationIds, moreOwed: found.length > limit, error: errors[0] };
}

type How = Omit<SettleOwed, 'agencyId' | 'tenantId' | 'limit'> & { keyId: string };

const Mode = z.object({ mode: z.string() });

async function settle(tx: Tx, scope: Scope, conversationId: string, how: How): Promise<boolean> {
  const id = await lockConversation(tx, conversationId);
  const owed = await row(tx, Mode)`
    select c.mode from conversation c where c.id = ${id} and c.agency_id = ${scope.agencyId}
      and c.tenant_id = ${scope.tenantId} and ${isOwed(tx.now, how)}`;
  if (!owed) return false;
  const { action, assignee = null, actor = null, reason = null, keyId } = how;
  const by = { actor, reason, keyId };
  if (action === 'hand_over') {
    return (await handOver(tx, scope, id, { mode: 'human_takeover', cause: 'assign', assignee, ...by })) !== null;
  }
  // A release ends what the agent owes, so it comes first.
  if (owed.mode !== 'bot_active') await handOver(tx, scope, id, { mode: 'bot_active', cause: 'release', ...by });
  await answerAgain(tx, id);
  return true;
}

/** Asks the agent for an answer to the words that wait for one. Needs the conversation's lock. */
export async function answerAgain(tx: Tx, conversationId: string): Promise<void> {
  await run(tx)`
    update message set awaits_turn = true, owed_from = ${tx.now}
    where id in (select w.id from conversation c cross join lateral ${WAITING_WORDS} w where c.id = ${conversationId})`;
  await wakeAgent(tx, conversationId);
}

/** After a longer wait only a person decides about an answer. */
const RETURN_ANSWERS_WITHIN_HOURS = 24;

const Due = z.object({ agencyId: z.string(), tenantId: z.string(), isOwed: z.boolean() });

/**
 * Gives the conversation back to the agent, unless a person has just done something in it. The agent answers again what
 * it had left to people and nobody has answered, unless the contact has waited for too long. Takes the conversation's
 * lock.
 */
export async function returnToAgent(tx: Tx, conversationId: string): Promise<boolean> {
  const due = await row(tx, Due)`
    select c.agency_id as "agencyId", c.tenant_id as "tenantId", ${isOwed(tx.now, { action: 'answer' })}
      and waiting_since(c.id) > ${tx.now}::timestamptz - ${RETURN_ANSWERS_WITHIN_HOURS} * interval '1 hour' as "isOwed"
    from conversation c where c.id = ${conversationId} and c.merged_into is null and c.mode = 'human_takeover'
      and c.return_at <= ${tx.now} for no key update of c`;
  if (!due) return false;
  const { isOwed: isOwedAnswer, ...tenant } = due;
  const to = { mode: 'bot_active', cause: 'auto_return' } as const;
  const returned = await handOver(tx, { ...tenant, sessionId: null }, conversationId, to);
  if (returned !== null && isOwedAnswer) await answerAgain(tx, conversationId);
  return returned !== null;
}
