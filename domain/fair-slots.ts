import { mayTake } from './shares.ts';
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
  const owners = new Map<string, { used: number; bytes: number }>();
  const usedByAgency = new Map<string, number>();
  const waiting = new Set<Waiter>();
  /** Counts entries, by agency: the number of its last one. */
  const lastEntries = new Map<string, number>();
  let entries = 0;
  let used = 0;
  let bytesInFlight = 0;

  const maxInAll = (): number => (typeof inAll === 'number' ? inAll : inAll.current());

  function agencyHasRoom(agencyId: string): boolean {
    const own = usedByAgency.get(agencyId);
    if (own === undefined || shares === undefined) return true;
    return mayTake({ own, used, places: maxInAll(), weight: shares.weightOf(agencyId) });
  }

  function ownerHasRoom({ owner, agencyId, bytes }: Place): boolean {
    const own = owners.get(owner);
    const isInShare = own === undefined || (own.used < perOwner && fits(bytes, own.bytes, caps?.perOwner));
    return isInShare && agencyHasRoom(agencyId);
  }

  function memoryHasRoom({ bytes }: Place): boolean {
    return fits(bytes, bytesInFlight, caps?.inAll);
  }

  function waitingOf(owner: string): number {
    return waiting.values().reduce((sum, waiter) => sum + Number(waiter.owner === owner), 0);
  }

  function mayEnter(place: Place): boolean {
    if (used >= maxInAll() || !ownerHasRoom(place) || !memoryHasRoom(place)) return false;
    return place.bytes === 0 || !waiting.values().some((waiter) => waiter.bytes > 0 && ownerHasRoom(waiter));
  }

  function enter({ owner, agencyId, bytes }: Place): GiveBack {
    const own = owners.get(owner) ?? { used: 0, bytes: 0 };
    owners.set(owner, { used: own.used + 1, bytes: own.bytes + bytes });
    usedByAgency.set(agencyId, (usedByAgency.get(agencyId) ?? 0) + 1);
    used += 1;
    if (takesTurns) lastEntries.set(agencyId, (entries += 1));
    bytesInFlight += bytes;
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      leave({ owner, agencyId, bytes });
    };
  }

  function leave({ owner, agencyId, bytes }: Place): void {
    used -= 1;
    bytesInFlight -= bytes;
    const own = owners.get(owner);
    if (own && own.used > 1) owners.set(owner, { used: own.used - 1, bytes: own.bytes - bytes });
    else owners.delete(owner);
    const ofAgency = usedByAgency.get(agencyId) ?? 0;
    if (ofAgency > 1) usedByAgency.set(agencyId, ofAgency - 1);
    else usedByAgency.delete(agencyId);
    admitWaiting();
    if (used === 0) lastEntries.clear();
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
      if (used >= maxInAll()) return;
      if (!ownerHasRoom(waiter)) continue;
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
    current: () => ({ inFlight: used, bytes: bytesInFlight, waiting: waiting.size, owners: owners.size }),
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
