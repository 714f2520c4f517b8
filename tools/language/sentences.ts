/** Splits prose into sentences. A period inside a name, a number or an abbreviation ends none. */
export function sentencesOf(text: string): string[] {
  return text
    .replaceAll(/\b(e\.g|i\.e|etc|vs|ca)\./g, '$1')
    .split(/(?<=[.!?…]["')*_]*)\s+(?=["'(*_`]*[A-Z0-9`])|\n{2,}/)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');
}

/** Counts a piece of code as one word, as a reader does. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/`[^`]*`/g, 'code')
    .split(/[\s—–/]+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/** Flesch reading ease: 60 is plain English, 30 is hard. Null without a sentence. */
export function readingEase(texts: readonly string[]): number | null {
  const sentences = texts.flatMap(sentencesOf);
  const words = sentences.flatMap(wordsOf);
  if (words.length === 0) return null;
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  const score = 206.835 - 1.015 * (words.length / sentences.length) - 84.6 * (syllables / words.length);
  return Math.round(score * 10) / 10;
}

/** Counts groups of vowels; a silent e at the end is none. */
export function syllablesOf(word: string): number {
  const letters = word.toLowerCase().replaceAll(/[^a-z]/g, '');
  const spoken = letters.replace(/(?:[^laeiouyszxgch]es|[^aeioutd]ed|[^l]e)$/, (end) => end.charAt(0));
  return Math.max(1, spoken.match(/[aeiouy]+/g)?.length ?? 0);
}
