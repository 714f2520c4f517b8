import type { Persona } from './sales-agent.ts';

/** What a persona's budgets still allow; `step_down` is an answer of the fallback model. */
export type Budget = 'ok' | 'step_down' | 'spent';

export type Budgets = Pick<Persona, 'maxRepliesPerContactPerHour' | 'maxTokensPerContactPerDay' | 'maxTokensPerDay'>;

/** From this share of a day's tokens on the fallback model answers. */
export const STEP_DOWN_AT = 0.8;

/**
 * A reservation nobody gave back was made by a process that is gone: no request to a model takes as long. Until then its
 * tokens count as used.
 */
export const RESERVATION_MS = 5 * 60_000;

/** No tokenizer of today makes more tokens than this of a text: most make half as many. */
const BYTES_PER_TOKEN = 2;

/**
 * More than a request can use, so that requests at the same time cannot spend together what is left for one: the prompt,
 * and the longest answer.
 */
export function mostTokens(prompt: readonly string[], maxTokens: number): number {
  const encoder = new TextEncoder();
  const bytes = prompt.reduce((sum, text) => sum + encoder.encode(text).length, 0);
  return Math.ceil(bytes / BYTES_PER_TOKEN) + maxTokens;
}
