import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import { lockMemoriesOf } from '../agent/forget-memory.ts';
import { IdRow } from '../engine/columns.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { deleteMessageRows, forgetUnread } from '../conversations/delete-messages.ts';

/** The look at all conversations begins again after this time. */
const EVERY = '1 day';
/** One page looks at this many conversations. */
const CONVERSATIONS = 1_000;

const SweepRow = z.object({ afterId: z.string(), isWanted: z.boolean() });
const PageRow = z.object({
  last: z.string().nullable(),
  isLast: z.boolean(),
  kept: z.array(
    z.object({
      id: z.string(),
      agencyId: z.string(),
      tenantId: z.string(),
      before: z.string().nullable(),
      memoriesBefore: z.string().nullable(),
    }),
  ),
});
type Kept = z.output<typeof PageRow>['kept'][number];

/**
 * Deletes up to `limit` messages, and what else tenants keep no longer, of the next conversations. It goes along the
 * conversations once a day and stops and goes on at any of them. Returns `limit` while there is more to look at.
 */
export async function sweepRetention(tx: Tx, limit: number): Promise<number> {
  const sweep = await row(tx, SweepRow)`
    select after_id as "afterId", exists (
      select from tenant where settings ?| array['messageRetentionDays', 'memoryRetentionDays']) as "isWanted"
    from retention_sweep where ended_at is null or ended_at < ${tx.now}::timestamptz - ${EVERY}::interval
    for update skip locked`;
  if (!sweep) return 0;
  if (!sweep.isWanted) return recordSweep(tx, null);
  const { last, isLast, kept } = await readPage(tx, sweep.afterId);
  await markKept(tx, kept);
  if ((await forgetOf(tx, kept, limit)) === limit) return limit;
  await recordSweep(tx, isLast ? null : last);
  return isLast ? 0 : limit;
}

async function recordSweep(tx: Tx, afterId: string | null): Promise<number> {
  await run(tx)`
    update retention_sweep set after_id = ${afterId ?? ''},
      ended_at = case when ${afterId === null}::boolean then ${tx.now}::timestamptz end`;
  return 0;
}

/** Marks up to when these tenants have no messages, so that none comes back when they keep messages longer again. */
async function markKept(tx: Tx, kept: readonly Kept[]): Promise<void> {
  const before = new Map<string, Kept>();
  for (const each of kept) if (each.before !== null) before.set(`${each.agencyId} ${each.tenantId}`, each);
  if (before.size === 0) return;
  await run(tx)`
    insert into deletion_mark as d (agency_id, tenant_id, kept_since)
    select g."agencyId", g."tenantId", g.before
    from jsonb_to_recordset(${JSON.stringify([...before.values()])}::jsonb)
      as g("agencyId" text, "tenantId" text, before timestamptz)
    order by 1, 2
    on conflict (agency_id, tenant_id) do update set kept_since = excluded.kept_since
      where d.kept_since < excluded.kept_since - interval '1 hour'`;
}

async function readPage(tx: Tx, afterId: string): Promise<z.output<typeof PageRow>> {
  return one(tx, PageRow)`
    with page as (
      select id, agency_id, tenant_id from conversation where id > ${afterId} order by id limit ${CONVERSATIONS}
    )
    select (select max(id) from page) as last, (select count(*) from page) < ${CONVERSATIONS} as "isLast",
      coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'agencyId', p.agency_id, 'tenantId', p.tenant_id,
          'before', ${before(tx.now, 'messageRetentionDays')},
          'memoriesBefore', ${before(tx.now, 'memoryRetentionDays')}) order by p.id)
        from page p join tenant t on t.agency_id = p.agency_id and t.id = p.tenant_id
        where t.settings ?| array['messageRetentionDays', 'memoryRetentionDays']), '[]') as kept`;
}

/** The time before which a tenant `t` keeps nothing; null where it keeps all. */
function before(now: Date, setting: 'messageRetentionDays' | 'memoryRetentionDays'): RawBuilder<unknown> {
  return sql`${now}::timestamptz - stored_int(t.settings->${sql.lit(setting)}, 1, 36500) * interval '1 day'`;
}

/** Messages that nothing is at any more; the newest first is never asked for, so the index is read from its end. */
const HAS_ENDED = sql`m.status not in ('queued', 'sending', 'scheduled')`;

/**
 * An SQL condition: the message `m` is older. One of ours is as old as its sending, which the network shows: by its
 * acceptance alone it would be deleted while a comparison with the network still takes it for a loss.
 */
