import { z } from 'zod';
import type { ErasureCounts } from '../../domain/personal-data/erasure.ts';
import { deleteMemoriesOf, lockMemoriesOf } from '../agent/forget-memory.ts';
import { IdRow } from '../columns.ts';
import { one, rows, run } from '../rows.ts';
import type { Tx } from '../tx.ts';

const Counted = z.object({ count: z.int() });

/**
 * Deletes messages of an erased person with the memories that rest on them. Their files are noted, because the store is
 * asked later. The caller has locked the conversation, or the messages have ended.
 */
export async function deleteMessages(
  tx: Tx,
  messageIds: readonly string[],
  erasure: { id: string },
): Promise<ErasureCounts> {
  if (messageIds.length === 0) return {};
  await forgetUnread(tx, messageIds);
  await lockMemoriesOf(tx, messageIds);
  const memories = await one(tx, Counted)`
    select count(*)::int as count from memory where evidence_message_id = any(${messageIds}::text[])`;
  await deleteMemoriesOf(tx, messageIds);
  await run(tx)`
    insert into erased_file (id, agency_id, erasure_id, key, erased_at)
    select m.id, m.agency_id, ${erasure.id}, m.media->'stored'->>'key', ${tx.now} from message m
    where m.id = any(${messageIds}::text[]) and m.media->'stored'->>'key' is not null
    on conflict (id) do nothing`;
  return { ...(await deleteMessageRows(tx, messageIds)), memory: memories.count };
}

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

/** Lists messages of these conversations that have ended, so that nothing is at them any more. */
export async function listEndedMessages(tx: Tx, conversationIds: readonly string[], limit: number): Promise<string[]> {
  const found = await rows(tx, IdRow)`
    select m.id from unnest(${conversationIds}::text[]) as talk(id) cross join lateral (
      select id from message where conversation_id = talk.id and status not in ('queued', 'sending', 'scheduled')
      order by occurred_at desc, id desc limit ${limit}) m
    limit ${limit}`;
  return found.map(({ id }) => id);
}

/** Lists messages that a person has written in groups of the tenant. */
export async function listGroupMessages(
  tx: Tx,
  { agencyId, tenantId, chatIds }: { agencyId: string; tenantId: string; chatIds: readonly string[] },
  limit: number,
): Promise<string[]> {
  const found = await rows(tx, IdRow)`
    select id from message
    where participant = any(${chatIds}::text[]) and agency_id = ${agencyId} and tenant_id = ${tenantId}
    order by id limit ${limit}`;
  return found.map(({ id }) => id);
}

/** Gives conversations whose last message is gone the line of the one before it. */
export async function mendLastLines(tx: Tx, scope: { agencyId: string; tenantId: string }): Promise<number> {
  return run(tx)`
    with stale as (
      select c.id from conversation c
      where c.agency_id = ${scope.agencyId} and c.tenant_id = ${scope.tenantId} and c.last_message_id is not null
        and not exists (select 1 from message m where m.id = c.last_message_id)
      order by c.id for no key update
    )
    update conversation c set last_message_id = m.id, last_message_body = m.line,
      last_message_from_me = m.direction = 'out', last_message_at = coalesce(m.occurred_at, c.last_message_at)
    from stale left join lateral (
      select n.id, line_of(n) as line, n.direction, n.occurred_at from message n
      where n.conversation_id = stale.id and n.status <> 'scheduled' and n.content->'notice' is null
      order by n.occurred_at desc, n.id desc limit 1) m on true
    where c.id = stale.id`;
}
