import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { DIRECTIONS } from '../../domain/conversation.ts';
import { AI_EXTRACTED } from '../../domain/agent/memory.ts';
import type { ContextMedia, ContextMessage, PromptContext } from '../../domain/agent/prompt/context.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { Timestamp } from '../columns.ts';
import { row } from '../rows.ts';
import type { Queries } from '../tx.ts';

/** The only conversation whose messages a prompt may contain. */
export interface ContextScope extends TenantScope {
  sessionId: string;
  conversationId: string;
}

/**
 * The agent reads this many messages of a conversation, and the API shows as many to a dashboard that asks what the
 * agent reads.
 */
export const CONTEXT_MESSAGES = 20;
/** A turn reads all of its own messages, up to `MAX_MESSAGES`, and at least this many messages before them. */
const BEFORE_BATCH = 5;
const MAX_MESSAGES = 200;
/**
 * A prompt has at most this many memories: more than a model heeds, and few enough to leave room for the conversation.
 */
const MAX_MEMORIES = 30;
/** At most this many facts that people entered come first, so that extracted facts have room, too. */
const ENTERED_FIRST = 20;
const EXTRACTED_FIRST = MAX_MEMORIES - ENTERED_FIRST;
const MAX_TENANT_FACTS = 30;

export interface LoadedContext extends PromptContext {
  /** The conversation that was read: the named one, or the one that it was merged into. */
  conversationId: string;
  contactId: string | null;
}

const MediaRow = z.object({
  mimeType: z.string().nullable(),
  fileName: z.string().nullable(),
  url: z.string().nullable(),
  seconds: z.number().optional(),
  stored: z.object({ key: z.string() }).optional(),
});

const SaidRow = z.object({
  id: z.string(),
  direction: z.enum(DIRECTIONS),
  kind: z.string(),
  body: z.string(),
  at: Timestamp,
  media: MediaRow.nullable(),
});

const FactRow = z.object({
  id: z.string(),
  fact: z.string(),
  category: z.string(),
  source: z.string(),
  confidence: z.number().nullable(),
});

const TenantContextRow = z.object({ timeZone: z.string(), tenantFacts: z.array(FactRow) });

const LoadedRow = TenantContextRow.extend({
  conversationId: z.string(),
  contactId: z.string().nullable(),
  contactName: z.string().nullable(),
  messages: z.array(SaidRow),
  memories: z.array(FactRow),
});

/**
 * Loads all that the agent is told: the last messages of this conversation, what is known of its contact, and the facts
 * of its tenant; in one round trip. Each part of the query names the whole owner, so an id of another owner finds
 * nothing. For a turn, `batch` names its messages: other messages that are owed a turn are left out, because they get
 * their own answer. The turn's messages come last, even if something was said while they waited. Null when the session
 * has no such conversation.
 */
