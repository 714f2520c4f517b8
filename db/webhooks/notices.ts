import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { ENDPOINT_EVENTS } from '../../domain/webhooks/event.ts';
import type { Queries, Tx } from '../tx.ts';
import { pendingCount } from './endpoint-view.ts';
import { newId } from '../new-id.ts';

export type NoticeType = (typeof ENDPOINT_EVENTS)[number];

const MINUTE = 60_000;
/**
 * An owner is told again when the endpoint has failed for each of these times; the place in the list is `notice_level`.
 */
const TOLD_AFTER_MS = [60 * MINUTE, 24 * 60 * MINUTE, 3 * 24 * 60 * MINUTE];
const DISABLED_LEVEL = 4;
/** Events that use up their attempts are told together. */
const EXHAUSTED_EVERY_MS = 60 * MINUTE;

/** The level that the owner of `endpoint_health h` should know of by now. */
function levelOf(now: Date): RawBuilder<unknown> {
  const [hour, day, days] = TOLD_AFTER_MS.map((ms) => new Date(now.getTime() - ms));
  return sql`case when h.failing_since <= ${days}::timestamptz then 3 when h.failing_since <= ${day}::timestamptz then 2
    when h.failing_since <= ${hour}::timestamptz then 1 else 0 end`;
}

/** A condition on `endpoint_health h`: deliveries have used up their attempts since the owner was last told, a while ago. */
function hasExhausted(now: Date): RawBuilder<unknown> {
  return sql`(h.exhausted_told_at is null or h.exhausted_told_at <= ${new Date(now.getTime() - EXHAUSTED_EVERY_MS)})
    and exists (select 1 from delivery d where d.endpoint_id = h.endpoint_id and d.status = 'failed'
      and d.done_at > coalesce(h.exhausted_told_at, '-infinity'))`;
}

/** Lists the endpoints whose owners are to be told something. */
export async function listEndpointsToNote(queries: Queries, limit: number): Promise<string[]> {
  const { now } = queries;
  const { rows } = await sql<{ id: string }>`
    select e.id from endpoint e join endpoint_health h on h.endpoint_id = e.id
    where e.deleted_at is null and (
      (e.status = 'disabled' and h.notice_level < ${DISABLED_LEVEL})
      or (e.status = 'active' and ${levelOf(now)} > h.notice_level)
      or (e.status = 'active' and h.failing_since is null and h.notice_level > 0)
      or (${hasExhausted(now)}))
    order by e.id limit ${limit}`.execute(queries.sql);
  return rows.map(({ id }) => id);
}

interface Noted {
  agencyId: string;
  tenantIds: string[] | null;
  url: string;
  status: 'active' | 'paused' | 'disabled';
  disabledReason: string | null;
  failingSince: string | null;
  lastError: string | null;
  told: number;
  level: number;
  hasExhausted: boolean;
}

async function lockNoted(tx: Tx, endpointId: string): Promise<Noted | undefined> {
  const { rows } = await sql<Noted>`
    select e.agency_id as "agencyId", e.tenant_ids as "tenantIds", e.url, e.status, e.disabled_reason as "disabledReason",
      h.failing_since as "failingSince", h.last_error as "lastError", h.notice_level as told, ${levelOf(tx.now)} as level,
      ${hasExhausted(tx.now)} as "hasExhausted"
    from endpoint e join endpoint_health h on h.endpoint_id = e.id
    where e.id = ${endpointId} and e.deleted_at is null for no key update of h`.execute(tx.sql);
  return rows[0];
}

/** Tells the owner what the rows say and the owner does not know yet. Safe to call at any time. */
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
    // Whatever another process writes meanwhile bears a later time, or is visible by now.
    await sql`
      update endpoint_health set exhausted_told_at = (select max(done_at) from delivery
        where endpoint_id = ${endpointId} and status = 'failed')
      where endpoint_id = ${endpointId}`.execute(tx.sql);
  }
}

/** Tells that somebody has let the endpoint go on, if it was told before that the endpoint fails. */
export async function noteResumed(tx: Tx, endpointId: string): Promise<void> {
  const noted = await lockNoted(tx, endpointId);
  if (!noted || noted.told === 0) return;
  await tell(tx, endpointId, { ...noted, failingSince: null }, 'endpoint.recovered', 'by_request');
  await setLevel(tx, endpointId, 0);
}

async function setLevel(tx: Tx, endpointId: string, level: number): Promise<void> {
  await sql`update endpoint_health set notice_level = ${level} where endpoint_id = ${endpointId}`.execute(tx.sql);
}

/**
 * Writes a row, which can be read even when no endpoint can be reached, and an event to the agency's other endpoints.
 */
async function tell(tx: Tx, endpointId: string, noted: Noted, type: NoticeType, reason: string): Promise<void> {
  const { agencyId, tenantIds, url, status, lastError } = noted;
  const detail = {
    url,
    status,
    reason,
    failingSince: noted.failingSince === null ? null : new Date(noted.failingSince).toISOString(),
    lastError,
    pending: await pendingCount(tx, endpointId),
  };
  await sql`
    insert into endpoint_notice (id, agency_id, endpoint_id, type, detail, at)
    values (${newId('ntc')}, ${agencyId}, ${endpointId}, ${type}, ${JSON.stringify(detail)}::jsonb, ${tx.now})`.execute(
    tx.sql,
  );
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

export interface Notice extends z.infer<typeof NoticeDetail> {
  id: string;
  agencyId: string;
  endpointId: string;
  type: string;
  at: Date;
}

/** Lists the newest first: those of one agency, or of all for the operator. */
export async function listNotices(
  queries: Queries,
  only: { agencyId: string | null; endpointId: string | null; before: string | null; limit: number },
): Promise<Notice[]> {
  const { rows } = await sql<{
    id: string;
    agencyId: string;
    endpointId: string;
    type: string;
    detail: unknown;
    at: string;
  }>`
    select id, agency_id as "agencyId", endpoint_id as "endpointId", type, detail, at from endpoint_notice
    where (${only.agencyId}::text is null or agency_id = ${only.agencyId})
      and (${only.endpointId}::text is null or endpoint_id = ${only.endpointId})
      and (${only.before}::text is null or id < ${only.before})
    order by id desc limit ${only.limit}`.execute(queries.sql);
  return rows.map(({ detail, at, ...row }) => ({ ...row, ...NoticeDetail.parse(detail), at: new Date(at) }));
}
