import { setTimeout as pause } from 'node:timers/promises';
import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import { reserveBudget, returnReservation } from '../db/ai-usage.ts';
import type { Spender } from '../db/ai-usage.ts';
import { CONTEXT_MESSAGES, loadContext } from '../db/context.ts';
import { findTenant } from '../db/tenant.ts';
import { recordModelCall } from '../db/turn-end.ts';
import { findTurnById } from '../db/turn.ts';
import type { Turn } from '../db/turn.ts';
import { mostTokens } from '../domain/budget.ts';
import { buildPrompt, promptText } from '../domain/prompt.ts';
import type { Prompt } from '../domain/prompt-context.ts';
import { applyReplyRules } from '../domain/reply-rules.ts';
import { defaultPersona } from '../domain/sales-agent.ts';
import type { Persona } from '../domain/sales-agent.ts';
import { splitReply } from '../domain/split-reply.ts';
import type { TurnDecision } from '../domain/turn-outcome.ts';
import { concludeTurn } from './conclude-turn.ts';
import type { Conclusion } from './conclude-turn.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { extractFacts } from './memories.ts';
import { ModelError } from './model-error.ts';
import { loadModelMedia } from './model-media.ts';

const HEARTBEAT_EVERY_MS = 4_000;
/** A provider that asks for more has had its chance: the fallback model answers sooner. */
const LONGEST_RETRY_AFTER_MS = 20_000;
const BUDGET_LOOK_MS = 300;
const BUDGET_WAIT_MS = 20_000;

type Asking = ActivityDependencies;

/** Calls to models by the turn that they are for, so that one which is given up ends at once. */
export type ModelCalls = Map<string, AbortController>;

export function createAnswerTurn(deps: Asking, calls: ModelCalls) {
  const { database } = deps;

  /**
   * Asks the turn's model, does what it decided, and reads what was said for facts. Safe to repeat: a turn that has ended is
   * not answered again, and one that was read is not read again.
   */
  return async function answerTurn({ turnId }: { turnId: string }): Promise<void> {
    const beat = setInterval(heartbeat, HEARTBEAT_EVERY_MS);
    const giveUp = new AbortController();
    calls.set(turnId, giveUp);
    const signal = AbortSignal.any([cancellationSignal(), giveUp.signal]);
    try {
      const turn = await database.read((queries) => findTurnById(queries, turnId));
      if (turn?.outcome === 'running') await ask(deps, turn, signal);
      await extractFacts(deps, turnId, signal);
    } catch (error) {
      // Nobody waits for an answer that was given up.
      if (giveUp.signal.aborted) return;
      throw error instanceof ModelError ? failureOf(error) : error;
    } finally {
      clearInterval(beat);
      if (calls.get(turnId) === giveUp) calls.delete(turnId);
    }
  };
}

async function ask(deps: Asking, turn: Turn, signal: AbortSignal): Promise<void> {
  const { database, models } = deps;
  const { agencyId, tenantId } = turn;
  const tenant = await database.read((queries) => findTenant(queries, { agencyId, tenantId }));
  const loaded = await database.read((queries) => loadContext(queries, turn, CONTEXT_MESSAGES));
  if (!tenant || !loaded) throw ApplicationFailure.nonRetryable('The conversation is gone.', 'not_found');
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
  if (budget === 'spent') return conclude(deps, turn, { outcome: 'silence', code: 'budget' }, null);
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
      await recordModelCall(tx, turn.id, { model: answer.model, ms }, { inputTokens, outputTokens, costMicros, memoryIds, reply });
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

function conclude({ database }: Asking, turn: Turn, conclusion: Conclusion, use: null): Promise<void> {
  return database.transaction((tx) => concludeTurn(tx, turn, conclusion, use));
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

function failureOf({ code, retryable, retryAfterMs }: ModelError): ApplicationFailure {
  const waits = retryAfterMs ?? 0;
  return ApplicationFailure.create({
    type: 'model_failed',
    message: code,
    nonRetryable: !retryable || waits > LONGEST_RETRY_AFTER_MS,
    ...(waits > 0 ? { nextRetryDelay: waits } : {}),
  });
}
