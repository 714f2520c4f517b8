import { cut } from '../../cut.ts';

/**
 * Matches the end of a sentence, with the quotes and brackets that close after it, in the scripts that mark it. Each
 * run of marks is matched only once, from its beginning, so that a flood of marks cannot block the process.
 */
const SENTENCE_END = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s|$)|[。！？]+[”’」』）]*|(?<![।॥؟۔])[।॥؟۔]+(?=\s|$)|\n/gu;

/** Cuts after the last sentence that fits, or after the last word when no sentence fits. */
export function cutAtSentence(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const room = text.slice(0, maxCharacters + 1);
  const end = [...room.matchAll(SENTENCE_END)]
    .map((match) => match.index + match[0].length)
    .filter((index) => index <= maxCharacters)
    .at(-1);
  const sentences = text.slice(0, end ?? 0).trim();
  return sentences === '' ? cutAtWord(text, maxCharacters) : sentences;
}

function cutAtWord(text: string, maxCharacters: number): string {
  const room = text.slice(0, maxCharacters);
  const words = /^([\s\S]*\S)\s/.exec(room)?.[1] ?? room.slice(0, -1);
  return `${cut(words, maxCharacters - 1)}…`;
}

/** Removes the unfinished sentence from the end of a text that was cut off. */
export function wholeSentences(text: string): string {
  const last = [...text.matchAll(SENTENCE_END)].at(-1);
  const isWhole = last !== undefined && last.index + last[0].length === text.length;
  return isWhole ? text : cutAtSentence(text, text.length - 1);
}

/** Finds where a new sentence or line begins; a short word or a number with a full stop does not end a sentence. */
export function sentenceStarts(text: string): number[] {
  return [...text.matchAll(SENTENCE_END)]
    .filter(
      (match) => match[0] !== '.' || !/(?:^|[\s(])(?:\p{L}{1,3}|\p{N}+)$/u.test(text.slice(0, match.index).slice(-5)),
    )
    .map((match) => match.index + match[0].length)
    .filter((start) => start < text.length);
}
