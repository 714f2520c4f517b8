import type { CallsOf } from '../../adapters/backend/backends.ts';
import type { Database } from '../../db/engine/database.ts';
import type { TurnAtWork } from '../../db/agent/turn.ts';
import { mostTokens } from '../../domain/agent/budget.ts';
import type { MediaStore } from '../../domain/sending/media.ts';
import { buildPrompt, promptText } from '../../domain/agent/prompt/prompt.ts';
import type { Prompt, PromptContext } from '../../domain/agent/prompt/context.ts';
import { defaultPersona } from '../../domain/agent/sales-agent.ts';
import { spentConclusion } from './budget-spent.ts';
import { askOnce } from './ask-once.ts';
import { concludeTurn, LATE } from './conclude-turn.ts';
import type { Conclusion } from './conclude-turn.ts';
import { loadModelMedia } from '../../adapters/models/media.ts';
import { ModelError } from '../../adapters/models/error.ts';
import type { ModelErrorCode } from '../../adapters/models/error.ts';
import type { Models } from '../../adapters/models/models.ts';
import { reserveTokens } from './reserve-tokens.ts';
import { filesOfSession } from './session-files.ts';
import { isRetry } from '../../db/agent/turn-end.ts';
import { loadTurnMaterial } from '../../db/agent/turn-material.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import { answersWithinMs, SAYS_LATE_AFTER_MS } from '../../domain/agent/turn.ts';

export interface Asking {
  database: Database;
  models: Pick<Models, 'answer' | 'defaultId' | 'fallbackOf' | 'promptOptions' | 'takes'>;
  backends: CallsOf<'getFile'>;
  media: { store: MediaStore };
}

/**
 * Asks the turn's model and does what the model decided. A turn that has ended is not answered again. Throws
 * `ModelError` when the model gave no answer.
 */
export async function askModel(
  deps: Asking,
  turnId: string,
  signal: AbortSignal,
  reading = deps.database.read((queries) => loadTurnMaterial(queries, turnId)),
): Promise<void> {
  const { database, models } = deps;
  const material = await reading;
  if (material?.turn.outcome !== 'running') return;
  const { turn, context } = material;
  const { agencyId, tenantId } = turn;
  // The tenant or the conversation is gone, so there is nobody to answer.
  if (!context) return conclude(deps, turn, { outcome: 'silence', code: 'paused' });
  const persona = { ...defaultPersona(models.defaultId), ...material.persona };
  // A turn that waited too long for a worker asks no model: its answer would only be discarded.
  const isLate = isPastBound(turn, persona, database.clock.now());
  if (isLate && !(await database.read((queries) => isRetry(queries, turn)))) {
    return database.transaction((tx) => concludeTurn(tx, turn, LATE, null));
  }
  const loaded = { ...context, lateByMs: lateByMs(turn, context) };
  const spender = { agencyId, tenantId, contactId: loaded.contactId };
  let model = turn.model ?? persona.modelChoice;
  const promptFor = async (id: string): Promise<Prompt> => {
    const of = new Set(turn.inboundMessageIds);
    const backend = filesOfSession(deps, turn.sessionId);
    const parts = { model: id, of, models, backend, store: deps.media.store, signal };
    const context = await loadModelMedia(loaded, parts);
    return buildPrompt(persona, context, models.promptOptions(id, persona.maxTokens));
  };
  let prompt = await promptFor(model);
  const files = prompt.messages.flatMap(({ media }) => media);
  const request = { id: turn.id, tokens: mostTokens([promptText(prompt)], persona.maxTokens, files) };
  const budget = await reserveTokens(database, spender, request, persona, signal);
  if (budget === 'spent') {
    return database.transaction(async (tx) => concludeTurn(tx, turn, await spentConclusion(tx, turn, persona), null));
  }
  const cheaper = budget === 'step_down' ? models.fallbackOf(persona.modelChoice) : null;
  if (cheaper !== null && cheaper !== model) prompt = await promptFor((model = cheaper));

  const question = { turn, persona, spender };
  try {
    await askOnce(deps, { ...question, model, prompt }, signal);
  } catch (error) {
    if (!mayBeTheFiles(error, prompt)) throw error;
    // The provider may have refused a file, and one file must not cost the answer: the model is asked again without
    // files.
    prompt = buildPrompt(persona, loaded, models.promptOptions(model, persona.maxTokens));
    // The tokens reserved for the first request have been given back, so the second request reserves its own.
    const again = { id: turn.id, tokens: mostTokens([promptText(prompt)], persona.maxTokens) };
    if ((await reserveTokens(database, spender, again, persona, signal)) === 'spent') throw error;
    await askOnce(deps, { ...question, model, prompt }, signal);
  }
}

const OF_FILES: ReadonlySet<string> = new Set<ModelErrorCode>(['request_refused', 'context_too_long', 'refused']);

function mayBeTheFiles(error: unknown, { messages }: Prompt): boolean {
  return error instanceof ModelError && OF_FILES.has(error.code) && messages.some(({ media }) => media.length > 0);
}

function conclude(
  { database }: Asking,
  turn: TurnAtWork,
  conclusion: Extract<Conclusion, { outcome: 'silence' }>,
): Promise<void> {
  return database.statement((tx) => concludeTurn(tx, turn, conclusion, null));
}

/** True when the engine has delayed the answer to the turn's first message for longer than the persona lets it. */
function isPastBound({ owedFrom }: TurnAtWork, persona: Persona, now: Date): boolean {
  return owedFrom !== null && now.getTime() - owedFrom.getTime() > answersWithinMs(persona);
}

/** Returns how long the contact has waited since the first message of the turn; undefined while that is usual. */
function lateByMs(
  { inboundMessageIds }: Pick<TurnAtWork, 'inboundMessageIds'>,
  { messages, now }: Pick<PromptContext, 'messages' | 'now'>,
): number | undefined {
  const asked = messages.filter(({ id }) => inboundMessageIds.includes(id)).map(({ at }) => at.getTime());
  const waitedMs = asked.length === 0 ? 0 : now.getTime() - Math.min(...asked);
  return waitedMs >= SAYS_LATE_AFTER_MS ? waitedMs : undefined;
}
