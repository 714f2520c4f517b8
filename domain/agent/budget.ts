import type { Persona } from './sales-agent.ts';

/** The state of a persona's budgets; with `step_down` the fallback model answers. */
export type Budget = 'ok' | 'step_down' | 'spent';

export type Budgets = Pick<Persona, 'maxRepliesPerContactPerHour' | 'maxTokensPerContactPerDay' | 'maxTokensPerDay'>;

/** The fallback model answers from this share of a day's tokens on. */
export const STEP_DOWN_AT = 0.8;

/**
 * A reservation this old belongs to a process that is gone, because no request to a model takes as long. Until then its
 * tokens count as used.
 */
export const RESERVATION_MS = 5 * 60_000;

/** No tokenizer of today makes more than one token of this many bytes; most make half as many tokens. */
const BYTES_PER_TOKEN = 2;

/** Tokens for the description of the answer's form, in words and as a schema. */
const FORM_TOKENS = 1_500;
/**
 * Tokens for a large image, and for some minutes of speech. A few models count more; their real usage then counts for
 * the day.
 */
const IMAGE_TOKENS = 5_000;
const AUDIO_TOKENS = 20_000;

/**
 * Counts more tokens than a request can use (the prompt, its files, the form of the answer, the longest answer), so
 * that simultaneous requests cannot together spend more than the budget has left.
 */
export function mostTokens(
  prompt: readonly string[],
  maxTokens: number,
  files: readonly { mimeType: string }[] = [],
): number {
  const encoder = new TextEncoder();
  const bytes = prompt.reduce((sum, text) => sum + encoder.encode(text).length, 0);
  const ofFiles = files.map(({ mimeType }) => (mimeType.startsWith('image/') ? IMAGE_TOKENS : AUDIO_TOKENS));
  return Math.ceil(bytes / BYTES_PER_TOKEN) + ofFiles.reduce((sum, tokens) => sum + tokens, FORM_TOKENS) + maxTokens;
}
