import { recordUsage, returnReservation } from '../../db/agent/usage.ts';
import type { Spender } from '../../db/agent/usage.ts';
import type { Database } from '../../db/engine/database.ts';
import { recordModelCall } from '../../db/agent/turn-end.ts';
import type { Asked } from '../../db/agent/conclude.ts';
import type { TurnAtWork } from '../../db/agent/turn.ts';
import { promptText } from '../../domain/agent/prompt/prompt.ts';
import type { Prompt } from '../../domain/agent/prompt/context.ts';
import { approximateTokens } from '../../domain/agent/prompt/limits.ts';
import { applyReplyRules } from '../../domain/agent/reply/rules.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import { splitReply } from '../../domain/agent/reply/split.ts';
import type { TurnDecision } from '../../domain/agent/turn-outcome.ts';
import { concludeTurn } from './conclude-turn.ts';
import type { Conclusion } from './conclude-turn.ts';
import { cameTooLate, handedOver, isPastRetries } from './model-failed.ts';
import { ModelError } from '../../adapters/models/error.ts';
import type { ModelErrorCode } from '../../adapters/models/error.ts';
import type { ModelUse } from '../../adapters/models/use.ts';
import type { Models } from '../../adapters/models/models.ts';

/** After this many failures a model has had its chance: its fallback is better than a late answer. */
const MAX_FAILURES = 3;

export interface Question {
  turn: TurnAtWork;
  persona: Persona;
  spender: Spender;
  model: string;
  prompt: Prompt;
}

/**
 * Makes one request to a model and does what the model decided. A failure is recorded with the tokens that it took,
 * then thrown. After the last failure that a model may have, the thrown error is a `ModelError` that is not repeated.
 */
export async function askOnce(
  { database, models }: { database: Database; models: Pick<Models, 'answer'> },
  question: Question,
  signal: AbortSignal,
): Promise<void> {
  const { turn, persona, spender, model, prompt } = question;
  const { temperature, maxTokens } = persona;
  const startedAt = performance.now();
  let answered: ModelUse | null = null;
  try {
    const { decision, ...use } = await models.answer({ model, prompt, temperature, maxTokens, signal });
    answered = use;
    const decided = conclusionOf(decision, persona, notesOf(turn, prompt));
    const reply = decision.outcome === 'silence' ? null : decision.text;
    const answer = { memoryIds: prompt.memoryIds, reply };
    await conclude(database, question, decided, { spender, usage: spent(use), call: use, answer });
  } catch (error) {
    const ms = Math.round(performance.now() - startedAt);
    const code = codeOf(error, signal);
    const use = answered ?? (error instanceof ModelError ? error.use : null) ?? unknownUse(question, code, ms);
    await database.transaction(async (tx) => {
      if (use) await recordUsage(tx, spender, { replies: 0, ...spent(use) }, turn.id);
      else await returnReservation(tx, turn.id);
      await recordModelCall(tx, turn.id, { ms, ...use, model, error: code }, null);
    });
    throw lastOf(error, question, code);
  }
}

/** A conclusion is one statement, unless a person gets the conversation. */
async function conclude(
  database: Pick<Database, 'clock' | 'statement' | 'transaction'>,
  { turn, persona }: Question,
  decided: Conclusion,
  asked: Asked,
): Promise<void> {
  const mayBeLate = decided.outcome === 'reply' && isPastRetries(database.clock.now(), turn, persona);
  if (decided.outcome !== 'handoff' && !mayBeLate)
    return database.statement((tx) => concludeTurn(tx, turn, decided, asked));
  return database.transaction(async (tx) => {
    const isLate = mayBeLate && (await cameTooLate(tx, turn, persona));
    await concludeTurn(tx, turn, isLate ? await handedOver(tx, turn, persona) : decided, asked);
  });
}

function codeOf(error: unknown, signal: AbortSignal): ModelErrorCode | 'given_up' {
  if (error instanceof ModelError) return error.code;
  return signal.aborted ? 'given_up' : 'internal';
}

/** Counts the whole prompt as used when a request was cut short, because no provider tells what such a request took. */
function unknownUse({ model, prompt }: Question, code: ModelErrorCode | 'given_up', ms: number): ModelUse | null {
  if (code !== 'timeout' && code !== 'given_up') return null;
  return { model, inputTokens: approximateTokens(promptText(prompt)), outputTokens: null, costMicros: null, ms };
}

function lastOf(error: unknown, { turn, model }: Question, code: ModelErrorCode | 'given_up'): unknown {
  if (code === 'given_up') return error;
  const before = turn.modelCalls.filter((call) => call.model === model && call.error && call.error !== 'given_up');
  if (before.length + 1 < MAX_FAILURES) return error;
  return new ModelError(code, { isLast: true });
}

function spent({ inputTokens, outputTokens, costMicros }: ModelUse): { tokens: number; costMicros: number } {
  return { tokens: (inputTokens ?? 0) + (outputTokens ?? 0), costMicros: costMicros ?? 0 };
}

function notesOf({ inboundMessageIds }: TurnAtWork, { messageIds }: Prompt): string[] {
  return inboundMessageIds.every((id) => messageIds.includes(id)) ? [] : ['messages_left_out'];
}

function conclusionOf(decision: TurnDecision, persona: Persona, before: readonly string[]): Conclusion {
  if (decision.outcome === 'silence') return { outcome: 'silence', code: 'nothing_to_answer' };
  const ruled = applyReplyRules(decision.text ?? '', persona);
  const notes = [...before, ...ruled.notes];
  const parts = ruled.text === '' ? [] : persona.splitReplies ? splitReply(ruled.text) : [ruled.text];
  if (decision.outcome === 'handoff')
    return { outcome: 'handoff', cause: 'agent', reason: decision.reason, parts, notes };
  return parts.length === 0 ? { outcome: 'silence', code: 'reply_refused' } : { outcome: 'reply', parts, notes };
}
