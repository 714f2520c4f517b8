/** A run that cannot be followed further, and why. */
export class Unfinished extends Error {
  override readonly name = 'Unfinished';
  readonly reason: UnfinishedReason;

  constructor(reason: UnfinishedReason) {
    super(`The dry run ends here: ${reason}.`);
    this.reason = reason;
  }
}

export type UnfinishedReason = 'too_many_steps' | 'too_long' | 'beyond_context' | 'waits_for_ever' | 'needs_answer';

interface Alarm {
  atMs: number;
  ring: () => void;
}

export type VirtualTime = ReturnType<typeof createVirtualTime>;

/**
 * A clock that stands while code works, and goes on to the next thing that is waited for once all of it waits: days take
 * no time, and of several waits that race the earliest ends first, as in life.
 */
export function createVirtualTime(startMs: number) {
  const alarms: Alarm[] = [];
  let nowMs = startMs;
  let asking = 0;

  async function nothingIsLeftToDo(): Promise<void> {
    do {
      // After everything that a promise has set going.
      await new Promise((resolve) => setTimeout(resolve, 0));
    } while (asking > 0);
  }

  return {
    nowMs: (): number => nowMs,

    /** Resolves when the clock shows it. */
    until: (atMs: number): Promise<void> =>
      new Promise((resolve) => alarms.push({ atMs: Math.max(atMs, nowMs), ring: resolve })),

    /** Waits for an answer from outside; meanwhile the clock stands. */
    async standing<T>(answer: Promise<T>): Promise<T> {
      asking += 1;
      return answer.finally(() => (asking -= 1));
    },

    /** Lets the time pass until the code has ended; throws when it goes on for too long, or waits for nothing. */
    async passUntil(code: Promise<void>, lastMs: number): Promise<void> {
      let isOver = false;
      const end = (): void => void (isOver = true);
      code.then(end, end);
      for (;;) {
        await nothingIsLeftToDo();
        if (isOver) return code;
        alarms.sort((a, b) => a.atMs - b.atMs);
        const next = alarms.shift();
        if (next === undefined) throw new Unfinished('waits_for_ever');
        if (next.atMs > lastMs) throw new Unfinished('too_long');
        nowMs = next.atMs;
        next.ring();
      }
    },
  };
}
