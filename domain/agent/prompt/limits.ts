import { cut } from '../../cut.ts';
import type { PromptOptions } from './context.ts';

/** Of a whole prompt, where nothing else is said: a long persona and a good deal of conversation. */
export const PROMPT_TOKENS = 12_000;

/** What the form of the answer takes beside the prompt. */
const FORM_TOKENS = 200;

/** What an answer of the model may be: of a small window half, so that there is room for what is answered. */
export function answerTokens(contextTokens: number | undefined, maxTokens: number): number {
  return Math.min(maxTokens, Math.floor((contextTokens ?? Number.POSITIVE_INFINITY) / 2));
}

/** What a prompt for a model may be, so that its answer fits in as well. */
export function promptOptions(contextTokens: number | undefined, maxTokens: number): PromptOptions {
  const room = (contextTokens ?? Number.POSITIVE_INFINITY) - answerTokens(contextTokens, maxTokens) - FORM_TOKENS;
  return { maxPromptTokens: Math.max(0, Math.min(PROMPT_TOKENS, room)) };
}

/**
 * About three bytes of text are a token: less than models make of European languages, so that a prompt that fits by
 * this count fits.
 */
export function approximateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}

export function shortened(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${cut(text, maxCharacters - 1)}…`;
}
