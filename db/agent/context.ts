import { z } from 'zod';
import { DIRECTIONS } from '../../domain/conversation.ts';
import { AI_EXTRACTED } from '../../domain/agent/memory.ts';
import type { ContextMedia, ContextMessage, PromptContext } from '../../domain/agent/prompt/context.ts';
import { contentInWords } from '../../domain/network/content-words.ts';
import { NetworkContent } from '../../domain/network/message-content.ts';
import type { TenantScope } from '../../domain/scope.ts';
import { Timestamp } from '../engine/columns.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { one, row } from '../engine/rows.ts';
import type { Queries } from '../engine/tx.ts';

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
  content: NetworkContent.nullable(),
});

const FactRow = z.object({
  id: z.string(),
  fact: z.string(),
  category: z.string(),
  source: z.string(),
  confidence: z.number().nullable(),
});

const TenantContextRow = z.object({ timeZone: z.string(), tenantFacts: z.array(FactRow) });

export const LoadedRow = TenantContextRow.extend({
  conversationId: z.string(),
  contactId: z.string().nullable(),
  contactName: z.string().nullable(),
  messages: z.array(SaidRow),
  memories: z.array(FactRow),
});

export const rulesJson = jsonParameter(
  {
    messages: true,
    memories: true,
    enteredFirst: true,
    extractedFirst: true,
    tenantFacts: true,
    extracted: true,
  },
  'agent_context.p_rules',
  'tenant_facts.p_rules',
);

const ContextAnswer = z.object({ context: LoadedRow.nullable() });

/**
 * Loads all that the agent is told: the last messages of this conversation, what is known of its contact, and the facts
 * of its tenant (`context.sql`). For a turn, `batch` names its messages: other messages that are owed a turn are left
 * out, because they get their own answer. Null when the session has no such conversation.
 */
export async function loadContext(
  queries: Queries,
  scope: ContextScope,
  limit: number,
  batch: readonly string[] | null = null,
): Promise<LoadedContext | null> {
  const { agencyId, tenantId, sessionId, conversationId } = scope;
  const { context } = await one(queries, ContextAnswer)`
    select agent_context(${agencyId}, ${tenantId}, ${sessionId}, ${conversationId}, ${batch}::text[], ${queries.now},
      ${rulesJson(contextRules(limit))}::jsonb) as context`;
  return context && toContext(context, queries.now);
}

/** Bounds what `agent_context` reads; `messages` is the number of messages. */
export function contextRules(messages: number) {
  return {
    messages,
    memories: MAX_MEMORIES,
    enteredFirst: ENTERED_FIRST,
    extractedFirst: EXTRACTED_FIRST,
    tenantFacts: MAX_TENANT_FACTS,
    extracted: AI_EXTRACTED,
  };
}

/** Loads the part of the context that is the same in all of a tenant's conversations. */
export async function loadTenantContext(
  queries: Queries,
  scope: TenantScope,
): Promise<Pick<PromptContext, 'tenantFacts' | 'timeZone'>> {
  const found = await row(queries, TenantContextRow)`
    select zone_of(settings) as "timeZone", tenant_facts(agency_id, id, ${queries.now},
      ${rulesJson(contextRules(0))}::jsonb) as "tenantFacts"
    from tenant where agency_id = ${scope.agencyId} and id = ${scope.tenantId}`;
  return found ?? { tenantFacts: [], timeZone: 'UTC' };
}

export function toContext(found: z.output<typeof LoadedRow>, now: Date): LoadedContext {
  return { ...found, messages: found.messages.map(toContextMessage), now };
}

function toContextMessage({ media, content, ...message }: z.output<typeof SaidRow>): ContextMessage {
  return { ...message, media: media && toContextMedia(media), holds: contentInWords(content ?? {}) };
}

function toContextMedia({ stored, seconds, ...media }: z.output<typeof MediaRow>): ContextMedia {
  return { ...media, seconds: seconds ?? null, storedKey: stored?.key ?? null };
}
