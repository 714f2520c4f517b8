import { z } from 'zod';
import { one, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

/**
 * Lowers the unread counts of the conversations of messages that are to be deleted: what is not there any more cannot
 * be read. The newest that came in are those that nobody has read.
 */
export async function forgetUnread(tx: Tx, messageIds: readonly string[]): Promise<void> {
  await run(tx)`
    with touched as materialized (
      select c.id, c.unread_count from conversation c
      where c.unread_count > 0
        and c.id in (select m.conversation_id from message m where m.id = any(${messageIds}::text[]))
      order by c.id for no key update
    )
    update conversation c set unread_count = c.unread_count - gone.unread
    from touched t cross join lateral (
      select count(*) as unread from (
        select m.id from message m
        where m.conversation_id = t.id and m.direction = 'in' and not is_notice(m.content)
        order by m.occurred_at desc, m.id desc limit t.unread_count) u
      where u.id = any(${messageIds}::text[])) gone
    where c.id = t.id and gone.unread > 0`;
}

const Deleted = z.object({ message_history: z.int(), media_fetch: z.int(), held_event: z.int(), message: z.int() });

/**
 * Deletes messages with all that hangs on them: their histories, the fetches of their files, the events that wait for
 * those, and their words in the search, which a trigger takes along. Their files go once no row names them.
 */
export async function deleteMessageRows(tx: Tx, messageIds: readonly string[]): Promise<z.output<typeof Deleted>> {
  return one(tx, Deleted)`
    with history as (
      delete from message_history where message_id = any(${messageIds}::text[]) returning 1
    ), fetches as (
      delete from media_fetch where message_id = any(${messageIds}::text[]) returning 1
    ), awaited as (
      delete from awaited_content where message_id = any(${messageIds}::text[]) returning 1
    ), held as (
      delete from held_event where place in (
        select place from held_event where waits_for = any(${messageIds}::text[])
        union
        -- An event that waits behind such a one may tell of these messages, too.
        select h.place
        from (select distinct conversation_id as id from message where id = any(${messageIds}::text[])) talk
        join held_event h on h.held_in = talk.id
        where exists (select from unnest(${messageIds}::text[]) id where position(id in coalesce(h.whole, h.head)) > 0
          or position(id in h.tail) > 0)) returning 1
    ), gone as (
      delete from message where id = any(${messageIds}::text[]) returning 1
    )
    select (select count(*)::int from history) as message_history, (select count(*)::int from fetches) as media_fetch,
      (select count(*)::int from held) as held_event, (select count(*)::int from gone) as message`;
}
