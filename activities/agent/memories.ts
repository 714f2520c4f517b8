import { recordUsage, reserveBudget, returnReservation } from '../../db/agent/usage.ts';
import type { Spender } from '../../db/agent/usage.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { findExtraction, loadMaterial, recordExtraction } from '../../db/agent/extraction.ts';
import type { Extraction } from '../../db/agent/extraction.ts';
import { recordModelCall } from '../../db/agent/turn-end.ts';
import { mostTokens } from '../../domain/agent/budget.ts';
import { acceptProposals, extractionPrompt, Proposals } from '../../domain/agent/extraction.ts';
import type { ExtractionMaterial } from '../../domain/agent/extraction.ts';
import { defaultPersona } from '../../domain/agent/sales-agent.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import { ModelError } from '../../adapters/models/error.ts';
import type { ModelUse } from '../../adapters/models/use.ts';
import type { Models } from '../../adapters/models/models.ts';

export interface Extracting {
  database: Database;
  models: Pick<Models, 'extract' | 'defaultId'>;
}

/** An answer of five facts in JSON fits into this many tokens. */
const ANSWER_TOKENS = 1_000;

/**
 * Reads an ended turn once for facts about its contact. If the model gives no answer, nothing fails: the turn is over,
 * and a contact says again what is worth remembering.
 */
export async function extractFacts(
  { database, models }: Extracting,
  turnId: string,
  signal: AbortSignal,
): Promise<void> {
  const extraction = await database.read((queries) => findExtraction(queries, turnId));
  if (!extraction) return;
  const persona = { ...defaultPersona(models.defaultId), ...extraction.persona };
  if (!persona.active || !persona.extractMemories) return;
  const material = await database.read((queries) => loadMaterial(queries, extraction));
  if (!material) return;
  await ask({ database, models }, extraction, material, persona, signal);
}

async function ask(
  { database, models }: Extracting,
  extraction: Extraction,
  material: ExtractionMaterial,
  persona: Persona,
  signal: AbortSignal,
): Promise<void> {
  const { agencyId, tenantId } = extraction.scope;
  const spender = { agencyId, tenantId, contactId: extraction.contactId };
  const { instructions, content } = extractionPrompt(material);
  const reservation = {
    id: reservationOf(extraction.turnId),
    tokens: mostTokens([instructions, content], ANSWER_TOKENS),
  };
  // The last part of a budget is kept for answers, so facts are only read while the budget is ample.
  const budget = await database.statement((tx) => reserveBudget(tx, spender, reservation, persona));
  if (budget !== 'ok') {
    await database.statement((tx) => returnReservation(tx, reservation.id));
    return;
  }
  try {
    const answer = await models.extract({
      model: persona.modelChoice,
      instructions,
      messages: [{ role: 'user', content, media: [] }],
      schema: Proposals,
      maxTokens: ANSWER_TOKENS,
      signal,
    });
    await database.transaction(async (tx) => {
      await recordExtraction(tx, extraction, acceptProposals(answer.value, material, tx.now));
      await recordFactsCall(tx, extraction, spender, answer);
    });
  } catch (error) {
    const failure = error instanceof ModelError ? error : null;
    await database.transaction(async (tx) => {
      if (failure?.use) await recordFactsCall(tx, extraction, spender, failure.use, failure.code);
      else await returnReservation(tx, reservation.id);
    });
    if (!failure) throw error;
  }
}

/** Adds the request to the record of its turn, as part of the turn's cost. */
async function recordFactsCall(
  tx: Tx,
  { turnId }: Extraction,
  spender: Spender,
  { model, inputTokens, outputTokens, costMicros, ms }: ModelUse,
  error?: string,
): Promise<void> {
  const tokens = (inputTokens ?? 0) + (outputTokens ?? 0);
  await recordUsage(tx, spender, { replies: 0, tokens, costMicros: costMicros ?? 0 }, reservationOf(turnId));
  const call = { model, inputTokens, outputTokens, costMicros, ms, purpose: 'facts' as const, ...(error && { error }) };
  await recordModelCall(tx, turnId, call, null);
}

const reservationOf = (turnId: string): string => `extract/${turnId}`;
