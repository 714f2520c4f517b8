import type { PastEvent } from '../../../domain/automations/dry-run/past.ts';

interface Change {
  atMs: number;
  isPerson: boolean;
}

/** Who has the conversation when, by its past and by what the run itself does. */
export function createHands(past: readonly PastEvent[], isWithPerson: boolean, beginsMs: number) {
  const changes: Change[] = [{ atMs: Number.NEGATIVE_INFINITY, isPerson: isWithPerson }];
  for (const { event, atMs } of past) {
    if (event === 'conversation.assigned' || event === 'conversation.released') {
      changes.push({ atMs, isPerson: event === 'conversation.assigned' });
    }
  }
  const lastAt = (nowMs: number): Change | undefined =>
    changes
      .filter(({ atMs }) => atMs <= nowMs)
      .toSorted((a, b) => a.atMs - b.atMs)
      .at(-1);
  let known = lastAt(beginsMs);
  if (known?.isPerson === true) known = undefined;

  return {
    /** A person has taken the conversation over, and not because the run wanted it. */
    isTaken: (nowMs: number): boolean => {
      const last = lastAt(nowMs);
      return last?.isPerson === true && last !== known;
    },
    change(nowMs: number, isPerson: boolean): void {
      known = { atMs: nowMs, isPerson };
      changes.push(known);
    },
  };
}