function isOlder(before: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(m.occurred_at < ${before} and coalesce(m.sent_at, m.occurred_at) < ${before})`;
}

async function forgetOf(tx: Tx, kept: readonly Kept[], limit: number): Promise<number> {
  if (kept.length === 0) return 0;
  const pages = sql`jsonb_to_recordset(${JSON.stringify(kept)}::jsonb)
    as k(id text, before timestamptz, "memoriesBefore" timestamptz)`;
  const old = await rows(tx, IdRow)`
    select o.id from ${pages} cross join lateral (
      select m.id from message m where m.conversation_id = k.id and ${isOlder(sql`k.before`)} and ${HAS_ENDED}
      order by m.occurred_at limit ${limit}) o
    limit ${limit}`;
  const ids = old.map(({ id }) => id).toSorted();
  await forgetUnread(tx, ids);
  await lockMemoriesOf(tx, ids);
  await run(tx)`update memory set evidence_message_id = null where evidence_message_id = any(${ids}::text[])`;
  await deleteMessageRows(tx, ids);
  await run(tx)`
    delete from ai_turn a using ${pages}
    where a.conversation_id = k.id and a.outcome <> 'running' and a.ended_at < k.before
      and exists (select from ai_turn newer where newer.conversation_id = a.conversation_id and newer.id > a.id
        and newer.outcome <> 'running')`;
  // The newest turn says up to where all is answered, so it stays without its words.
  await run(tx)`
    update ai_turn a set reply = null from ${pages}
    where a.conversation_id = k.id and a.outcome <> 'running' and a.ended_at < k.before and a.reply is not null`;
  await run(tx)`
    with recursive gone as (
      select m.id from ${pages} join conversation c on c.id = k.id join memory m on m.contact_id = c.contact_id
      where m.created_at < k."memoriesBefore"
      union select m.id from memory m join gone on m.superseded_by = gone.id
    )
    delete from memory where id in (select id from gone)`;
  await run(tx)`
    delete from note n using ${pages} join conversation c on c.id = k.id
    where n.contact_id = c.contact_id and n.updated_at < k."memoriesBefore"`;
  // A run that waits longer than this keeps its data, which it needs; its end clears them.
  await run(tx)`
    update automation_execution e set input = null from ${pages}
    where e.conversation_id = k.id and e.status <> 'running' and e.ended_at < k.before and e.input is not null`;
  await run(tx)`
    update conversation c set last_message_body = null from ${pages}
    where c.id = k.id and c.last_message_at < k.before and c.last_message_body is not null`;
  return ids.length;
}

const Counted = z.object({ messages: z.int(), turns: z.int(), memories: z.int(), notes: z.int() });
export type RetentionCounts = z.output<typeof Counted>;

/** The most of each kind that a dry run counts. */
export const MAX_COUNTED = 100_000;

/** Counts what the next look would delete if these were the tenant's settings; null keeps all. */
export async function countRetention(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  { messageDays, memoryDays }: { messageDays: number | null; memoryDays: number | null },
): Promise<RetentionCounts> {
  const daysAgo = (days: number | null): Date | null =>
    days === null ? null : new Date(queries.now.getTime() - days * 86_400_000);
  const messagesBefore = daysAgo(messageDays);
  const memoriesBefore = daysAgo(memoryDays);
  const own = sql`select c.id, c.contact_id from conversation c
    where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId}`;
  return one(queries, Counted)`
    select
      (select count(*)::int from (
        select 1 from (${own}) c join message m on m.conversation_id = c.id
        where ${isOlder(sql`${messagesBefore}::timestamptz`)} and ${HAS_ENDED} limit ${MAX_COUNTED}) x) as messages,
      (select count(*)::int from (
        select 1 from (${own}) c join ai_turn a on a.conversation_id = c.id
        where a.outcome <> 'running' and a.ended_at < ${messagesBefore}::timestamptz
          and exists (select from ai_turn newer where newer.conversation_id = a.conversation_id and newer.id > a.id
            and newer.outcome <> 'running') limit ${MAX_COUNTED}) x) as turns,
      (select count(*)::int from (
        select 1 from memory m where m.agency_id = ${agencyId} and m.tenant_id = ${tenantId}
          and m.contact_id in (select c.contact_id from (${own}) c where c.contact_id is not null)
          and m.created_at < ${memoriesBefore}::timestamptz limit ${MAX_COUNTED}) x) as memories,
      (select count(*)::int from (
        select 1 from note n where n.agency_id = ${agencyId} and n.tenant_id = ${tenantId}
          and n.contact_id in (select c.contact_id from (${own}) c)
          and n.updated_at < ${memoriesBefore}::timestamptz limit ${MAX_COUNTED}) x) as notes`;
}
