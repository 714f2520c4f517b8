import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { TenantScope } from '../../domain/scope.ts';
import type { RecordRetention } from '../../domain/tenants/settings.ts';
import { Timestamp } from '../engine/columns.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { blankEvents } from './erase-events.ts';
import { MAX_COUNTED } from './retention.ts';

/** The kinds of records of a tenant's work, each with the setting of its days. */
export const RECORD_KINDS = {
  raw_events: 'rawEventRetentionDays',
  events: 'eventRetentionDays',
  requests: 'requestRetentionDays',
  attempts: 'attemptRetentionDays',
} as const satisfies Record<string, keyof RecordRetention>;
export type RecordKind = keyof typeof RECORD_KINDS;

/** A tenant's records are checked again after this time. */
const EVERY = '1 day';
/** Days of raw events that are looked at: what is older went with its partition. */
const RAW_DAYS = 10;
/** A sweep takes at most this number of tenants with a new setting at once. */
const NEW_TENANTS = 1_000;

const Due = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  before: Timestamp,
  txid: z.string(),
  place: z.string(),
  at: z.string(),
});
type Due = z.output<typeof Due>;

/**
 * Takes away up to `limit` rows of one kind that the next tenant keeps no longer. Returns `limit` while there is more
 * to look at. Rows that every tenant has ceased to keep are dropped by partition, and not here.
 */
export async function sweepRecords(tx: Tx, kind: RecordKind, limit: number): Promise<number> {
  const setting = RECORD_KINDS[kind];
  await run(tx)`
    insert into retention_place (agency_id, tenant_id, kind)
    select t.agency_id, t.id, ${kind} from tenant t
    where stored_int(t.settings->${setting}, 1, 89) is not null and not exists (
      select from retention_place p where p.kind = ${kind} and p.agency_id = t.agency_id and p.tenant_id = t.id)
    order by 1, 2 limit ${NEW_TENANTS}
    on conflict do nothing`;
  const due = await row(tx, Due)`
    select p.agency_id as "agencyId", p.tenant_id as "tenantId", p.txid::text as txid, p.place::text as place,
      p.at::text as at, ${tx.now}::timestamptz - stored_int(t.settings->${setting}, 1, 89) * interval '1 day' as before
    from retention_place p join tenant t on t.agency_id = p.agency_id and t.id = p.tenant_id
      and stored_int(t.settings->${setting}, 1, 89) is not null
    where p.kind = ${kind} and p.looked_at < ${tx.now}::timestamptz - ${EVERY}::interval
    order by p.looked_at limit 1 for update of p skip locked`;
  if (!due) return 0;
  // The rows of one tenant are found by an index, however much of the table they are.
  await run(tx)`select set_config('enable_seqscan', 'off', true)`;
  const isMore = await SWEEPS[kind](tx, due, limit);
  if (!isMore) {
    await run(tx)`
      update retention_place set looked_at = ${tx.now}
      where kind = ${kind} and agency_id = ${due.agencyId} and tenant_id = ${due.tenantId}`;
  }
  return limit;
}

/** Each takes a page away, and answers whether there may be more. */
const SWEEPS: Record<RecordKind, (tx: Tx, due: Due, limit: number) => Promise<boolean>> = {
  raw_events: deleteRawEvents,
  events: blankOldEvents,
  requests: deleteRequests,
  attempts: deleteAttempts,
};

/** The next rows of each kind, by the statements whose plans are held to the pages that they read. */
export const NEXT = {
  /** An event that is not applied yet was answered with 2xx, so it stays until it is applied or parked. */
  raw_events: ({ agencyId, tenantId }: TenantScope, before: Date | null, limit: number) => sql`
    select b.received_on, b.id
    from session s cross join generate_series(1, ${RAW_DAYS}) d cross join lateral (
      select received_on, id from backend_event
      where received_on = ${before}::timestamptz::date - d and session_name = s.name and applied_at is not null
      limit ${limit}) b
    where s.agency_id = ${agencyId} and s.tenant_id = ${tenantId} limit ${limit}`,
  events: ({ agencyId, tenantId }: TenantScope, after: { txid: string; place: string }, limit: number) => sql`
    select e.id, e.txid::text as txid, e.place::text as place, e.created_at as "createdAt" from event e
    where e.agency_id = ${agencyId} and e.tenant_id = ${tenantId}
      and (e.txid, e.place) > (${after.txid}::xid8, ${after.place}::bigint)
    order by e.txid, e.place limit ${limit}`,
  requests: ({ agencyId }: TenantScope, { after, before }: { after: string; before: Date }, limit: number) => sql`
    select at from request_log
    where agency_id = ${agencyId} and at > ${after}::timestamptz and at < ${before} order by at limit ${limit}`,
  /** Endpoints of the whole agency get events of all its tenants. */
  attempts: ({ agencyId }: TenantScope, { after, before }: { after: string; before: Date }, limit: number) => sql`
    select a.at from endpoint e cross join lateral (
      select at from delivery_attempt
      where endpoint_id = e.id and at > ${after}::timestamptz and at < ${before} order by at limit ${limit}) a
    where e.agency_id = ${agencyId} order by a.at limit ${limit}`,
};

async function deleteRawEvents(tx: Tx, due: Due, limit: number): Promise<boolean> {
  const deleted = await run(tx)`
    with old as (${NEXT.raw_events(due, due.before, limit)})
    delete from backend_event b using old o
    where b.received_on = o.received_on and b.id = o.id and b.received_on < ${due.before}::timestamptz::date`;
  return deleted === limit;
}

