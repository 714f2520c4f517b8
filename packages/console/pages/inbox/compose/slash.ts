/** The word behind a `/` at the caret, by which a canned answer is found. */
interface Slash {
  /** The place of the `/` in the text. */
  start: number;
  end: number;
  word: string;
}

const BEFORE_CARET = /(?:^|\s)\/([\w-]{0,64})$/;

/** Undefined unless the caret is at the end of a word that begins with `/`, as in a path or a date it is not. */
export const slashAt = (text: string, caret: number): Slash | undefined => {
  const word = BEFORE_CARET.exec(text.slice(0, caret))?.[1];
  return word === undefined ? undefined : { start: caret - word.length - 1, end: caret, word: word.toLowerCase() };
};

/** The text with a part of it replaced, and the caret behind that. */
export const replaced = (
  text: string,
  { start, end }: Pick<Slash, 'start' | 'end'>,
  by: string,
): { text: string; caret: number } => ({
  text: text.slice(0, start) + by + text.slice(end),
  caret: start + by.length,
});

/** The option that Enter takes at first: none if the word is no beginning of a shortcut, as in `5 /st`. */
export const activeAtFirst = (found: readonly { shortcut: string }[], word: string): number =>
  found[0]?.shortcut.startsWith(word) ? 0 : -1;

/** The answers for a word: first those whose shortcut begins with it, then those that contain it anywhere. */
export const matching = <T extends { shortcut: string; text: string }>(answers: readonly T[], word: string): T[] => {
  const begins = answers.filter(({ shortcut }) => shortcut.startsWith(word));
  const contains = answers.filter(
    (answer) =>
      !begins.includes(answer) && (answer.shortcut.includes(word) || answer.text.toLowerCase().includes(word)),
  );
  return [...begins, ...contains];
};
