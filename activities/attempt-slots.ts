import type { DrainOwner } from '../db/delivery.ts';

/** What a process attempts at a time: receivers are slow, so this is what they can take away from each other. */
const AT_ONCE = 500;
/** Of one agency or tenant: with all its endpoints hanging it leaves the others theirs. */
const SHARE = 0.25;

interface Waiting {
  owner: DrainOwner;
  granted: () => void;
}

export type AttemptSlots = ReturnType<typeof createAttemptSlots>;

/** The attempts that are under way in this process, bounded in all and for each owner. Who waits has its turn in order. */
export function createAttemptSlots(atOnce = AT_ONCE) {
  const ofOwner = Math.max(1, Math.floor(atOnce * SHARE));
  const taken = new Map<DrainOwner, number>();
  const waiting = new Set<Waiting>();
  let total = 0;

  function free(owner: DrainOwner): number {
    return Math.min(atOnce - total, ofOwner - (taken.get(owner) ?? 0));
  }

  function add(owner: DrainOwner, count: number): void {
    const now = (taken.get(owner) ?? 0) + count;
    if (now === 0) taken.delete(owner);
    else taken.set(owner, now);
    total += count;
  }

  return {
    /** As many as there are, up to so many. What is free nobody waits for: it would have been granted. */
    take(owner: DrainOwner, wanted: number): number {
      const count = Math.max(0, Math.min(wanted, free(owner)));
      add(owner, count);
      return count;
    },

    giveBack(owner: DrainOwner, count: number): void {
      add(owner, -count);
      for (const next of waiting) {
        if (total >= atOnce) break;
        if (free(next.owner) <= 0) continue;
        waiting.delete(next);
        add(next.owner, 1);
        next.granted();
      }
    },

    /** Calls back with a slot as soon as there is one; the returned function ends the wait. */
    wait(owner: DrainOwner, granted: () => void): () => void {
      const mine = { owner, granted };
      waiting.add(mine);
      return () => void waiting.delete(mine);
    },

    /** How much of it all is in use. */
    get inUse(): number {
      return total;
    },
  };
}
