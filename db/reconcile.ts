import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { UNCERTAIN_OPEN_MS } from '../domain/sending/message-state.ts';
import { PRIORITY, workflowId } from '../domain/names.ts';
import { WORKFLOWS } from '../domain/workflows.ts';
import { IdRow } from './engine/columns.ts';
import type { Queries, Tx } from './engine/tx.ts';
import { lockConversation } from './conversations/conversation.ts';
import { isUnpromised, PROMISE_AGAIN_AFTER_MS, promiseMissing } from './promises.ts';
import { one, row, rows } from './engine/rows.ts';
import { endMessage } from './sending/outcome.ts';
import { promote } from './sending/promote.ts';
import { isRefused } from './sessions/session.ts';

/** A turn may take this long with all its models; a turn that runs longer may have lost its workflow. */
const ANSWERING_MS = 5 * 60_000;

const CountRow = z.object({ count: z.int() });

/** One round promises at most this many conversations that owe a turn. */
const MAX_AGENTS = 1_000;

/**
 * Promises again, from the rows, the workflows of messages that must run, because Temporal's store may be lost. Starts
 * are idempotent by id, so a workflow that is running is left alone. A promised row is promised again only after a
 * pause, so that the oldest rows do not keep the others from their turn. With `allSince` every row is promised that was
 * not promised since then.
 */
export async function redispatchMessages(
  tx: Tx,
  staleAfterMs: number,
  limit: number,
  allSince: Date | null = null,
): Promise<number> {
  const again = allSince ?? new Date(tx.now.getTime() - PROMISE_AGAIN_AFTER_MS);
  const parkedForMs = allSince === null ? PROMISE_AGAIN_AFTER_MS : 0;
  const prefix = workflowId('deliverMessage', '');
  // Uncertain messages that may still be resolved are promised only after a loss of Temporal's store; otherwise their
  // workflows wait there.
  const isOpen =
    allSince === null
      ? sql`false`
      : sql`m.status = 'uncertain'
        and m.ended_at > ${tx.now}::timestamptz - ${UNCERTAIN_OPEN_MS} * interval '1 millisecond'`;
  // Locked rows are skipped: the transaction that holds one is moving it, so it needs no repair.
  const due = await rows(tx, IdRow)`
    with due as (
      select m.id from message m
      where (m.status = 'sending' or (m.status = 'queued' and m.released_at is not null) or (${isOpen}))
        and (m.promised_at is null or m.promised_at < ${again})
        and m.updated_at < ${tx.now}::timestamptz - ${staleAfterMs} * interval '1 millisecond'
        and ${isUnpromised(sql`${prefix} || m.id`, parkedForMs)}
      order by m.promised_at nulls first, m.updated_at limit ${limit} for no key update of m skip locked
    )
    update message m set promised_at = ${tx.now}, slice = null from due where m.id = due.id returning m.id`;
  if (due.length === 0) return 0;
  const which = sql`r.id = any(${due.map(({ id }) => id)}::text[])`;
  const repeated = {
    // A row whose session or agency may not send has no reason to move, so its promises are not counted.
    movedAt: sql`(select r.updated_at from session s join agency a on a.id = s.agency_id
      where s.id = r.session_id and may_send(s.status, a.status))`,
    parkedForMs,
    note: ' · again',
  };
  // A message that somebody waits for keeps its priority: its slice may have been terminated before it was its turn.
  const isAwaited = sql`(not r.bulk and r.status <> 'uncertain')`;
  await promiseMissing(tx, 'deliverMessage', { ...repeated, which: sql`${which} and ${isAwaited}`, attempts: 1 });
  const { background } = PRIORITY;
  const others = sql`${which} and not ${isAwaited}`;
  await promiseMissing(tx, 'deliverMessage', { ...repeated, which: others, priority: background });
  return due.length;
}

