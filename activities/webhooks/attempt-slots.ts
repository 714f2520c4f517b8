/** An agency, or `<agency>/<tenant>` for an endpoint of one tenant; their attempts are counted together. */
type SlotOwner = string;

/**
 * Bounds the attempts that a process makes at a time. Receivers are slow, so without a limit some of them would take
 * the slots of all others.
 */
const MAX_ATTEMPTS = 500;
/**
 * The share of one tenant, or of an agency's own endpoints. When all of these hang, the other owners keep their shares.
 */
const OWNER_SHARE = 0.25;
/** The share of one agency with all its tenants, however many tenants it creates. */
const AGENCY_SHARE = 0.5;

interface Waiting {
  owner: SlotOwner;
  granted: () => void;
}

export type AttemptSlots = ReturnType<typeof createAttemptSlots>;

/** Limits the attempts of this process: in all, for each owner and for its agency. Waiting endpoints get slots in their order. */
export function createAttemptSlots(atOnce = MAX_ATTEMPTS) {
  const ofOwner = Math.max(1, Math.floor(atOnce * OWNER_SHARE));
  const ofAgency = Math.max(1, Math.floor(atOnce * AGENCY_SHARE));
  const taken = new Map<SlotOwner, number>();
  const takenByAgency = new Map<string, number>();
  const waiting = new Set<Waiting>();
  let total = 0;

  function free(owner: SlotOwner): number {
    const byAgency = takenByAgency.get(agencyOf(owner)) ?? 0;
    return Math.min(atOnce - total, ofOwner - (taken.get(owner) ?? 0), ofAgency - byAgency);
  }

  function add(owner: SlotOwner, count: number): void {
    addTo(taken, owner, count);
    addTo(takenByAgency, agencyOf(owner), count);
    total += count;
  }

  return {
    /**
     * Takes up to `wanted` free slots. No waiting endpoint is overtaken, because each has been given a free slot at once.
     */
    take(owner: SlotOwner, wanted: number): number {
      const count = Math.max(0, Math.min(wanted, free(owner)));
      add(owner, count);
      return count;
    },

    giveBack(owner: SlotOwner, count: number): void {
      add(owner, -count);
      for (const next of waiting) {
        if (total >= atOnce) break;
        if (free(next.owner) <= 0) continue;
        waiting.delete(next);
        add(next.owner, 1);
        next.granted();
      }
    },

    /** Calls `granted` with a slot as soon as there is one. The returned function ends the wait. */
    wait(owner: SlotOwner, granted: () => void): () => void {
      const mine = { owner, granted };
      waiting.add(mine);
      return () => void waiting.delete(mine);
    },

    /** The slots in use. */
    get inUse(): number {
      return total;
    },
  };
}

/** The slots of one endpoint. A slot that it waited for is kept for its next attempt. */
export class Grant {
  readonly #slots: AttemptSlots;
  readonly #owner: SlotOwner;
  #kept = 0;
  #stopWaiting: (() => void) | null = null;

  constructor(slots: AttemptSlots, owner: SlotOwner) {
    this.#slots = slots;
    this.#owner = owner;
  }

  take(wanted: number): number {
    const kept = Math.min(this.#kept, wanted);
    this.giveBack(this.#kept - kept);
    this.#kept = 0;
    return kept + this.#slots.take(this.#owner, wanted - kept);
  }

  giveBack(count: number): void {
    this.#slots.giveBack(this.#owner, count);
  }

  /** Calls `granted` as soon as a slot is kept for the next `take`. Repeated calls wait for one slot only. */
  wait(granted: () => void): void {
    this.#stopWaiting ??= this.#slots.wait(this.#owner, () => {
      this.#stopWaiting = null;
      this.#kept += 1;
      granted();
    });
  }

  /** Ends the wait and gives back the kept slots. Returns whether there was a wait or a kept slot. */
  end(): boolean {
    const hadAny = this.#stopWaiting !== null || this.#kept > 0;
    this.#stopWaiting?.();
    this.#stopWaiting = null;
    this.giveBack(this.#kept);
    this.#kept = 0;
    return hadAny;
  }
}

function addTo(counts: Map<string, number>, key: string, count: number): void {
  const now = (counts.get(key) ?? 0) + count;
  if (now === 0) counts.delete(key);
  else counts.set(key, now);
}

function agencyOf(owner: SlotOwner): string {
  const [agency = owner] = owner.split('/', 1);
  return agency;
}
