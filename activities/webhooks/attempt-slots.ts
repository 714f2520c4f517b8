import { Places } from '../../domain/places.ts';
import type { Holder } from '../../domain/places.ts';
import { EQUAL_SHARES } from '../../domain/shares.ts';

/** An agency, or `<agency>/<tenant>` for an endpoint of one tenant; their attempts are counted together. */
type SlotOwner = string;

/**
 * Bounds the attempts that a process makes at a time. Receivers are slow, so without a limit some of them would take
 * the slots of all others.
 */
export const MAX_ATTEMPTS = 500;
/**
 * The share of one tenant, or of an agency's own endpoints. When all of these hang, the other owners keep their shares.
 */
const OWNER_SHARE = 0.25;

interface Waiting {
  owner: SlotOwner;
  granted: () => void;
}

export type AttemptSlots = ReturnType<typeof createAttemptSlots>;

/**
 * Limits the attempts of this process: in all, for each owner and for its agency. An attempt cannot be called back when
 * somebody else comes, so some slots stay free for whoever that is (`mayTake`). Agencies get slots in turns, and so do
 * the owners of an agency; the endpoints of an owner get them in their order.
 */
export function createAttemptSlots(atOnce = MAX_ATTEMPTS, shares = EQUAL_SHARES) {
  const perOwner = Math.max(1, Math.floor(atOnce * OWNER_SHARE));
  const places = new Places({ inAll: () => atOnce, perOwner, shares });
  // By agency and owner: a share that is used up is passed by once, and not once for each endpoint that waits for it.
  // Few shares can be used up, because each is a part of all.
  const waiting = new Map<string, Map<SlotOwner, Set<Waiting>>>();
  let isGranting = false;

  function leave(one: Waiting): void {
    const agency = agencyOf(one.owner);
    const owners = waiting.get(agency);
    const ofOne = owners?.get(one.owner);
    ofOne?.delete(one);
    if (ofOne?.size === 0) owners?.delete(one.owner);
    if (owners?.size === 0) waiting.delete(agency);
  }

  /** Takes the next that waits and may have a slot. Its owner and its agency go behind the others. */
  function takeWaiting(): Waiting | null {
    if (places.isFull) return null;
    for (const [agency, owners] of waiting) {
      if (!places.agencyHasRoom(agency)) continue;
      for (const [owner, ofOne] of owners) {
        const [next] = ofOne;
        if (!next || !places.ownerHasRoom(owner)) continue;
        leave(next);
        toTheEnd(owners, owner);
        toTheEnd(waiting, agency);
        return next;
      }
    }
    return null;
  }

  /**
   * Gives free slots to those who wait. Each may give its slot back within the call, and the loop goes on with that: one
   * call inside the other for each endpoint that waits would exhaust the stack, and end the process.
   */
  function grantFree(): void {
    if (isGranting) return;
    isGranting = true;
    try {
      for (let next = takeWaiting(); next; next = takeWaiting()) {
        places.take(holderOf(next.owner));
        next.granted();
      }
    } finally {
      isGranting = false;
    }
  }

  return {
    /**
     * Takes up to `wanted` free slots. No waiting endpoint is overtaken, because each has been given a free slot at once.
     */
    take(owner: SlotOwner, wanted: number): number {
      const holder = holderOf(owner);
      let count = 0;
      for (; count < wanted && places.hasRoom(holder); count += 1) places.take(holder);
      return count;
    },

    giveBack(owner: SlotOwner, count: number): void {
      if (count === 0) return;
      places.giveBack(holderOf(owner), count);
      grantFree();
    },

    /** Calls `granted` with a slot as soon as there is one. The returned function ends the wait. */
    wait(owner: SlotOwner, granted: () => void): () => void {
      const mine = { owner, granted };
      const owners = entryOf(waiting, agencyOf(owner), () => new Map<SlotOwner, Set<Waiting>>());
      entryOf(owners, owner, () => new Set<Waiting>()).add(mine);
      return () => leave(mine);
    },

    /** The slots in use. */
    get inUse(): number {
      return places.used;
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

function entryOf<V>(map: Map<string, V>, key: string, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function toTheEnd<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}

const holderOf = (owner: SlotOwner): Holder => ({ owner, agencyId: agencyOf(owner) });

export function agencyOf(owner: SlotOwner): string {
  const end = owner.indexOf('/');
  return end < 0 ? owner : owner.slice(0, end);
}
