import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from './database.ts';
import { DELIVERY_NAMES } from './promote.ts';

/** As many as one transaction takes: it holds their conversations meanwhile. */
const DUE_LIMIT = 100;

const Queued = z.object({
  moved: z.array(z.string()),
  ended: z.array(z.string()),
  sessions: z.array(z.string()),
  released: z.int(),
  isBusy: z.boolean(),
  nextAt: z.coerce.date().nullable(),
});

/**
 * Gives scheduled messages whose time has come their place in the queue (`functions/schedule.sql`), and ends those that
 * have expired meanwhile. Answers when the next one is due; one statement.
 */
export async function queueScheduled(tx: Tx): Promise<{ nextAt: Date | null; isBusy: boolean }> {
  const { rows } = await sql<{ result: unknown }>`
    select queue_scheduled(${tx.now}, ${DUE_LIMIT}, ${DELIVERY_NAMES}::jsonb) as result`.execute(tx.sql);
  const { moved, ended, sessions, released, isBusy, nextAt } = Queued.parse(rows[0]?.result);
  for (const id of [...moved, ...ended]) tx.wake('message', id);
  for (const sessionId of sessions) tx.wake('release', sessionId);
  if (released > 0) tx.wake('dispatch');
  return { nextAt, isBusy };
}
