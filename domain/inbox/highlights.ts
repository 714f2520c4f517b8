import type { SearchTerm } from './search-terms.ts';

/** A part of a text, in UTF-16 code units: from `start` up to and without `end`. */
export interface TextRange {
  start: number;
  end: number;
}

/** More are not told of one text. */
export const MAX_HIGHLIGHTS = 50;

interface Word extends TextRange {
  folded: string;
}

/** Scripts that are written without spaces: each letter of them is a word of its own, as in `message-text.sql`. */
const UNSPACED = String.raw`\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff`;
const WORD = new RegExp(String.raw`[${UNSPACED}]|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+`, 'gu');

/** Finds where a text says what was searched for, in the text's order. */
export function highlightsOf(text: string, terms: readonly SearchTerm[]): TextRange[] {
  const words = wordsOf(text);
  const found = terms.flatMap((term) => {
    const wanted = wordsOf(term.text).map(({ folded }) => folded);
    return wanted.length === 0 ? [] : places(words, wanted, term.isPrefix);
  });
  return merged(found).slice(0, MAX_HIGHLIGHTS);
}

function places(words: readonly Word[], wanted: readonly string[], isPrefix: boolean): TextRange[] {
  const last = wanted.length - 1;
  return words.flatMap((first, at) => {
    const fits = wanted.every((word, n) => {
      const said = words[at + n]?.folded;
      return isPrefix && n === last ? said?.startsWith(word) === true : said === word;
    });
    return fits ? [{ start: first.start, end: words[at + last]?.end ?? first.end }] : [];
  });
}

/** Joins ranges that touch. */
function merged(ranges: readonly TextRange[]): TextRange[] {
  const joined: TextRange[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const before = joined.at(-1);
    if (before === undefined || range.start > before.end) joined.push({ ...range });
    else before.end = Math.max(before.end, range.end);
  }
  return joined;
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    folded: folded(word),
    start: index,
    end: index + word.length,
  }));
}

/** Writes a word as it is compared: in small letters, without accents, in one form of each letter. */
function folded(word: string): string {
  const plain = word.normalize('NFKD').replaceAll(/[\u0300-\u036f]+/g, '');
  return plain.normalize('NFKC').toLowerCase().slice(0, 64);
}
