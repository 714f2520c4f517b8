import { z } from 'zod';
import { AI_EXTRACTED } from '../../domain/agent/memory.ts';
import type { AcceptedFact, Evidence, ExtractionMaterial } from '../../domain/agent/extraction.ts';
import { StoredPersona } from '../../domain/agent/sales-agent.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import { loadContext } from './context.ts';
import type { ContextScope } from './context.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { forgetWeakest, MAX_EXTRACTED } from './forget-memory.ts';
import { keepMemory, listBestMemories, lockEvidence, lockMemories } from './memory.ts';
import type { MemoryOwner } from './memory.ts';

/** The model reads this many messages before the turn's own, to understand them. */
const BEFORE = 10;
/** The model is shown at most this many known facts: all extracted ones, and as a rule all that people entered. */
const MAX_KNOWN = MAX_EXTRACTED + 50;

/** A turn that is to be read for facts about its contact. */
export interface Extraction {
  turnId: string;
  scope: ContextScope;
  contactId: string;
  evidenceIds: string[];
  persona: Partial<Persona> | null;
}

const ExtractionRow = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  conversationId: z.string(),
  contactId: z.string(),
  evidenceIds: z.array(z.string()),
  persona: StoredPersona.nullable().catch({ active: false }),
});

/**
 * Finds what is needed to read a turn for facts. Null when the turn has not ended, was read already or was not answered
 * by the agent, and when the conversation has no contact.
 */
export async function findExtraction(queries: Queries, turnId: string): Promise<Extraction | null> {
  const found = await row(queries, ExtractionRow)`
    select t.agency_id as "agencyId", t.tenant_id as "tenantId", t.session_id as "sessionId", c.id as "conversationId",
      c.contact_id as "contactId", t.inbound_message_ids as "evidenceIds", n.persona
    from ai_turn t
    join conversation c on c.id = t.conversation_id and c.agency_id = t.agency_id and c.tenant_id = t.tenant_id
    join tenant n on n.agency_id = t.agency_id and n.id = t.tenant_id
    where t.id = ${turnId} and t.extracted_at is null and c.contact_id is not null
      and (t.outcome in ('reply', 'fallback', 'handoff')
        or (t.outcome = 'silence' and t.silence_code = 'nothing_to_answer'))`;
  if (!found) return null;
  const { contactId, evidenceIds, persona, ...scope } = found;
  return { turnId, scope, contactId, evidenceIds, persona };
}

/** Loads what the model reads; null when the turn has no text of the contact. */
export async function loadMaterial(queries: Queries, extraction: Extraction): Promise<ExtractionMaterial | null> {
  const evidence = await listEvidence(queries, extraction);
  if (evidence.length === 0) return null;
  const context = await loadContext(queries, extraction.scope, evidence.length + BEFORE, extraction.evidenceIds);
  const isEvidence = new Set(evidence.map(({ id }) => id));
  const before = (context?.messages ?? []).filter(({ id, body }) => !isEvidence.has(id) && body !== '');
  const known = await listBestMemories(queries, ownerOf(extraction), MAX_KNOWN);
  return {
    evidence,
    before: before.map(({ direction, body }) => ({ direction, text: body })),
    known: known.map(({ id, fact, category, source }) => ({
      id,
      fact,
      category,
      isReplaceable: source === AI_EXTRACTED,
    })),
  };
}

const EvidenceRow = z.object({ id: z.string(), text: z.string() });

/** Lists the messages of the turn that this contact wrote and has not deleted for everybody. */
async function listEvidence(queries: Queries, { scope, contactId, evidenceIds }: Extraction): Promise<Evidence[]> {
  const found = await rows(queries, EvidenceRow)`
    select id, body as text from message
    where id = any(${evidenceIds}::text[]) and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
      and conversation_id = ${scope.conversationId} and contact_id = ${contactId} and direction = 'in' and body <> ''
      and revoked_at is null
    order by occurred_at, id`;
  return found;
}

/**
 * Keeps the accepted facts and marks the turn as read; a second call does nothing. A fact is dropped when its evidence
 * was deleted or turned out to be another contact's while the model was asked.
 */
export async function recordExtraction(tx: Tx, extraction: Extraction, facts: readonly AcceptedFact[]): Promise<void> {
  const owner = ownerOf(extraction);
  await lockMemories(tx, owner);
  await lockEvidence(tx, extraction.evidenceIds);
  const count = await run(tx)`
    update ai_turn set extracted_at = ${tx.now} where id = ${extraction.turnId} and extracted_at is null returning 1`;
  if (count === 0) return;
  const there = new Set((await listEvidence(tx, extraction)).map(({ id }) => id));
  for (const fact of facts.filter(({ evidenceMessageId }) => there.has(evidenceMessageId))) {
    await keepMemory(tx, owner, { ...fact, source: AI_EXTRACTED, turnId: extraction.turnId });
  }
  await forgetWeakest(tx, owner);
}

function ownerOf({ scope: { agencyId, tenantId }, contactId }: Extraction): MemoryOwner {
  return { agencyId, tenantId, contactId };
}
