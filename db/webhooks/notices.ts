import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { ENDPOINT_STATUSES } from '../../domain/webhooks/endpoint.ts';
import type { ENDPOINT_EVENTS } from '../../domain/webhooks/event.ts';
import { IdRow, Timestamp } from '../engine/columns.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { pendingCount } from './endpoint-view.ts';
import { newId } from '../engine/new-id.ts';

export type NoticeType = (typeof ENDPOINT_EVENTS)[number];

const MINUTE = 60_000;
/**
 * The owner is told again when the endpoint has failed for each of these times; a time's place in the list, from 1, is
 * its `notice_level`.
 */
const TOLD_AFTER_MS = [60 * MINUTE, 24 * 60 * MINUTE, 3 * 24 * 60 * MINUTE];
const DISABLED_LEVEL = 4;
/** Deliveries that use up their attempts within this time are told together. */
const EXHAUSTED_EVERY_MS = 60 * MINUTE;

/** Selects the level that the owner of `endpoint_health h` should know of by now. */
function levelOf(now: Date): RawBuilder<unknown> {
  const [hour, day, days] = TOLD_AFTER_MS.map((ms) => new Date(now.getTime() - ms));
  return sql`case when h.failing_since <= ${days}::timestamptz then 3 when h.failing_since <= ${day}::timestamptz then 2
    when h.failing_since <= ${hour}::timestamptz then 1 else 0 end`;
}

/**
 * A condition on `endpoint_health h`: deliveries have used up their attempts since the owner was last told of such, and
 * that was long enough ago.
 */
function hasExhausted(now: Date): RawBuilder<unknown> {
  return sql`(h.exhausted_told_at is null or h.exhausted_told_at <= ${new Date(now.getTime() - EXHAUSTED_EVERY_MS)})
    and exists (select 1 from delivery d where d.endpoint_id = h.endpoint_id and d.status = 'failed'
      and d.done_at > coalesce(h.exhausted_told_at, '-infinity'))`;
}

/** Lists the endpoints whose owners are to get a notice. */
export async function listEndpointsToNote(queries: Queries, limit: number): Promise<string[]> {
  const { now } = queries;
  const found = await rows(queries, IdRow)`
    select e.id from endpoint e join endpoint_health h on h.endpoint_id = e.id
    where e.deleted_at is null and (
      (e.status = 'disabled' and h.notice_level < ${DISABLED_LEVEL})
      or (e.status = 'active' and ${levelOf(now)} > h.notice_level)
      or (e.status = 'active' and h.failing_since is null and h.notice_level > 0)
      or (${hasExhausted(now)}))
    order by e.id limit ${limit}`;
  return found.map(({ id }) => id);
}

const Noted = z.object({
  agencyId: z.string(),
  tenantIds: z.array(z.string()).nullable(),
  url: z.string(),
  status: z.enum(ENDPOINT_STATUSES),
  disabledReason: z.string().nullable(),
  failingSince: Timestamp.nullable(),
  lastError: z.string().nullable(),
  told: z.int(),
  level: z.int(),
  hasExhausted: z.boolean(),
});
type Noted = z.output<typeof Noted>;

async function lockNoted(tx: Tx, endpointId: string): Promise<Noted | undefined> {
  return row(tx, Noted)`
    select e.agency_id as "agencyId", e.tenant_ids as "tenantIds", e.url, e.status,
      e.disabled_reason as "disabledReason", h.failing_since as "failingSince", h.last_error as "lastError",
      h.notice_level as told, ${levelOf(tx.now)} as level,
      ${hasExhausted(tx.now)} as "hasExhausted"
    from endpoint e join endpoint_health h on h.endpoint_id = e.id
    where e.id = ${endpointId} and e.deleted_at is null for no key update of h`;
}

/**
 * Writes the notices that the endpoint's rows call for and that the owner has not had yet. Safe to call at any time.
 */
