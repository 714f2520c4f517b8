import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { UNCERTAIN_OPEN_MS } from '../domain/sending/message-state.ts';
import { OUTCOME_OPEN, PRIORITY, SIGNALS, workflowId } from '../domain/names.ts';
import type { SignalName } from '../domain/names.ts';
import type { Tx } from './tx.ts';
import { lockConversation } from './conversations/conversation.ts';
import { insertMissing, isUnpromised, PROMISE_AGAIN_AFTER_MS } from './dispatch.ts';
import type { Wanted } from './dispatch.ts';
import { endMessage } from './sending/outcome.ts';
import { promote } from './sending/promote.ts';
import { isRefused } from './sessions/session.ts';

/** Nothing younger than this is repaired: its own transaction or workflow is still at it. */
export const STALE_AFTER_MS = 15_000;

/** As long as a turn may take with all its models; after that its workflow may be gone. */
const ANSWERING_MS = 5 * 60_000;

/** Owed turns that one round promises. */
const AGENTS_LIMIT = 1_000;

/**
 * Temporal's store is disposable: what must run is promised again from the rows. Starts are idempotent by id, so a
 * workflow that is running already is left alone. A row that was promised has its turn again after a pause, so that the
 * oldest do not keep the others from being reached; with `allSince`, every row that was not promised since then.
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
  // Only after a loss of Temporal's store: while it runs, one that waits to be resolved needs no care.
  const isOpen =
    allSince === null
      ? sql`false`
      : sql`m.status = 'uncertain' and m.ended_at > ${tx.now}::timestamptz - ${UNCERTAIN_OPEN_MS} * interval '1 millisecond'`;
  // Rows that somebody is at are not waited for: they are in no need of us.
  const { rows: due } = await sql<{ id: string }>`
    with due as (
      select m.id from message m
      where (m.status = 'sending' or (m.status = 'queued' and m.released_at is not null) or (${isOpen}))
        and (m.promised_at is null or m.promised_at < ${again})
        and m.updated_at < ${tx.now}::timestamptz - ${staleAfterMs} * interval '1 millisecond'
        and ${isUnpromised(sql`${prefix} || m.id`, parkedForMs)}
      order by m.promised_at nulls first, m.updated_at limit ${limit} for no key update of m skip locked
    )
    update message m set promised_at = ${tx.now} from due where m.id = due.id returning m.id`.execute(tx.sql);
  if (due.length === 0) return 0;
  const wanted: Wanted = {
    type: 'deliverMessage',
    key: sql`m.id`,
    action: 'start',
    signal: null,
    attributes: sql`jsonb_build_object('AgencyId', m.agency_id, 'TenantId', m.tenant_id, 'SessionId', m.session_id,
      'ConversationId', m.conversation_id, 'MessageId', m.id, 'Outcome', ${OUTCOME_OPEN}::text)`,
    summary: sql`m.kind || ' → ' || m.conversation_id || ' · agency ' || m.agency_id || ' · again'`,
    priority: PRIORITY.background,
    agencyId: sql`m.agency_id`,
    // Where it waits for its phone, or for its agency, its row does not move, and rightly.
    movedAt: sql`case when may_send(s.status, a.status) then m.updated_at end`,
  };
  const ids = due.map(({ id }) => id);
  await insertMissing(
    tx,
    wanted,
    (columns) => sql`
      select ${columns} from message m join session s on s.id = m.session_id join agency a on a.id = m.agency_id
      where m.id = any(${ids}::text[])`,
    parkedForMs,
  );
  return due.length;
}

/** Where a look through the conversations that wait has come to: the session and conversation it looked at last. */
export type StuckCursor = [sessionId: string, conversationId: string];

