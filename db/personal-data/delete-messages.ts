import { z } from 'zod';
import type { ErasureCounts } from '../../domain/personal-data/erasure.ts';
import { deleteMemoriesOf, lockMemoriesOf } from '../agent/forget-memory.ts';
import { deleteMessageRows, forgetUnread } from '../conversations/delete-messages.ts';
import { IdRow } from '../engine/columns.ts';
import { one, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

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
