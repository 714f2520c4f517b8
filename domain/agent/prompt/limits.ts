import { cut } from '../../cut.ts';
import type { PromptOptions } from './context.ts';

/** The default limit of a whole prompt: enough for a long persona and a good deal of conversation. */
export const PROMPT_TOKENS = 12_000;

/** The tokens that the description of the answer's form adds to the prompt. */
const FORM_TOKENS = 200;

/** Limits the tokens of the model's answer to half of its context window at most, so that the prompt has room. */
export function answerTokens(contextTokens: number | undefined, maxTokens: number): number {
  return Math.min(maxTokens, Math.floor((contextTokens ?? Number.POSITIVE_INFINITY) / 2));
}

/** Limits a prompt so that the answer still fits into the model's context window. */
export function promptOptions(contextTokens: number | undefined, maxTokens: number): PromptOptions {
  const room = (contextTokens ?? Number.POSITIVE_INFINITY) - answerTokens(contextTokens, maxTokens) - FORM_TOKENS;
  return { maxPromptTokens: Math.max(0, Math.min(PROMPT_TOKENS, room)) };
}

/**
 * Counts a token for every three bytes of text. Models make fewer tokens of European languages, so a prompt that fits
 * by this count fits in truth.
 */
export function approximateTokens(text: string): number {
  return Math.ceil(new TextEncoder().encode(text).length / 3);
}

export function shortened(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters ? text : `${cut(text, maxCharacters - 1)}…`;
}
