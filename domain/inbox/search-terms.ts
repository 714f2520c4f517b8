/** A part of a search: a word, or several words in a row; with `isPrefix` the last one may go on. */
export interface SearchTerm {
  text: string;
  isPrefix: boolean;
}

/** A search has at most this many terms, because each is a look into the index. */
export const MAX_TERMS = 16;
export const MAX_SEARCH_LENGTH = 256;

const HAS_A_WORD = /[\p{L}\p{N}]/u;
const TERM = /"([^"]*)("|$)|[^\s"]+/gu;

/**
 * Reads what somebody has typed into a search: words, "words in a row", and the beginning of a word with a star behind
 * it. Words without a letter or digit are omitted.
 */
export function searchTerms(typed: string): SearchTerm[] {
  return [...typed.matchAll(TERM)].flatMap(([whole, phrase]) => {
    const text = phrase ?? whole;
    return HAS_A_WORD.test(text) ? [{ text, isPrefix: phrase === undefined && whole.endsWith('*') }] : [];
  });
}
