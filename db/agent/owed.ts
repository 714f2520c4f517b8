import { sql } from 'kysely';
import { z } from 'zod';
import { AGENT_LATE } from '../../domain/agent/owed.ts';
import type { OwedReason } from '../../domain/agent/owed.ts';
import { defaultPersona } from '../../domain/agent/sales-agent.ts';
import { STALE_AFTER_MS } from '../../domain/agent/turn.ts';
import { lockConversation } from '../conversations/conversation.ts';
import type { Database } from '../engine/database.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { MAX_OWED } from './desk.ts';
import { handOver } from './handover.ts';
import { endTurn } from './turn-end.ts';
import { insertTurn } from './turn.ts';

/** A turn that began within this time is still being answered; the longest that a model is asked is four minutes. */
const ANSWERING_MS = 5 * 60_000;
/** One look hands over at most this many conversations of each kind. */
const AT_ONCE = 100;

/** The result of a look: conversations that could not be handed over, and whether more may be due. */
export interface SweptOwed {
  failed: { conversationId: string; error: unknown }[];
  mayBeMore: boolean;
}

const { answerWithinMinutes: USUAL_MINUTES, maxWaitMs: USUAL_WAIT_MS } = defaultPersona('');

/**
 * True for message `m` (of conversation `c`, tenant `t`, agency `a`) that the agent owes an answer for longer than its
 * persona lets it. Messages that became old during a suspension do not count, and failing models have their own bound.
 */
const isLate = (now: Date) => sql`m.awaits_turn and m.revoked_at is null
  and m.waived_at is null and coalesce(m.owed_from, m.created_at) < ${now}::timestamptz - interval '1 minute'
    * coalesce(stored_int(t.persona->'answerWithinMinutes', 1, 1440), ${USUAL_MINUTES}::bigint)
    - interval '1 millisecond' * coalesce(stored_int(t.persona->'maxWaitMs', 0, 120000), ${USUAL_WAIT_MS}::bigint)
  and not waits_for_model(m, ${now})
  and not is_suspended(a.status) and agent_silence(c, t, false) is null
  and not (a.activated_at is not null and coalesce(m.owed_from, m.created_at) <= a.activated_at
    and m.occurred_at < a.activated_at - ${STALE_AFTER_MS}::integer * interval '1 millisecond')
  and not exists (select 1 from ai_turn r where r.conversation_id = c.id and r.outcome = 'running'
    and r.started_at > ${now}::timestamptz - ${ANSWERING_MS}::integer * interval '1 millisecond')`;

const LATE_FROM = sql`message m join conversation c on c.id = m.conversation_id
  join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id join agency a on a.id = c.agency_id`;

/**
 * Hands conversations to a person in which the agent owes an answer for longer than its persona lets it. The workflow
 * does the same at its next look; this is for workflows that do not run.
 */
export async function handOverLateTurns(
  database: Pick<Database, 'read' | 'transaction'>,
  stop?: AbortSignal,
): Promise<SweptOwed> {
  const late = await database.read(
    (queries) => rows(queries, Id)`
    select c.id from ${LATE_FROM} where ${isLate(queries.now)}
    group by c.id order by min(coalesce(m.owed_from, m.created_at)) limit ${AT_ONCE}`,
  );
  return sweep({ ids: late.map(({ id }) => id), isFull: late.length === AT_ONCE, stop }, (id) =>
    database.transaction(async (tx) => (await isFree(tx, id)) && handOverLate(tx, id)),
  );
}

const Id = z.object({ id: z.string() });

/** True unless another process has the conversation's lock: it may be at the same list, and nobody waits for it. */
async function isFree(tx: Tx, conversationId: string): Promise<boolean> {
  return (await run(tx)`select 1 from conversation where id = ${conversationId} for no key update skip locked`) > 0;
}

