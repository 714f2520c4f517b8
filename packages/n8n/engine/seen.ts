/** Keeps this number of ids: more than the engine repeats after a crash, and little to store with each execution. */
const REMEMBERED = 500;

/** The ids with a new one, without the oldest where they are too many. */
export function remember(seen: readonly string[], id: string): string[] {
  return [...seen.filter((each) => each !== id), id].slice(-REMEMBERED);
}