/**
 * Conversations with a queue and none of it on its way, nor ready for the releaser: a promotion that was missed while the
 * session came back or its pace was changed. Looks at so many behind `after`, skipping from one to the next; `next` is null
 * when those were the last.
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
  const { rows } = await sql<{ looked: number; last: StuckCursor | null; ids: string[] }>`
    with recursive waiting as (
      (select 1 as place, first.* from (${next(sql`(${session}, ${conversation})`)}) first)
      union all
      select w.place + 1, next.* from waiting w cross join lateral (${next(sql`(w.session_id, w.id)`)}) next
    ), page as (
      select * from waiting limit ${look}
    )
    select count(*)::int as looked, (array_agg(jsonb_build_array(p.session_id, p.id) order by p.place desc))[1] as last,
      coalesce(array_agg(p.id order by p.place) filter (where may_send(s.status, a.status) and exists (
        select 1 from queue_heads(p.id) h having not bool_or(h.on_its_way) and bool_or(h.ready_at is null))), '{}') as ids
    from page p join session s on s.id = p.session_id join agency a on a.id = s.agency_id`.execute(tx.sql);
  const [row] = rows;
  return { ids: row?.ids ?? [], next: row && row.looked >= look ? row.last : null };
}

export async function promoteStuck(tx: Tx, conversationId: string): Promise<void> {
  await promote(tx, await lockConversation(tx, conversationId));
}

/** Conversations in which a message waits past its time: nobody claims it while its session is away. */
export async function listConversationsWithExpired(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct conversation_id as id from message
    where status = 'queued' and expires_at <= ${tx.now} limit ${limit}`.execute(tx.sql);
  return rows.map((row) => row.id);
}

export async function expireMessages(tx: Tx, conversationId: string): Promise<void> {
  const lockedId = await lockConversation(tx, conversationId);
  const { rows } = await sql<{ id: string }>`
    select id from message
    where conversation_id = ${lockedId} and status = 'queued' and expires_at <= ${tx.now}
    order by released_at nulls first, chat_seq for update`.execute(tx.sql);
  // The head ends last, so that it makes way for one that may still go.
  for (const { id } of rows) await endMessage(tx, id, { status: 'failed', reason: 'expired', detail: null });
}

/**
 * Every session has a supervisor, also after Temporal's store was lost: one that was not here for long is started again. While
 * the backend is away that is all of them, so each is promised once in a while, and with `all` at once. One that the backend
 * has refused is left alone: {@link promiseRefusedSessions} asks for it.
 */
export async function redispatchSessions(tx: Tx, all: boolean): Promise<number> {
  return insertEntityStarts(
    tx,
    'superviseSession',
    supervisors(sql`${all} or (not ${isRefused(sql`last_error`)}
      and (supervised_at is null or supervised_at < ${tx.now}::timestamptz - interval '10 minutes')
      and not exists (select 1 from repeated_promise p where p.workflow_id = ${workflowId('superviseSession', '')} || s.id
        and p.counted_at > greatest(s.supervised_at,
          ${tx.now}::timestamptz - ${PROMISE_AGAIN_AFTER_MS} * interval '1 millisecond')))`),
  );
}

/** A session that the backend has refused is asked for once more when a process starts: its settings may be others by then. */
export async function promiseRefusedSessions(tx: Tx): Promise<number> {
  return insertEntityStarts(tx, 'superviseSession', supervisors(isRefused(sql`last_error`)));
}

/** Those of these sessions that are still there have a supervisor again. */
export async function promiseEndedSupervisors(tx: Tx, sessionIds: string[]): Promise<number> {
  return insertEntityStarts(tx, 'superviseSession', supervisors(sql`id = any(${sessionIds}::text[])`));
}

function supervisors(which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select id as key, agency_id, jsonb_build_object('AgencyId', agency_id, 'TenantId', tenant_id, 'SessionId', id) as attributes,
      'session of agency ' || agency_id as summary, coalesce(supervised_at, created_at) as moved_at
    from session s where ${which}`;
}

/**
 * Conversations in which the agent owes a turn; one that is being answered is left alone for a while. Their workflow is
 * told as by a new message, since one that is open looks at the rows only then. Where more are owed than one round
 * promises, chance chooses, so that some that cannot run do not keep the others from it.
 */
export async function redispatchAgents(tx: Tx, staleAfterMs: number): Promise<number> {
  const answeredForMs = staleAfterMs === 0 ? 0 : ANSWERING_MS;
  return insertEntityStarts(
    tx,
    'aiConversation',
    sql`
      select c.id as key, c.agency_id, jsonb_build_object('AgencyId', c.agency_id, 'TenantId', c.tenant_id,
        'SessionId', c.session_id, 'ConversationId', c.id) as attributes,
        'AI agent · ' || c.id || ' · agency ' || c.agency_id as summary,
        greatest(owed.latest, (select max(r.started_at) from ai_turn r where r.conversation_id = c.id)) as moved_at
      from (select conversation_id, min(created_at) as since, max(created_at) as latest from message
        where awaits_turn group by 1) owed
      join conversation c on c.id = owed.conversation_id
      where owed.since < ${tx.now}::timestamptz - ${staleAfterMs} * interval '1 millisecond'
        and not exists (select 1 from ai_turn r where r.conversation_id = c.id and r.outcome = 'running'
          and r.started_at > ${tx.now}::timestamptz - ${answeredForMs} * interval '1 millisecond')
        and ${isUnpromised(sql`${workflowId('aiConversation', '')} || c.id`, PROMISE_AGAIN_AFTER_MS)}
      order by random() limit ${AGENTS_LIMIT}`,
    SIGNALS.messageReceived,
  );
}

async function insertEntityStarts(
  tx: Tx,
  type: 'superviseSession' | 'aiConversation',
  entities: RawBuilder<unknown>,
  signal: SignalName | null = null,
): Promise<number> {
  const wanted: Wanted = {
    type,
    key: sql`w.key`,
    action: signal === null ? 'start' : 'signal_with_start',
    signal,
    attributes: sql`w.attributes`,
    summary: sql`w.summary`,
    priority: PRIORITY.background,
    agencyId: sql`w.agency_id`,
    movedAt: sql`w.moved_at`,
  };
  return insertMissing(tx, wanted, (columns) => sql`select ${columns} from (${entities}) w`);
}
