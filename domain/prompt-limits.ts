import type { PromptOptions } from './prompt-context.ts';

/** Of a whole prompt, where nothing else is said: a long persona and a good deal of conversation. */
export const PROMPT_TOKENS = 12_000;

/** What the form of the answer takes beside the prompt. */
const FORM_TOKENS = 200;

/** What a prompt for a model may be, so that its answer fits in as well. */
export function promptOptions(contextTokens: number | undefined, maxTokens: number): PromptOptions {
  const room = (contextTokens ?? Number.POSITIVE_INFINITY) - maxTokens - FORM_TOKENS;
  return { maxPromptTokens: Math.max(0, Math.min(PROMPT_TOKENS, room)) };
}

/**
 * About three bytes of text are a token: less than models make of European languages, so that a prompt that fits by
 * this count fits.
 */
export function approximateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}

/** Never inside a character. */
export function shortened(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const end = maxCharacters - 1;
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}
