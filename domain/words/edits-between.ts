/** Counts the letters that must be changed, added, removed or swapped with their neighbour to make one word the other. */
export function editsBetween(from: string, to: string): number {
  const [given, wanted] = [Array.from(from), Array.from(to)];
  let before: number[] = [];
  let row = Array.from({ length: wanted.length + 1 }, (_, index) => index);
  for (const [i, letter] of given.entries()) {
    const next = [i + 1];
    for (const [j, other] of wanted.entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      const isSwapped = i > 0 && j > 0 && letter === wanted[j - 1] && given[i - 1] === other;
      const swapped = isSwapped ? (before[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

/** The edits by which a word of that length may differ from another and still be taken for it. */
export function editsAllowed(length: number): number {
  return Math.max(1, Math.floor(length / 3));
}
