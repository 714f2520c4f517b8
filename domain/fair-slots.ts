import { Places, Tally } from './places.ts';
import type { AgencyShares } from './shares.ts';

/** Gives the slot back; a second call does nothing. */
export type GiveBack = () => void;

export type FairSlots = ReturnType<typeof createFairSlots>;

/** A bound that changes while processes come and go. */
export interface ChangingBound {
  current(): number;
  /** Finds out whether the bound has changed. */
  refresh(): Promise<void>;
}

interface Bounds {
  perOwner: number;
  inAll: number | ChangingBound;
  /** Shares of each agency: some slots stay free for the next caller (`mayTake`). */
  shares?: AgencyShares;
  /** The most callers of one owner that may wait. A waiting caller keeps what it already holds. */
  waitingPerOwner?: number;
  /** The agency that entered longest ago comes first, so an agency with many waiting callers delays others by one. */
  takesTurns?: boolean;
  /** Bounds of the bytes of files, because a call's file is in memory until the call has ended. */
  bytes?: { perOwner: number; inAll: number };
}

interface Place {
  owner: string;
  agencyId: string;
  bytes: number;
}

/** A caller's needs beside its slot: room for its file. `agencyId` is the owner's, if the owner is no agency. */
interface Wanted {
  bytes?: number | undefined;
  agencyId?: string;
  /** A person waits for it, so it goes before the other callers of its owner. */
  isPersons?: boolean;
}

interface Waiter extends Place {
  isPersons: boolean;
  admit: (giveBack: GiveBack) => void;
}

/**
 * Hands out slots for calls and for the bytes of their files, so that an owner (a session, an agency) whose calls hang
 * does not block the others, nor does an agency with many of them. Callers are served in the order in which they came,
 * with four exceptions: a caller whose owner has its whole share does not hold up those behind it, a caller whose file
 * waits for memory holds up only other files, agencies may take turns, and within an owner people go first. A file
 * larger than a cap goes alone.
 */
export function createFairSlots({
  perOwner,
  inAll,
  shares,
  waitingPerOwner = Infinity,
  takesTurns = false,
  bytes: caps,
}: Bounds) {
  const maxInAll = (): number => (typeof inAll === 'number' ? inAll : inAll.current());
  const places = new Places({ inAll: maxInAll, perOwner, shares });
  const bytesByOwner = new Tally();
  const waiting = new Set<Waiter>();
  /** Counts entries, by agency: the number of its last one. */
  const lastEntries = new Map<string, number>();
  let entries = 0;
  let bytesInFlight = 0;

  /** True when the owner and its agency may have one more place, and the owner memory for its file. */
  function hasRoom(place: Place): boolean {
    const { owner, bytes } = place;
    return places.hasRoom(place) && fits(bytes, bytesByOwner.of(owner), caps?.perOwner);
  }

  function memoryHasRoom({ bytes }: Place): boolean {
    return fits(bytes, bytesInFlight, caps?.inAll);
  }

  function waitingOf(owner: string): number {
    return waiting.values().reduce((sum, waiter) => sum + Number(waiter.owner === owner), 0);
  }

  function mayEnter(place: Place): boolean {
    if (!hasRoom(place) || !memoryHasRoom(place)) return false;
    return place.bytes === 0 || !waiting.values().some((waiter) => waiter.bytes > 0 && hasRoom(waiter));
  }

  function enter(place: Place): GiveBack {
    const { owner, agencyId, bytes } = place;
    places.take(place);
    bytesByOwner.add(owner, bytes);
    if (takesTurns) lastEntries.set(agencyId, (entries += 1));
    bytesInFlight += bytes;
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      leave({ owner, agencyId, bytes });
    };
  }

  function leave(place: Place): void {
    places.giveBack(place);
    bytesByOwner.add(place.owner, -place.bytes);
    bytesInFlight -= place.bytes;
    admitWaiting();
    if (places.used === 0) lastEntries.clear();
  }

  function inOrder(): Iterable<Waiter> {
    const isAnyPersons = waiting.values().some(({ isPersons }) => isPersons);
    const order = isAnyPersons ? peopleFirst([...waiting]) : waiting;
    if (!takesTurns) return order;
    const lastOf = ({ agencyId }: Waiter): number => lastEntries.get(agencyId) ?? 0;
    return [...order].toSorted((a, b) => lastOf(a) - lastOf(b));
  }

  function admitWaiting(): void {
    let memoryIsFull = false;
    for (const waiter of inOrder()) {
      if (places.isFull) return;
      if (!hasRoom(waiter)) continue;
      // A large file would wait for ever if small ones went past it.
      memoryIsFull ||= !memoryHasRoom(waiter);
      if (memoryIsFull && waiter.bytes > 0) continue;
      waiting.delete(waiter);
      waiter.admit(enter(waiter));
    }
  }

  /**
   * Returns null when there was no room within `waitMs`. A slot that is given back goes to the waiting callers first,
   * so a new caller overtakes none of them.
   */
  async function acquire(
    owner: string,
    waitMs: number,
    { bytes = 0, agencyId = owner, isPersons = false }: Wanted = {},
  ): Promise<GiveBack | null> {
    if (typeof inAll !== 'number') {
      await inAll.refresh();
      admitWaiting();
    }
    const place = { owner, agencyId, bytes };
    if (mayEnter(place)) return enter(place);
    if (waitMs <= 0 || waitingOf(owner) >= waitingPerOwner) return null;
    const { promise, resolve } = Promise.withResolvers<GiveBack | null>();
    const waiter: Waiter = {
      ...place,
      isPersons,
      admit: (giveBack) => {
        clearTimeout(timer);
        resolve(giveBack);
      },
    };
    const timer = setTimeout(() => {
      waiting.delete(waiter);
      resolve(null);
      // The caller that gives up may have held up files behind it.
      admitWaiting();
    }, waitMs);
    waiting.add(waiter);
    return promise;
  }

  return {
    acquire,
    perOwner,
    current: () => ({
      inFlight: places.used,
      bytes: bytesInFlight,
      waiting: waiting.size,
      owners: places.owners,
    }),
  };
}

/** Gives the turns of each owner to its people first; other owners keep theirs. */
function peopleFirst(waiters: readonly Waiter[]): Waiter[] {
  const queues = new Map(
    [...Map.groupBy(waiters, ({ owner }) => owner)].map(([owner, own]) => [
      owner,
      own.toSorted((a, b) => Number(b.isPersons) - Number(a.isPersons)).values(),
    ]),
  );
  return waiters.map((waiter) => queues.get(waiter.owner)?.next().value ?? waiter);
}

function fits(bytes: number, used: number, cap = Number.POSITIVE_INFINITY): boolean {
  return bytes === 0 || used === 0 || used + bytes <= cap;
}
