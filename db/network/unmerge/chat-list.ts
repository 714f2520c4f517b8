import { z } from 'zod';
import { one, run } from '../../engine/rows.ts';
import type { Tx } from '../../engine/tx.ts';
import { JOINED } from './ledger.ts';

interface Shared {
  from: string;
  into: string;
  /** Counts the messages that nobody has read in the conversation that they were. */
  unread: number;
  hasSameLast: boolean;
}

const Unread = z.object({
  from: z.int(),
  into: z.int(),
  merged: z.int(),
  sinceFrom: z.int(),
  sinceInto: z.int(),
});

/**
 * Shares what nobody has read between two conversations that were one. As long as nobody has read anything since the
 * merge, each has what it had, and what came in there since.
 */
export async function shareUnread(tx: Tx, stepId: string, { from, into, unread, hasSameLast }: Shared): Promise<void> {
  const before = await one(tx, Unread)`
    select f.unread_count as "from", i.unread_count as "into", a.unread_count as merged,
      s.count_from as "sinceFrom", s.count_into as "sinceInto"
    from ${JOINED} cross join lateral (
      select (count(*) filter (where m.conversation_id = ${from}))::int as count_from,
        (count(*) filter (where m.conversation_id = ${into}))::int as count_into
      from message m where m.conversation_id in (${from}, ${into}) and not ${hasSameLast} and m.direction = 'in'
        and m.origin <> 'history' and not is_notice(m.content) and m.id > coalesce(a.last_message_id, '')) s
    where v.id = ${stepId}::bigint`;
  const { sinceFrom, sinceInto } = before;
  if (unread !== before.merged + sinceFrom + sinceInto) return countUnreadAgain(tx, from, into, unread);
  await run(tx)`
    update conversation set unread_count = case when id = ${from} then ${before.from + sinceFrom}::integer
      else ${before.into + sinceInto}::integer end
    where id in (${from}, ${into})`;
}

/** Counts what nobody has read anew in two conversations that were one: it is the newest that came in. */
export async function countUnreadAgain(tx: Tx, from: string, into: string, unread: number): Promise<void> {
  await run(tx)`
    update conversation c set unread_count = (select count(*) from (
        select m.conversation_id from message m
        where m.conversation_id in (${from}, ${into}) and m.direction = 'in' and not is_notice(m.content)
        order by m.occurred_at desc, m.id desc limit ${unread}) u where u.conversation_id = c.id)
    where c.id in (${from}, ${into})`;
}