/** The session and the conversation at which a look through the waiting conversations has stopped. */
const StuckCursor = z.tuple([z.string(), z.string()]);
export type StuckCursor = z.infer<typeof StuckCursor>;
const StuckPage = z.object({ looked: z.int(), last: StuckCursor.nullable(), ids: z.array(z.string()) });

/**
 * Lists conversations with a queue of which no message is on its way or ready for the releaser: a promotion was missed
 * while the session came back or its pace was changed. It looks at `look` conversations after `after`, jumping along
 * the index; `next` is null when those were the last.
 */
export async function listStuckConversations(
  tx: Tx,
  look: number,
  after: StuckCursor | null = null,
): Promise<{ ids: string[]; next: StuckCursor | null }> {
  const [session, conversation] = after ?? ['', ''];
  const next = (behind: RawBuilder<unknown>) => sql`
    select session_id, conversation_id as id from message
    where status = 'queued' and released_at is null and ready_at is null and (session_id, conversation_id) > ${behind}
    order by session_id, conversation_id limit 1`;
  const page = await row(tx, StuckPage)`
    with recursive waiting as (
      (select 1 as place, first.* from (${next(sql`(${session}, ${conversation})`)}) first)
      union all
      select w.place + 1, next.* from waiting w cross join lateral (${next(sql`(w.session_id, w.id)`)}) next
    ), page as (
      select * from waiting limit ${look}
    )
    select count(*)::int as looked, (array_agg(jsonb_build_array(p.session_id, p.id) order by p.place desc))[1] as last,
      coalesce(array_agg(p.id order by p.place) filter (where may_send(s.status, a.status) and exists (
        select 1 from queue_heads(p.id) h having not bool_or(h.on_its_way) and bool_or(h.ready_at is null))),
        '{}') as ids
    from page p join session s on s.id = p.session_id join agency a on a.id = s.agency_id`;
  return { ids: page?.ids ?? [], next: page && page.looked >= look ? page.last : null };
}

export async function promoteStuck(tx: Tx, conversationId: string): Promise<void> {
  await promote(tx, await lockConversation(tx, conversationId));
}

/**
 * Lists conversations in which a message waits that has expired; no workflow claims the message while its session is
 * away.
 */
export async function listConversationsWithExpired(tx: Tx, limit: number): Promise<string[]> {
  const waiting = await rows(tx, IdRow)`
    select distinct conversation_id as id from message
    where status = 'queued' and expires_at <= ${tx.now} limit ${limit}`;
  return waiting.map(({ id }) => id);
}

export async function expireMessages(tx: Tx, conversationId: string): Promise<void> {
  const lockedId = await lockConversation(tx, conversationId);
  const expired = await rows(tx, IdRow)`
    select id from message
    where conversation_id = ${lockedId} and status = 'queued' and expires_at <= ${tx.now}
    order by released_at nulls first, chat_seq for update`;
  // The head ends last, so that the message that it makes room for has not expired.
  for (const { id } of expired) await endMessage(tx, id, { status: 'failed', reason: 'expired', detail: null });
}

/**
 * Promises supervisors again that have not looked for long, because every session needs one, even after Temporal's
 * store was lost. While the backend is away that is all of them, so each is promised only after a pause; with `all`
 * each is promised at once. A session that the backend has refused is left alone, because {@link
 * promiseRefusedSessions} asks for it.
 */
export async function redispatchSessions(tx: Tx, all: boolean): Promise<number> {
  const lostAfterMs = WORKFLOWS.superviseSession.again.afterMs;
  return promiseSupervisors(
    tx,
    sql`r.deleted_at is null and (${all} or (not ${isRefused(sql`r.last_error`)}
      and (r.supervised_at is null
        or r.supervised_at < ${tx.now}::timestamptz - ${lostAfterMs} * interval '1 millisecond')
      and not exists (select 1 from repeated_promise p where p.workflow_id = w.workflow_id
        and p.counted_at > greatest(r.supervised_at,
          ${tx.now}::timestamptz - ${PROMISE_AGAIN_AFTER_MS} * interval '1 millisecond'))))`,
  );
}

