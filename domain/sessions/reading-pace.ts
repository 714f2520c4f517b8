/** A reader of an account's past rests this long at most after each page. */
const MAX_REST_MS = 1_000;
/** It rests so many times as long as a page took at most. */
const MAX_TIMES = 4;

/**
 * Paces the reading of an account's past by how long its pages take to write. After each part it rests for as long as
 * the part took, so that sends find the machine half free. If a page took longer than the fastest one did, other work
 * runs there, too, so it rests as many times longer.
 */
export function createReadingPace() {
  let fastestMs = Infinity;
  let restMs = 0;

  return {
    /** Notes how long a part took, and how long the writing of its page, where it had one. */
    note(partMs: number, writtenMs: number | null): void {
      const isTimed = writtenMs !== null && writtenMs > 0;
      if (isTimed) fastestMs = Math.min(fastestMs, writtenMs);
      const times = isTimed ? Math.min(writtenMs / fastestMs, MAX_TIMES) : 1;
      restMs = Math.min(partMs * times, MAX_REST_MS);
    },
    /** The pause before the reader's next part. */
    restMs: () => restMs,
  };
}
