import { setTimeout as pause } from 'node:timers/promises';
import type { Backend } from '../backend/client.ts';
import { isUnlimited, reserveBudget, returnReservation } from '../db/ai-usage.ts';
import type { Spender } from '../db/ai-usage.ts';
import { CONTEXT_MESSAGES, loadContext } from '../db/context.ts';
import type { Database } from '../db/database.ts';
import { findTenant } from '../db/tenant.ts';
import { recordModelCall } from '../db/turn-end.ts';
import { findTurnById } from '../db/turn.ts';
import type { Turn } from '../db/turn.ts';
import { mostTokens } from '../domain/budget.ts';
import type { MediaStore } from '../domain/media.ts';
import { buildPrompt, promptText } from '../domain/prompt.ts';
import type { Prompt } from '../domain/prompt-context.ts';
import { applyReplyRules } from '../domain/reply-rules.ts';
import { defaultPersona } from '../domain/sales-agent.ts';
import type { Persona } from '../domain/sales-agent.ts';
import { splitReply } from '../domain/split-reply.ts';
import type { TurnDecision } from '../domain/turn-outcome.ts';
import { concludeTurn } from './conclude-turn.ts';
import type { Conclusion } from './conclude-turn.ts';
import { loadModelMedia } from './model-media.ts';
import { ModelError } from './model-error.ts';
import type { Models } from './models.ts';

const BUDGET_LOOK_MS = 300;
const BUDGET_WAIT_MS = 20_000;

export interface Asking {
  database: Database;
  models: Pick<Models, 'answer' | 'defaultId' | 'fallbackOf' | 'promptOptions' | 'takes'>;
  backend: Pick<Backend, 'getFile'>;
  media: { store: MediaStore };
}

/**
 * Asks the turn's model and does what it decided; a turn that has ended is not answered again. Throws `ModelError` where
 * the model gave no answer.
 */
export async function askModel(deps: Asking, turnId: string, signal: AbortSignal): Promise<void> {
  const { database, models } = deps;
  const turn = await database.read((queries) => findTurnById(queries, turnId));
  if (turn?.outcome !== 'running') return;
  const { agencyId, tenantId } = turn;
  const [tenant, loaded] = await Promise.all([
    database.read((queries) => findTenant(queries, { agencyId, tenantId })),
    database.read((queries) => loadContext(queries, turn, CONTEXT_MESSAGES)),
  ]);
  // Nobody is there any more to whom it could be said.
  if (!tenant || !loaded) return conclude(deps, turn, { outcome: 'silence', code: 'paused' });
  const persona = { ...defaultPersona(models.defaultId), ...tenant.persona };
  const spender = { agencyId, tenantId, contactId: loaded.contactId };
  let model = turn.model ?? persona.modelChoice;
  const promptFor = async (id: string): Promise<Prompt> => {
    const { backend, media } = deps;
    const context = await loadModelMedia(loaded, { model: id, models, backend, store: media.store, signal });
    return buildPrompt(persona, context, models.promptOptions(id, persona.maxTokens));
  };
  let prompt = await promptFor(model);
  const budget = await reserve(deps, turn.id, spender, prompt, persona, signal);
  if (budget === 'spent') return conclude(deps, turn, { outcome: 'silence', code: 'budget' });
  const cheaper = budget === 'step_down' ? models.fallbackOf(persona.modelChoice) : null;
  if (cheaper !== null && cheaper !== model) prompt = await promptFor((model = cheaper));

  const startedAt = performance.now();
  try {
    const { temperature, maxTokens } = persona;
    const answer = await models.answer({ model, prompt, temperature, maxTokens, signal });
    const { decision, inputTokens, outputTokens, costMicros, ms } = answer;
    const tokens = (inputTokens ?? 0) + (outputTokens ?? 0);
    await database.transaction(async (tx) => {
      await concludeTurn(tx, turn, conclusionOf(decision, persona), { spender, tokens, costMicros: costMicros ?? 0 });
      const { memoryIds } = prompt;
      const reply = decision.outcome === 'silence' ? null : decision.text;
      await recordModelCall(
        tx,
        turn.id,
        { model: answer.model, ms },
        { inputTokens, outputTokens, costMicros, memoryIds, reply },
      );
    });
  } catch (error) {
    const ms = Math.round(performance.now() - startedAt);
    await database.transaction(async (tx) => {
      await returnReservation(tx, turn.id);
      if (error instanceof ModelError) await recordModelCall(tx, turn.id, { model, ms, error: error.code }, null);
    });
    throw error;
  }
}

function conclude({ database }: Asking, turn: Turn, conclusion: Conclusion): Promise<void> {
  return database.transaction((tx) => concludeTurn(tx, turn, conclusion, null));
}

/** What is asked at the same time may use the rest of a budget: then it waits for what that takes in the end. */
async function reserve(
  { database }: Asking,
  turnId: string,
  spender: Spender,
  prompt: Prompt,
  persona: Persona,
  signal: AbortSignal,
): Promise<'ok' | 'step_down' | 'spent'> {
  if (isUnlimited(persona, spender.contactId)) return 'ok';
  const request = { id: turnId, tokens: mostTokens([promptText(prompt)], persona.maxTokens) };
  for (const until = performance.now() + BUDGET_WAIT_MS; performance.now() < until;) {
    const budget = await database.transaction((tx) => reserveBudget(tx, spender, request, persona));
    if (budget !== 'wait') return budget;
    await pause(BUDGET_LOOK_MS, undefined, { signal });
  }
  return 'spent';
}

export function conclusionOf(decision: TurnDecision, persona: Persona): Conclusion {
  if (decision.outcome === 'silence') return { outcome: 'silence', code: 'nothing_to_answer' };
  const { text, notes } = applyReplyRules(decision.text ?? '', persona);
  const parts = text === '' ? [] : persona.splitReplies ? splitReply(text) : [text];
  if (decision.outcome === 'handoff') return { outcome: 'handoff', reason: decision.reason, parts, notes };
  return parts.length === 0 ? { outcome: 'silence', code: 'reply_refused' } : { outcome: 'reply', parts, notes };
}
