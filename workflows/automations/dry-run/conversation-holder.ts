import type { PastEvent } from '../../../domain/automations/dry-run/past.ts';

interface Change {
  atMs: number;
  isPerson: boolean;
}

/** Tracks the holder of the conversation, by its past and by the run's own steps. */
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

  const own = new Set<Change>();

  /** When the conversation is first taken over after the run has begun, not by the run itself; undefined if never. */
  const takenAtMs = (): number | undefined =>
    changes
      .filter((change) => change.isPerson && change.atMs > beginsMs && !own.has(change))
      .map(({ atMs }) => atMs)
      .toSorted((a, b) => a - b)
      .at(0);

  return {
    takenAtMs,
    /**
     * A person has the conversation, and not because the run wanted it, or somebody has taken it over since the run
     * began, also if it was released since.
     */
    isTaken: (nowMs: number): boolean => {
      const last = lastAt(nowMs);
      return (takenAtMs() ?? Number.POSITIVE_INFINITY) <= nowMs || (last?.isPerson === true && last !== known);
    },
    change(nowMs: number, isPerson: boolean): void {
      known = { atMs: nowMs, isPerson };
      own.add(known);
      changes.push(known);
    },
  };
}
