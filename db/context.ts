import { sql } from 'kysely';
import type { NetworkMedia } from '../domain/network-event.ts';
import type { ContextMedia, ContextMemory, ContextMessage, PromptContext } from '../domain/prompt-context.ts';
import type { TenantScope } from '../domain/scope.ts';
import type { Queries } from './database.ts';
import { listBestMemories } from './memory.ts';
import type { Memory } from './memory.ts';

/** The one conversation that a prompt may know of. */
export interface ContextScope extends TenantScope {
  sessionId: string;
  conversationId: string;
}

/** What the agent reads of the conversation, and whoever asks what it reads. */
export const CONTEXT_MESSAGES = 20;
/** More than a model heeds, and few enough to leave room for what is being said. */
const MOST_MEMORIES = 30;
const MOST_TENANT_FACTS = 30;

export interface LoadedContext extends PromptContext {
  /** The conversation that the named one turned out to be. */
  conversationId: string;
  contactId: string | null;
}

/**
 * All that the agent is told: the last messages of this conversation, what is known of its contact, and the facts of its
 * tenant. Every query names the whole owner, so that an id out of place finds nothing rather than somebody else's. Null
 * when the session has no such conversation.
 */
export async function loadContext(queries: Queries, scope: ContextScope, limit: number): Promise<LoadedContext | null> {
  const conversation = await findTalk(queries, scope);
  if (!conversation) return null;
  const { id: conversationId, contactId, contactName, timeZone } = conversation;
  const { agencyId, tenantId, sessionId } = scope;
  const tenant = { agencyId, tenantId };
  const messages = await listSaid(queries, { ...tenant, sessionId, conversationId }, limit);
  const memories = contactId === null ? [] : await listBestMemories(queries, { ...tenant, contactId }, MOST_MEMORIES);
  return {
    conversationId,
    contactId,
    contactName,
    messages,
    memories: memories.map(toContextMemory),
    tenantFacts: await listTenantFacts(queries, tenant),
    now: queries.now,
    timeZone,
  };
}

/** What every context of the tenant holds. */
export async function listTenantFacts(queries: Queries, { agencyId, tenantId }: TenantScope): Promise<string[]> {
  const facts = await listBestMemories(queries, { agencyId, tenantId, contactId: null }, MOST_TENANT_FACTS);
  return facts.map(({ fact }) => fact);
}

export async function findTimeZone(queries: Queries, { agencyId, tenantId }: TenantScope): Promise<string> {
  const { rows } = await sql<{ timeZone: string }>`
    select coalesce(settings->>'timeZone', 'UTC') as "timeZone" from tenant
    where agency_id = ${agencyId} and id = ${tenantId}`.execute(queries.sql);
  return rows[0]?.timeZone ?? 'UTC';
}

interface Talk {
  id: string;
  contactId: string | null;
  contactName: string | null;
  timeZone: string;
}

async function findTalk(queries: Queries, scope: ContextScope): Promise<Talk | null> {
  const { agencyId, tenantId, sessionId, conversationId } = scope;
  const { rows } = await sql<Talk>`
    select c.id, c.contact_id as "contactId", coalesce(nullif(p.name, ''), nullif(p.push_name, '')) as "contactName",
      coalesce(t.settings->>'timeZone', 'UTC') as "timeZone"
    from conversation told
    join conversation c on c.id = coalesce(told.merged_into, told.id) and c.agency_id = told.agency_id
      and c.tenant_id = told.tenant_id and c.session_id = told.session_id
    join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    left join contact p on p.id = c.contact_id and p.agency_id = c.agency_id and p.tenant_id = c.tenant_id
    where told.id = ${conversationId} and told.agency_id = ${agencyId} and told.tenant_id = ${tenantId}
      and told.session_id = ${sessionId}`.execute(queries.sql);
  return rows[0] ?? null;
}

/** What has been said, oldest first; what failed, or is scheduled, has not. */
async function listSaid(queries: Queries, scope: ContextScope, limit: number): Promise<ContextMessage[]> {
  const { rows } = await sql<Omit<ContextMessage, 'at' | 'media'> & { at: string; media: NetworkMedia | null }>`
    select id, direction, kind, body, occurred_at as at, media from message
    where conversation_id = ${scope.conversationId} and agency_id = ${scope.agencyId}
      and tenant_id = ${scope.tenantId} and session_id = ${scope.sessionId}
      and status not in ('scheduled', 'failed', 'cancelled')
    order by occurred_at desc, id desc limit ${limit}`.execute(queries.sql);
  return rows
    .toReversed()
    .map((row) => ({ ...row, at: new Date(row.at), media: row.media && toContextMedia(row.media) }));
}

function toContextMedia({ mimeType, fileName, url, stored }: NetworkMedia): ContextMedia {
  return { mimeType, fileName, seconds: null, url, storedKey: stored?.key ?? null };
}

function toContextMemory({ id, fact, category, source, confidence }: Memory): ContextMemory {
  return { id, fact, category, source, confidence: confidence ?? null };
}
