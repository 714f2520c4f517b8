import { z } from 'zod';

const MAX_WORDS = 100;
const MAX_WORD_LENGTH = 100;

/** Words or sentences that a tenant sets. */
export const Words = z.array(z.string().trim().min(1).max(MAX_WORD_LENGTH)).min(1).max(MAX_WORDS);

/**
 * Conditions on a text. Patterns are refused, because a tenant's pattern could block a process forever. Words compare
 * in lower case, without surrounding punctuation.
 */
export const TextFilter = z.strictObject({
  is: z
    .enum(['equal', 'beginning', 'containing'])
    .meta({ description: 'Whether the whole text is one of the words, begins with one, or contains one.' }),
  words: Words.meta({
    description:
      'Words or sentences; one match is enough. Upper and lower case count as the same, accents do not: list `café` ' +
      'and `cafe` if both are meant.',
  }),
});
export type TextFilter = z.infer<typeof TextFilter>;

/** Tells whether a text is as a filter wants it. */
export function hasText(filter: TextFilter | undefined, body: string): boolean {
  if (filter === undefined) return true;
  const text = plain(body);
  return plainWords(filter.words).some((wanted) => {
    if (filter.is === 'equal') return text === wanted;
    return filter.is === 'beginning' ? text.startsWith(wanted) : text.includes(wanted);
  });
}

/** Answers which of the choices a text is; null when it is none of them. */
export function chosen(choices: readonly string[], text: string): string | null {
  const wanted = plain(text);
  // Marks alone, or a picture without words, choose nothing.
  if (wanted === '') return null;
  const place = plainWords(choices).indexOf(wanted);
  return choices[place] ?? null;
}

const MARK = /[\s\p{P}]/u;
/** The text that was looked at last: the triggers of a tenant look at the same message one after the other. */
let last = { text: '', plain: '' };
const knownWords = new WeakMap<readonly string[], readonly string[]>();

function plainWords(words: readonly string[]): readonly string[] {
  let known = knownWords.get(words);
  if (known === undefined) {
    known = words.map((word) => trimmed(word));
    knownWords.set(words, known);
  }
  return known;
}

function plain(text: string): string {
  if (last.text !== text) last = { text, plain: trimmed(text) };
  return last.plain;
}

/**
 * A text in lower case, without the space and marks around it, and with each letter written in one way, because
 * keyboards differ in how they write an accent. It goes from both ends, because a pattern for the end
 * would look at a long row of marks again from each of them.
 */
function trimmed(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && MARK.test(text.charAt(from))) from += 1;
  while (to > from && MARK.test(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to).normalize().toLowerCase();
}
