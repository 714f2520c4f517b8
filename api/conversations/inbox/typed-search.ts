import { invalid } from '../../../domain/error.ts';
import { MAX_TERMS, searchTerms } from '../../../domain/inbox/search-terms.ts';
import type { SearchTerm } from '../../../domain/inbox/search-terms.ts';

/** Makes the error of a search without a word. */
export const hasNoWord = (pointer: string) =>
  invalid({ pointer, message: 'contains no word' }, 'Search for at least one word: letters or digits.');

/** Reads what somebody has typed into a search, and refuses what cannot be searched for. */
export function termsOf(typed: string, pointer: string): SearchTerm[] {
  const terms = searchTerms(typed);
  if (terms.length === 0) throw hasNoWord(pointer);
  if (terms.length <= MAX_TERMS) return terms;
  throw invalid(
    { pointer, message: `has ${terms.length} words and may have ${MAX_TERMS}` },
    'Search for fewer words; words in quotes count as one.',
  );
}
