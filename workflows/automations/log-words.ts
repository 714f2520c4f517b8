/** Values that a log and endpoints may carry: numbers, and words without spaces, such as ids. */
export type LoggedValue = string | number | boolean | null;

const WORD = /^[\w.:-]{1,128}$/;

/** Refuses what somebody may have said: only words without spaces, ids and numbers go to Temporal. */
export function requireLogWords(word: string, detail: Readonly<Record<string, LoggedValue>>): void {
  const texts = Object.values(detail).filter((value) => typeof value === 'string');
  if ([word, ...Object.keys(detail), ...texts].every((each) => WORD.test(each))) return;
  throw new Error('Notes and details may contain only words without spaces, ids and numbers.');
}
