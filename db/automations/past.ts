import { z } from 'zod';
import type { Past, PastEvent } from '../../domain/automations/dry-run/past.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { Timestamp } from '../engine/columns.ts';
import { one, row, rows } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

const Time = Timestamp.nullable();
const MessageRow = z.object({
  id: z.string(),
  direction: z.enum(['in', 'out']),
  kind: z.string(),
  body: z.string(),
  pressed: z.string().nullable(),
  occurredAt: Timestamp,
  byAutomation: z.boolean(),
  failedAt: Time,
  sentAt: Time,
  deliveredAt: Time,
  readAt: Time,
  playedAt: Time,
});

const HandoverRow = z.object({
  at: Timestamp,
  isPerson: z.boolean(),
  byAutomation: z.boolean(),
});

const AroundRow = z.object({
  name: z.string().nullable(),
  isOptedOut: z.boolean(),
  labels: z.array(z.string()),
  sessionId: z.string(),
  sessionName: z.string(),
});

/** Reads the latest messages of a conversation, and who had it when since the first of them. */
export async function readPast(
  queries: Queries,
  { agencyId, tenantId }: TenantScope,
  conversationId: string,
  limit: number,
): Promise<Past> {
  const found = await rows(queries, MessageRow)`
    select id, direction, kind, body, content->'selected'->>'id' as pressed, occurred_at as "occurredAt",
      coalesce(via = 'automation', false) as "byAutomation",
      case when status = 'failed' then ended_at end as "failedAt",
      sent_at as "sentAt", delivered_at as "deliveredAt", read_at as "readAt", played_at as "playedAt"
    from message
    where conversation_id = ${conversationId} and agency_id = ${agencyId} and tenant_id = ${tenantId}
      and status <> 'scheduled' and matching_network_id is null
    order by occurred_at desc, id desc limit ${limit + 1}`;
  const messages = found.slice(0, limit).toReversed();
  const since = messages[0]?.occurredAt ?? queries.now;
  const handovers = await rows(queries, HandoverRow)`
    select h.at, h.mode = 'human_takeover' as "isPerson", coalesce(h.actor = 'automation', false) as "byAutomation"
    from handover h join conversation c on c.id = h.conversation_id
    where c.id = ${conversationId} and c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and h.at >= ${since}
    order by h.id limit ${limit}`;
  const before = await row(queries, HandoverRow)`
    select h.at, h.mode = 'human_takeover' as "isPerson", coalesce(h.actor = 'automation', false) as "byAutomation"
    from handover h join conversation c on c.id = h.conversation_id
    where c.id = ${conversationId} and c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and h.at < ${since}
    order by h.id desc limit 1`;
  const around = await one(queries, AroundRow)`
    select s.id as "sessionId", s.name as "sessionName", coalesce(k.name, k.push_name) as name,
      has_opted_out(c.contact_id) as "isOptedOut",
      coalesce((select array_agg(distinct l.name) from chat_label x
        join label l on l.session_id = x.session_id and l.id = x.label_id and not l.is_deleted
        where x.session_id = c.session_id and x.is_set and (x.chat_id = c.chat_id
          or x.chat_id in (select a.chat_id from contact_alias a where a.contact_id = c.contact_id))), '{}') as labels
    from conversation c join session s on s.id = c.session_id left join contact k on k.id = c.contact_id
    where c.id = ${conversationId} and c.agency_id = ${agencyId} and c.tenant_id = ${tenantId}`;
  const events = [...messages.map(messageOf), ...handovers.map(handoverOf)];
  return {
    events: events.toSorted((a, b) => a.atMs - b.atMs),
    isCut: found.length > limit,
    hasWritten: found.length > limit,
    isWithPerson: before?.isPerson ?? false,
    contactName: around.name,
    isOptedOut: around.isOptedOut,
    labels: around.labels,
    session: [around.sessionId, around.sessionName],
  };
}

function messageOf(message: z.output<typeof MessageRow>): PastEvent {
  const { id, body, kind, pressed, byAutomation } = message;
  const shared = { event: 'message' as const, atMs: message.occurredAt.getTime(), id, body };
  if (message.direction === 'in') return { ...shared, from: 'contact', kind, pressed };
  const acks = [
    ['sent', message.sentAt],
    ['delivered', message.deliveredAt],
    ['read', message.readAt],
    ['played', message.playedAt],
    ['failed', message.failedAt],
  ] as const;
  return {
    ...shared,
    from: 'us',
    byAutomation,
    acks: acks.flatMap(([status, at]) => (at === null ? [] : [{ status, atMs: at.getTime() }])),
  };
}

const handoverOf = ({ at, isPerson, byAutomation }: z.output<typeof HandoverRow>): PastEvent => ({
  event: isPerson ? 'conversation.assigned' : 'conversation.released',
  atMs: at.getTime(),
  byAutomation,
});

const ZoneRow = z.object({ timeZone: z.string() });

export async function timeZoneOf(queries: Queries, { agencyId, tenantId }: TenantScope): Promise<string> {
  const found = await row(queries, ZoneRow)`
    select zone_of(settings) as "timeZone" from tenant
    where agency_id = ${agencyId} and id = ${tenantId}`;
  return found?.timeZone ?? 'UTC';
}

const MomentRow = z.object({ at: Timestamp });

/** When the clock of a tenant shows a time within a period, on some days of the week. */
export async function listMoments(
  queries: Queries,
  timeZone: string,
  { at, days, fromMs, toMs, limit }: { at: string; days: number[] | null; fromMs: number; toMs: number; limit: number },
): Promise<number[]> {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const moments = await rows(queries, MomentRow)`
    select m.at from generate_series((${from}::timestamptz at time zone ${timeZone})::date,
      (${to}::timestamptz at time zone ${timeZone})::date, interval '1 day') d(day),
    lateral (select (d.day + ${at}::time) at time zone ${timeZone} as at) m
    where m.at between ${from} and ${to}
      and (${days}::int[] is null or extract(dow from d.day)::int = any(${days}::int[]))
    order by m.at limit ${limit}`;
  return moments.map((moment) => moment.at.getTime());
}
