import { sql } from 'kysely';
import { OUTCOME_OPEN, PRIORITY, SIGNALS, workflowId } from '../../domain/names.ts';
import type { Tx } from '../tx.ts';

/** The names that `dispatch_messages` needs; `domain/names.ts` keeps them. */
export const DELIVERY_NAMES = JSON.stringify({
  type: 'deliverMessage',
  prefix: workflowId('deliverMessage', ''),
  released: SIGNALS.released,
  outcome: OUTCOME_OPEN,
  priorities: { person: PRIORITY.reply, api: PRIORITY.api, ai: PRIORITY.ai, bulk: PRIORITY.automation },
});

/**
 * Lets the next message of a conversation go when none is on its way: replies before bulk, first in first out within a
 * lane. Called, under the conversation's lock, by every transaction that adds to the queue or ends its head. A session
 * that may not send now holds its queue as rows; {@link releaseSession} lets it go. Where a pace is set, the releaser does.
 */
export async function promote(tx: Tx, conversationId: string): Promise<void> {
  const { rows } = await sql<{ released: number; sessionId: string | null }>`
    select released, case when released < 0 then (select session_id from conversation where id = ${conversationId}) end as "sessionId"
    from promote(${conversationId}, ${tx.now}, ${DELIVERY_NAMES}::jsonb) released`.execute(tx.sql);
  const [row] = rows;
  if (row) wakePromoted(tx, row.released, row.sessionId);
}

/** Wakes who goes on with what `promote` has done: the dispatcher, or the releaser of a session with a pace. */
export function wakePromoted(tx: Tx, released: number, sessionId: string | null): void {
  if (released > 0) tx.wake('dispatch');
  if (released < 0 && sessionId !== null) tx.wake('release', sessionId);
}

/** Conversations of one transaction: its locks hold up their sends. */
const RELEASE_LIMIT = 200;
/** A head is signalled when its session came back, and again at later looks in case that was lost, but not at each. */
const SIGNAL_AGAIN_AFTER_MS = 10_000;

/**
 * Lets the queues of a session go that has come back: heads whose workflow may be waiting are signalled (and started
 * where it is gone), the others are promoted; those that are ready already are the releaser's. Takes a part of the
 * conversations, those without a head first, and returns how many it moved: called until that is none, it has moved all of them.
 */
export async function releaseSession(tx: Tx, sessionId: string): Promise<number> {
  tx.wake('release', sessionId);
  const held = await sql<{ id: string }>`
    select id from conversation where id in (
      select m.conversation_id from message m join session s on s.id = m.session_id
      where m.session_id = ${sessionId} and m.status in ('queued', 'sending')
      group by m.conversation_id, s.status_changed_at
      having not bool_or(m.status = 'sending')
        and (bool_or(m.released_at is not null) or not bool_or(m.ready_at is not null))
        and coalesce(max(greatest(m.released_at, m.promised_at)) filter (where m.released_at is not null)
          < greatest(s.status_changed_at, ${tx.now}::timestamptz - ${SIGNAL_AGAIN_AFTER_MS} * interval '1 millisecond'), true)
      order by bool_or(m.released_at is not null), m.conversation_id limit ${RELEASE_LIMIT})
    order by id for no key update`.execute(tx.sql);
  if (held.rows.length === 0) return 0;
  const ids = held.rows.map((row) => row.id);
  const heads = await sql<{ id: string }>`
    with head as (
      update message set promised_at = ${tx.now}
      where conversation_id = any(${ids}::text[]) and status = 'queued' and released_at is not null returning id, updated_at
    )
    select id, count_promise(${workflowId('deliverMessage', '')} || id, updated_at, ${tx.now}) from head
    order by id`.execute(tx.sql);
  const headIds = heads.rows.map(({ id }) => id);
  const { rows } = await sql<{ moved: number }>`
    select dispatch_messages(${headIds}::text[], 'signal_with_start', ${SIGNALS.released}, ${DELIVERY_NAMES}::jsonb) as moved`.execute(
    tx.sql,
  );
  const promoted = await sql<{ moved: number }>`
    select coalesce(sum(abs(promote(id, ${tx.now}, ${DELIVERY_NAMES}::jsonb))), 0)::int as moved
    from unnest(${ids}::text[]) id`.execute(tx.sql);
  tx.wake('dispatch');
  return (rows[0]?.moved ?? 0) + (promoted.rows[0]?.moved ?? 0);
}
