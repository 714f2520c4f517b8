/** A count with its word: "1 session", "2 sessions". */
export const plural = (count: number, word: string, ending = 's'): string =>
  `${count} ${word}${count === 1 ? '' : ending}`;