export async function noteEndpoint(tx: Tx, endpointId: string): Promise<void> {
  const noted = await lockNoted(tx, endpointId);
  if (!noted) return;
  const { status, told, level } = noted;
  if (status === 'disabled' && told < DISABLED_LEVEL) {
    await tell(tx, endpointId, noted, 'endpoint.disabled', noted.disabledReason ?? 'by_request');
    await setLevel(tx, endpointId, DISABLED_LEVEL);
  } else if (status === 'active' && noted.failingSince === null && told > 0) {
    await tell(tx, endpointId, noted, 'endpoint.recovered', 'answers_again');
    await setLevel(tx, endpointId, 0);
  } else if (status === 'active' && level > told) {
    await tell(tx, endpointId, noted, 'endpoint.failing', 'failing_for');
    await setLevel(tx, endpointId, level);
  }
  if (noted.hasExhausted) {
    await tell(tx, endpointId, noted, 'endpoint.failing', 'events_exhausted');
    // The owner is told of all deliveries up to the latest visible one; another process's later write bears a later
    // time.
    await run(tx)`
      update endpoint_health set exhausted_told_at = (select max(done_at) from delivery
        where endpoint_id = ${endpointId} and status = 'failed')
      where endpoint_id = ${endpointId}`;
  }
}

/** Writes the notice that a person has let the endpoint go on, if the owner was told before that the endpoint fails. */
export async function noteResumed(tx: Tx, endpointId: string): Promise<void> {
  const noted = await lockNoted(tx, endpointId);
  if (!noted || noted.told === 0) return;
  await tell(tx, endpointId, { ...noted, failingSince: null }, 'endpoint.recovered', 'by_request');
  await setLevel(tx, endpointId, 0);
}

async function setLevel(tx: Tx, endpointId: string, level: number): Promise<void> {
  await run(tx)`
    update endpoint_health set notice_level = ${level} where endpoint_id = ${endpointId}`;
}

/**
 * Writes a notice: a row, which can be read even when no endpoint can be reached, and an event to the agency's other
 * endpoints.
 */
async function tell(tx: Tx, endpointId: string, noted: Noted, type: NoticeType, reason: string): Promise<void> {
  const { agencyId, tenantIds, url, status, lastError } = noted;
  const detail = {
    url,
    status,
    reason,
    failingSince: noted.failingSince?.toISOString() ?? null,
    lastError,
    pending: await pendingCount(tx, endpointId),
  };
  await run(tx)`
    insert into endpoint_notice (id, agency_id, endpoint_id, type, detail, at)
    values (${newId('ntc')}, ${agencyId}, ${endpointId}, ${type}, ${JSON.stringify(detail)}::jsonb, ${tx.now})`;
  const tenantId = tenantIds?.length === 1 ? (tenantIds[0] ?? null) : null;
  const timestamp = Math.floor(tx.now.getTime() / 1_000);
  tx.emit({
    event: type,
    agencyId,
    tenantId,
    sessionId: null,
    conversationId: null,
    notTo: endpointId,
    payload: { endpointId, ...detail, timestamp },
  });
}

const NoticeDetail = z.object({
  url: z.string(),
  status: z.string(),
  reason: z.string(),
  failingSince: z.string().nullable(),
  lastError: z.string().nullable(),
  pending: z.int(),
});

const NoticeRow = z.object({
  id: z.string(),
  agencyId: z.string(),
  endpointId: z.string(),
  type: z.string(),
  detail: NoticeDetail,
  at: Timestamp,
});
export type Notice = Omit<z.output<typeof NoticeRow>, 'detail'> & z.output<typeof NoticeDetail>;

/** Lists notices, the newest first: those of one agency, or of all agencies for the operator. */
export async function listNotices(
  queries: Queries,
  only: { agencyId: string | null; endpointId: string | null; before: string | null; limit: number },
): Promise<Notice[]> {
  const found = await rows(queries, NoticeRow)`
    select id, agency_id as "agencyId", endpoint_id as "endpointId", type, detail, at from endpoint_notice
    where (${only.agencyId}::text is null or agency_id = ${only.agencyId})
      and (${only.endpointId}::text is null or endpoint_id = ${only.endpointId})
      and (${only.before}::text is null or id < ${only.before})
    order by id desc limit ${only.limit}`;
  return found.map(({ detail, ...notice }) => ({ ...notice, ...detail }));
}