const EventRow = z.object({ id: z.string(), txid: z.string(), place: z.string(), createdAt: Timestamp });

/**
 * Blanks events as an erasure does: they keep their places, so that no sequence has a hole and cursors go on. The
 * receivers' responses to them are deleted, too. Pages go in the order of pulls, and end before the first that is kept.
 */
async function blankOldEvents(tx: Tx, due: Due, limit: number): Promise<boolean> {
  const { agencyId, tenantId, before } = due;
  const page = await rows(tx, EventRow)`${NEXT.events(due, due, limit)}`;
  const kept = page.findIndex(({ createdAt }) => createdAt >= before);
  const old = kept === -1 ? page : page.slice(0, kept);
  const last = old.at(-1);
  if (last === undefined) return false;
  const times = old.map(({ createdAt }) => createdAt.getTime());
  const within = { since: new Date(Math.min(...times)), until: new Date(Math.max(...times) + 1) };
  await blankEvents(
    tx,
    old.map(({ id }) => id),
    within,
  );
  await run(tx)`
    update retention_place set txid = ${last.txid}::xid8, place = ${last.place}::bigint
    where kind = 'events' and agency_id = ${agencyId} and tenant_id = ${tenantId}`;
  return old.length === limit;
}

const Bound = z.object({ upTo: z.string().nullable(), count: z.int() });

/** Looks at a page of what was passed on for the agency, and deletes of it what is the tenant's. */
async function deleteRequests(tx: Tx, { agencyId, tenantId, before, at }: Due, limit: number): Promise<boolean> {
  const { upTo, count } = await one(tx, Bound)`
    select max(at)::text as "upTo", count(*)::int as count
    from (${NEXT.requests({ agencyId, tenantId }, { after: at, before }, limit)}) page`;
  if (upTo === null) return false;
  await run(tx)`
    delete from request_log
    where agency_id = ${agencyId} and tenant_id = ${tenantId} and at > ${at}::timestamptz
      and at <= ${upTo}::timestamptz`;
  await run(tx)`
    update retention_place set at = ${upTo}::timestamptz
    where kind = 'requests' and agency_id = ${agencyId} and tenant_id = ${tenantId}`;
  return count === limit;
}

/** Looks at a page of what was posted to the agency's endpoints, and deletes of it what is the tenant's. */
async function deleteAttempts(tx: Tx, { agencyId, tenantId, before, at }: Due, limit: number): Promise<boolean> {
  const { upTo, count } = await one(tx, Bound)`
    select max(at)::text as "upTo", count(*)::int as count
    from (${NEXT.attempts({ agencyId, tenantId }, { after: at, before }, limit)}) page`;
  if (upTo === null) return false;
  await run(tx)`
    delete from delivery_attempt a using endpoint e, delivery d
    where ${ofTenant({ agencyId, tenantId })} and a.at > ${at}::timestamptz and a.at <= ${upTo}::timestamptz`;
  await run(tx)`
    update retention_place set at = ${upTo}::timestamptz
    where kind = 'attempts' and agency_id = ${agencyId} and tenant_id = ${tenantId}`;
  return count === limit;
}

/** An SQL condition: the attempt `a` to post to the endpoint `e` was one of the delivery `d` of the tenant. */
function ofTenant({ agencyId, tenantId }: TenantScope): RawBuilder<boolean> {
  return sql`(e.agency_id = ${agencyId} and a.endpoint_id = e.id and d.id = a.delivery_id
    and d.agency_id = ${agencyId} and d.tenant_id = ${tenantId})`;
}

const Counted = z.object({ rawEvents: z.int(), events: z.int(), requests: z.int(), attempts: z.int() });

/** Counts what the next look would take away if these were the tenant's settings; null keeps what all keep. */
export async function countRecords(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  days: Record<RecordKind, number | null>,
): Promise<z.output<typeof Counted>> {
  const before = (kind: RecordKind): Date | null => {
    const kept = days[kind];
    return kept === null ? null : new Date(queries.now.getTime() - kept * 86_400_000);
  };
  const behind = sql`coalesce((
    select p.txid from retention_place p
    where p.kind = 'events' and p.agency_id = ${agencyId} and p.tenant_id = ${tenantId}), '0')`;
  return one(queries, Counted)`
    select
      (select count(*)::int from (
        ${NEXT.raw_events({ agencyId, tenantId }, before('raw_events'), MAX_COUNTED)}) x) as "rawEvents",
      (select count(*)::int from (
        select 1 from event e
        where e.agency_id = ${agencyId} and e.tenant_id = ${tenantId} and e.txid > ${behind}
          and e.created_at < ${before('events')}::timestamptz
        limit ${MAX_COUNTED}) x) as events,
      (select count(*)::int from (
        select 1 from request_log
        where agency_id = ${agencyId} and tenant_id = ${tenantId} and at < ${before('requests')}::timestamptz
        limit ${MAX_COUNTED}) x) as requests,
      (select count(*)::int from (
        select 1 from endpoint e, delivery_attempt a, delivery d
        where ${ofTenant({ agencyId, tenantId })} and a.at < ${before('attempts')}::timestamptz
        limit ${MAX_COUNTED}) x) as attempts`;
}