export async function loadContext(
  queries: Queries,
  scope: ContextScope,
  limit: number,
  batch: readonly string[] | null = null,
): Promise<LoadedContext | null> {
  const { agencyId, tenantId, sessionId, conversationId } = scope;
  const found = await row(queries, LoadedRow)`
    with talk as (
      select c.id, c.contact_id, coalesce(nullif(p.name, ''), nullif(p.push_name, '')) as contact_name,
        coalesce(t.settings->>'timeZone', 'UTC') as time_zone
      from conversation told
      join conversation c on c.id = coalesce(told.merged_into, told.id) and c.agency_id = told.agency_id
        and c.tenant_id = told.tenant_id and c.session_id = told.session_id
      join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
      left join contact p on p.id = c.contact_id and p.agency_id = c.agency_id and p.tenant_id = c.tenant_id
      where told.id = ${conversationId} and told.agency_id = ${agencyId} and told.tenant_id = ${tenantId}
        and told.session_id = ${sessionId}
    ), said as (
      -- Messages that failed or are scheduled have not been said, and revoked messages are not to be read any more.
      select m.id, m.direction, m.kind, m.body, m.occurred_at as at, m.media from talk join message m
        on m.conversation_id = talk.id and m.agency_id = ${agencyId} and m.tenant_id = ${tenantId}
          and m.session_id = ${sessionId} and m.status not in ('scheduled', 'failed', 'cancelled')
          and m.revoked_at is null and (${batch === null} or not m.awaits_turn or m.id = any(${batch ?? []}::text[]))
      order by m.occurred_at desc, m.id desc limit ${limit}
    ), known as (
      select row_number() over (order by place > first, is_extracted, place) as place, id, fact, category, source,
        confidence
      from (select k.*, e.is_extracted, row_number() over (partition by e.is_extracted order by ${best}) as place,
          case when e.is_extracted then ${EXTRACTED_FIRST}::integer else ${ENTERED_FIRST}::integer end as first
        from talk join memory k on k.agency_id = ${agencyId} and k.tenant_id = ${tenantId}
          and k.contact_id = talk.contact_id and ${holds(queries)}
        cross join lateral (select k.source = ${AI_EXTRACTED} as is_extracted) e) ranked
      order by 1 limit ${MAX_MEMORIES}
    )
    select talk.id as "conversationId", talk.contact_id as "contactId", talk.contact_name as "contactName",
      talk.time_zone as "timeZone",
      (select coalesce(json_agg(said order by id = any(${batch ?? []}::text[]), at, id), '[]') from said) as messages,
      (select coalesce(json_agg(known order by place), '[]') from known) as memories,
      ${factsOf(queries, scope)} as "tenantFacts"
    from talk`;
  if (!found) return null;
  return {
    ...found,
    messages: found.messages.map(toContextMessage),
    now: queries.now,
  };
}

/** Answers how many messages a turn of this batch reads. */
export function messagesFor(batch: readonly string[]): number {
  return Math.min(MAX_MESSAGES, Math.max(CONTEXT_MESSAGES, batch.length + BEFORE_BATCH));
}

/** An SQL condition for memories that hold: neither superseded nor expired. */
function holds(queries: Queries): RawBuilder<unknown> {
  return sql`k.superseded_by is null and (k.expires_at is null or k.expires_at > ${queries.now})`;
}

/**
 * Sorts the surest memory first, then the newest; a memory without a confidence was entered by a person and comes
 * before all.
 */
const best = sql`k.confidence desc nulls first, k.id desc`;

function factsOf(queries: Queries, { agencyId, tenantId }: TenantScope): RawBuilder<unknown> {
  return sql`(select coalesce(json_agg(f order by f.place), '[]') from (
    select row_number() over (order by k.source = ${AI_EXTRACTED}, ${best}) as place, k.id, k.fact, k.category,
      k.source, k.confidence
    from memory k where k.agency_id = ${agencyId} and k.tenant_id = ${tenantId} and k.contact_id is null
      and ${holds(queries)}
    order by 1 limit ${MAX_TENANT_FACTS}) f)`;
}

/** Loads the part of the context that is the same in all of a tenant's conversations. */
export async function loadTenantContext(
  queries: Queries,
  scope: TenantScope,
): Promise<Pick<PromptContext, 'tenantFacts' | 'timeZone'>> {
  const found = await row(queries, TenantContextRow)`
    select coalesce(settings->>'timeZone', 'UTC') as "timeZone", ${factsOf(queries, scope)} as "tenantFacts"
    from tenant where agency_id = ${scope.agencyId} and id = ${scope.tenantId}`;
  return found ?? { tenantFacts: [], timeZone: 'UTC' };
}

function toContextMessage({ media, ...message }: z.output<typeof SaidRow>): ContextMessage {
  return { ...message, media: media && toContextMedia(media) };
}

function toContextMedia({ stored, seconds, ...media }: z.output<typeof MediaRow>): ContextMedia {
  return { ...media, seconds: seconds ?? null, storedKey: stored?.key ?? null };
}
