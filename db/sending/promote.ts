import { z } from 'zod';
import { workflowId } from '../../domain/names.ts';
import { IdRow } from '../engine/columns.ts';
import type { Tx } from '../engine/tx.ts';
import { one, rows } from '../engine/rows.ts';
import { makeDueIfReady } from './pace.ts';

/** The outcome of a promotion: a head goes, heads wait for the releaser, or nothing may go now. */
export const Promoted = z.enum(['released', 'ready', 'held']);
export type Promoted = z.infer<typeof Promoted>;

const Promotion = z.object({ promoted: Promoted, sessionId: z.string().nullable() });

/**
 * Lets the next message of a conversation go when none is on its way: replies before bulk, first in first out within a
 * lane. Every transaction that adds to the queue or ends its head calls this under the conversation's lock. When a pace
 * is set, the releaser lets the heads go. The queue of a session that may not send stays as rows until {@link
 * resumeQueues} lets it go.
 */
export async function promote(tx: Tx, conversationId: string): Promise<void> {
  const { promoted, sessionId } = await one(tx, Promotion)`
    select promoted,
      case when promoted = 'ready' then (select session_id from conversation where id = ${conversationId}) end
        as "sessionId"
    from promote(${conversationId}, ${tx.now}) promoted`;
  wakePromoted(tx, promoted, sessionId);
}

/** Wakes the loop that continues after a promotion: the dispatcher, or the releaser of a session with a pace. */
export function wakePromoted(tx: Tx, promoted: Promoted, sessionId: string | null): void {
  if (promoted === 'released') tx.wake('dispatch');
  if (promoted === 'ready' && sessionId !== null) tx.wake('release', sessionId);
}

/** Bounds the conversations of one transaction, because its locks hold up their sends. */
const MAX_RESUMED = 200;
/**
 * A head is signalled when its session comes back, and when what was asked of the session is done: nothing is claimed
 * before that, although the session may work all along. A later look signals it again only after this time, in case
 * the signal was lost.
 */
const SIGNAL_AGAIN_AFTER_MS = 10_000;

const Moved = z.object({ moved: z.int() });

/**
 * Lets the queues of a session go after the session has come back. It signals the workflows of heads that are already
 * released, or starts those that are gone, and promotes the other conversations; the releaser lets ready heads go. One
 * call takes a part of the conversations, those without a released head first, and returns how many messages it moved,
 * so call it until it returns 0.
 */
export async function resumeQueues(tx: Tx, sessionId: string): Promise<number> {
  const moved = await moveQueues(tx, sessionId);
  // The session's pace comes after the conversations in the order of locks.
  await makeDueIfReady(tx, sessionId);
  return moved;
}

async function moveQueues(tx: Tx, sessionId: string): Promise<number> {
  const held = await rows(tx, IdRow)`
    select id from conversation where id in (
      select m.conversation_id from message m join session s on s.id = m.session_id
      where m.session_id = ${sessionId} and m.status in ('queued', 'sending')
      group by m.conversation_id, s.id
      having not bool_or(m.status = 'sending')
        and (bool_or(m.released_at is not null) or not bool_or(m.ready_at is not null))
        and coalesce(max(greatest(m.released_at, m.promised_at)) filter (where m.released_at is not null)
          < greatest(s.status_changed_at, s.acted_at,
            ${tx.now}::timestamptz - ${SIGNAL_AGAIN_AFTER_MS} * interval '1 millisecond'),
          true)
      order by bool_or(m.released_at is not null), min(m.id) limit ${MAX_RESUMED})
    order by id for no key update`;
  if (held.length === 0) return 0;
  const ids = held.map(({ id }) => id);
  const heads = await rows(tx, IdRow)`
    with head as (
      update message set promised_at = ${tx.now}
      where conversation_id = any(${ids}::text[]) and status = 'queued' and released_at is not null
      returning id, updated_at
    )
    select id, count_promise(${workflowId('deliverMessage', '')} || id, updated_at, ${tx.now}) from head
    order by id`;
  const headIds = heads.map(({ id }) => id);
  const signalled = await one(tx, Moved)`
    select promise_messages(${headIds}::text[], true) as moved`;
  const promoted = await one(tx, Moved)`
    select count(*) filter (where promote(id, ${tx.now}) <> 'held')::int as moved
    from (select id from unnest(${ids}::text[]) id order by (select min(h.id) from queue_heads(id) h)) waiting`;
  tx.wake('dispatch');
  if (promoted.moved > 0) tx.wake('release', sessionId);
  return signalled.moved + promoted.moved;
}
