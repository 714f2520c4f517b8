import { z } from 'zod';
import { emitAck, MOVED_COLUMNS, MovedMessage } from './acks/event.ts';
import { Timestamp } from '../engine/columns.ts';
import type { Tx } from '../engine/tx.ts';
import { one, rows } from '../engine/rows.ts';

/** Bounds the messages of one transaction, because it keeps their conversations locked. */
const MAX_DUE = 100;

const Queued = z.object({
  moved: z.array(z.string()),
  ended: z.array(z.string()),
  sessions: z.array(z.string()),
  released: z.int(),
  isBusy: z.boolean(),
  nextAt: Timestamp.nullable(),
});
const Answer = z.object({ result: Queued });

/**
 * Gives due scheduled messages their place in the queue (`schedule.sql`), and ends those that have expired meanwhile.
 * Answers when the next message is due. This takes one statement, and one more only when dashboards must be told that
 * messages expired.
 */
export async function queueScheduled(tx: Tx): Promise<{ nextAt: Date | null; isBusy: boolean }> {
  const { result } = await one(tx, Answer)`
    select queue_scheduled(${tx.now}, ${MAX_DUE}) as result`;
  const { moved, ended, sessions, released, isBusy, nextAt } = result;
  if (ended.length > 0) await tellExpired(tx, ended);
  for (const id of [...moved, ...ended]) tx.wake('message', id);
  for (const sessionId of sessions) tx.wake('release', sessionId);
  if (released > 0) tx.wake('dispatch');
  return { nextAt, isBusy };
}

async function tellExpired(tx: Tx, ids: string[]): Promise<void> {
  const expired = await rows(tx, MovedMessage)`
    select ${MOVED_COLUMNS} from message m join conversation c on c.id = m.conversation_id
    where m.id = any(${ids}::text[]) order by m.id`;
  for (const message of expired) emitAck(tx, message, 'failed', 'expired');
}