/** Hands over one after another. More may be due after a full look in which something was done and nothing failed. */
async function sweep(
  { ids, isFull, stop }: { ids: readonly string[]; isFull: boolean; stop: AbortSignal | undefined },
  handOne: (id: string) => Promise<boolean>,
): Promise<SweptOwed> {
  const failed: SweptOwed['failed'] = [];
  let isFurther = false;
  for (const id of ids) {
    if (stop?.aborted === true) break;
    try {
      isFurther = (await handOne(id)) || isFurther;
    } catch (error) {
      failed.push({ conversationId: id, error });
    }
  }
  return { failed, mayBeMore: isFull && isFurther && failed.length === 0 };
}

const Owed = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  messageIds: z.array(z.string()),
  messageId: z.string(),
  at: z.string(),
  receivedAt: z.string(),
});

/** Ends what the agent owes in one turn and hands the conversation over, unless that has changed since the look. */
async function handOverLate(tx: Tx, conversationId: string): Promise<boolean> {
  const id = await lockConversation(tx, conversationId);
  const owed = await row(tx, Owed)`
    select c.agency_id as "agencyId", c.tenant_id as "tenantId", o.*
    from conversation c cross join lateral (
      select array_agg(m.id order by m.occurred_at, m.id) as "messageIds",
        (array_agg(m.id order by m.occurred_at desc, m.id desc))[1] as "messageId",
        max(m.occurred_at)::text as at, min(m.created_at)::text as "receivedAt"
      from (select * from message w where w.conversation_id = c.id and w.awaits_turn and w.revoked_at is null
        order by w.created_at limit ${MAX_OWED}) m having count(*) > 0) o
    where c.id = ${id} and exists (select 1 from ${LATE_FROM} where m.conversation_id = ${id} and ${isLate(tx.now)})`;
  if (!owed) return false;
  const { agencyId, tenantId, ...batch } = owed;
  await run(tx)`select abandon_turns(${id}, null, ${tx.now})`;
  const turnId = await insertTurn(tx, id, batch);
  await endTurn(tx, turnId, { outcome: 'handoff', reason: AGENT_LATE, silence: AGENT_LATE });
  await oweToPerson(tx, { agencyId, tenantId, conversationId: id }, AGENT_LATE);
  return true;
}

/**
 * True for conversation `c` of agency `a` whose failed replies can be decided. The agent may be about to answer the
 * same words, or may find that they need no answer. Replies that fail during a suspension are kept until its end.
 */
const IS_DECIDABLE = sql`c.merged_into is null and not is_suspended(a.status)
  and not exists (select 1 from message w where w.conversation_id = c.id and w.awaits_turn)
  and not exists (select 1 from ai_turn w where w.conversation_id = c.id and w.outcome = 'running')`;

const FailedReply = z.object({ messageId: z.string() });

/** Hands conversations to a person in which a reply of the agent has expired or failed. */
export async function handOverFailedReplies(
  database: Pick<Database, 'read' | 'transaction'>,
  stop?: AbortSignal,
): Promise<SweptOwed> {
  const gone = await database.read(
    (queries) => rows(queries, FailedReply)`
    select f.message_id as "messageId" from failed_reply f
    where not exists (select 1 from message m where m.id = f.message_id) limit ${AT_ONCE}`,
  );
  if (gone.length > 0) {
    const ids = gone.map(({ messageId }) => messageId);
    await database.transaction((tx) => run(tx)`delete from failed_reply where message_id = any(${ids}::text[])`);
  }
  const found = await database.read(
    (queries) => rows(queries, Id)`
    select c.id from failed_reply f join message m on m.id = f.message_id
      join conversation c on c.id = m.conversation_id join agency a on a.id = c.agency_id
    where ${IS_DECIDABLE} group by c.id order by min(f.at) limit ${AT_ONCE}`,
  );
  const ids = found.map(({ id }) => id);
  return sweep({ ids, isFull: found.length === AT_ONCE, stop }, (id) =>
    database.transaction(async (tx) => (await isFree(tx, id)) && handOverReplies(tx, id)),
  );
}

/**
 * Decides about the failed replies of a conversation. Notes that are deleted under the conversation's lock are decided
 * here alone. A note of a message that a merge or its undoing has moved meanwhile stays.
 */
