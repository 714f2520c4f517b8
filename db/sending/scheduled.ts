import { z } from 'zod';
import { emitAck, MOVED_COLUMNS, MovedMessage } from './acks/event.ts';
import { Timestamp } from '../columns.ts';
import type { Tx } from '../tx.ts';
import { one, rows } from '../rows.ts';

/** One transaction takes so many messages, because it keeps their conversations locked meanwhile. */
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
 * Gives scheduled messages whose time has come their place in the queue (`schedule.sql`), and ends those that have expired
 * meanwhile. Answers when the next one is due. It takes one statement, unless there is somebody to tell.
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