/**
 * Promises the supervisors of sessions that the backend has refused. A process does this at its start, because the
 * engine's settings may have changed by then.
 */
export async function promiseRefusedSessions(tx: Tx): Promise<number> {
  return promiseSupervisors(tx, sql`r.deleted_at is null and ${isRefused(sql`r.last_error`)}`);
}

/** Promises the supervisors of those of these sessions that still exist. */
export async function promiseEndedSupervisors(tx: Tx, sessionIds: string[]): Promise<number> {
  return promiseSupervisors(tx, sql`r.deleted_at is null and r.id = any(${sessionIds}::text[])`);
}

/** A session is new for this long: its execution may not be there yet, or not in Temporal's list. */
const NEW_SESSION_MS = 60_000;

/** The sessions `r` that should have an open execution. One that the backend refuses has none until it is asked for. */
const isToBeSupervised = (now: Date): RawBuilder<unknown> => sql`r.deleted_at is null
  and not ${isRefused(sql`r.last_error`)}
  and r.created_at < ${now}::timestamptz - ${NEW_SESSION_MS} * interval '1 millisecond'`;

/** Counts the sessions that should have an open execution in Temporal. */
export async function countToBeSupervised(queries: Pick<Queries, 'sql' | 'now'>): Promise<number> {
  const { count } = await one(queries, CountRow)`
    select count(*)::int as count from session r where ${isToBeSupervised(queries.now)}`;
  return count;
}

/** Promises the supervisors of the sessions that have no open execution, because somebody has deleted it. */
export async function promiseMissingSupervisors(tx: Tx, supervised: readonly string[]): Promise<number> {
  return promiseMissing(tx, 'superviseSession', {
    which: sql`${isToBeSupervised(tx.now)} and not (r.id = any(${supervised}::text[]))`,
    priority: PRIORITY.background,
    // Temporal's list may lag behind, and then nothing is stuck: such promises are not counted.
    movedAt: null,
  });
}

async function promiseSupervisors(tx: Tx, which: RawBuilder<unknown>): Promise<number> {
  return promiseMissing(tx, 'superviseSession', {
    which,
    priority: PRIORITY.background,
    movedAt: sql`coalesce(r.supervised_at, r.created_at)`,
  });
}

/**
 * Promises the agent's workflow of conversations that owe a turn; a conversation that is being answered is left alone
 * for a while. The workflow is signalled as by a new message, since an open one looks at the rows only then. If more
 * conversations owe a turn than one round promises, chance chooses them, so that some that cannot run do not keep the
 * others from their turn.
 */
export async function redispatchAgents(tx: Tx, staleAfterMs: number): Promise<number> {
  const answeredForMs = staleAfterMs === 0 ? 0 : ANSWERING_MS;
  return promiseMissing(tx, 'aiConversation', {
    which: sql`r.id in (
      select owed.conversation_id
      from (select m.conversation_id, min(m.created_at) as since from message m join agency a on a.id = m.agency_id
        where m.awaits_turn and not is_suspended(a.status) group by 1) owed
      where owed.since < ${tx.now}::timestamptz - ${staleAfterMs} * interval '1 millisecond'
        and not exists (select 1 from ai_turn t where t.conversation_id = owed.conversation_id and t.outcome = 'running'
          and t.started_at > ${tx.now}::timestamptz - ${answeredForMs} * interval '1 millisecond')
        and ${isUnpromised(sql`${workflowId('aiConversation', '')} || owed.conversation_id`, PROMISE_AGAIN_AFTER_MS)}
      order by random() limit ${MAX_AGENTS})`,
    signal: 'messageReceived',
    priority: PRIORITY.background,
    movedAt: sql`greatest(
      (select max(m.created_at) from message m where m.conversation_id = r.id and m.awaits_turn),
      (select max(t.started_at) from ai_turn t where t.conversation_id = r.id))`,
  });
}