async function handOverReplies(tx: Tx, conversationId: string): Promise<boolean> {
  const id = await lockConversation(tx, conversationId);
  const notes = await rows(tx, FailedReply)`
    delete from failed_reply f using message m, conversation c, agency a
    where m.id = f.message_id and m.conversation_id = ${id} and c.id = m.conversation_id and a.id = c.agency_id
      and ${IS_DECIDABLE}
    returning f.message_id as "messageId"`;
  if (notes.length === 0) return false;
  await handOverReply(
    tx,
    id,
    notes.map(({ messageId }) => messageId),
  );
  return true;
}

/**
 * True where something else answers in place of message `m` of the agent: a person, a program, a later turn, or the
 * same words again.
 */
const IS_ANSWERED_SINCE = sql`exists (select 1 from message o where o.conversation_id = m.conversation_id
  and o.direction = 'out' and o.turn_id is distinct from m.turn_id and (o.occurred_at, o.id) > (m.occurred_at, m.id)
  and (may_answer(o) or (o.origin = 'ai' and o.status in ('queued', 'sending'))))`;

/**
 * Counts the contact's messages as unread again whose answer failed after a part of it was sent, once for each turn.
 * Messages that were read on the phone stay read.
 */
async function countUnreadAgain(tx: Tx, conversationId: string, messageIds: readonly string[]): Promise<void> {
  const raised = await run(tx)`
    update conversation c set unread_count = c.unread_count + u.count from (
      select count(distinct i.id)::integer as count from message m join ai_turn r on r.id = m.turn_id
      join message i on i.id = any(r.inbound_message_ids) and i.conversation_id = m.conversation_id
      join conversation k on k.id = m.conversation_id
      where m.id = any(${messageIds}::text[]) and m.conversation_id = ${conversationId} and m.status = 'failed'
        and r.outcome = 'reply' and r.silence_code is null
        and (k.read_up_to is null or i.occurred_at > k.read_up_to)
        and exists (select 1 from message s where s.id = any(r.message_ids) and s.sent_at is not null)
        and not exists (select 1 from message s where s.id = any(r.message_ids) and s.status = 'failed'
          and s.id <> all(${messageIds}::text[]))
        and not ${IS_ANSWERED_SINCE}) u
    where c.id = ${conversationId} and u.count > 0`;
  if (raised > 0) tx.wake('changed');
}

const Unanswered = z.object({ agencyId: z.string(), tenantId: z.string(), isExpired: z.boolean() });

/**
 * Hands the conversation over if one of the failed messages was part of an answer that nothing has taken the place of.
 * Nobody gets a conversation in which the agent may not speak, or whose contact wants no messages. Needs the
 * conversation's lock.
 */
async function handOverReply(tx: Tx, conversationId: string, messageIds: readonly string[]): Promise<void> {
  await countUnreadAgain(tx, conversationId, messageIds);
  const failed = await row(tx, Unanswered)`
    select c.agency_id as "agencyId", c.tenant_id as "tenantId", m.error_code = 'expired' as "isExpired"
    from message m join ai_turn r on r.id = m.turn_id join conversation c on c.id = m.conversation_id
    join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    where m.id = any(${messageIds}::text[]) and m.conversation_id = ${conversationId} and m.status = 'failed'
      and m.error_code <> all(array['session_deleted', 'opted_out', 'imported'])
      and r.outcome = 'reply' and r.silence_code is null and agent_silence(c, t, false) is null
      and not has_opted_out(c.contact_id)
      and not ${IS_ANSWERED_SINCE}
    order by m.id desc limit 1`;
  if (!failed) return;
  const { isExpired, ...tenant } = failed;
  await oweToPerson(tx, { ...tenant, conversationId }, isExpired ? 'reply_expired' : 'reply_failed');
}

async function oweToPerson(
  tx: Tx,
  { conversationId, ...tenant }: { agencyId: string; tenantId: string; conversationId: string },
  reason: OwedReason,
): Promise<void> {
  await handOver(tx, { ...tenant, sessionId: null }, conversationId, {
    mode: 'human_takeover',
    cause: AGENT_LATE,
    reason,
  });
}
