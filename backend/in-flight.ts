export type Release = () => void;

export type InFlightLimits = ReturnType<typeof createInFlightLimits>;

export interface Limits {
  perSession: number;
  perBackend: number;
  /** Of files, which are in memory while they are in flight. */
  bytes?: { perSession: number; perBackend: number };
}

interface Place {
  session: string;
  bytes: number;
}

interface Waiter extends Place {
  admit: (release: Release) => void;
}

/**
 * Caps on simultaneous calls and on the bytes of their files, so that one hanging session or backend does not take the
 * others with it. First come, first served, except that a caller whose session is full does not hold up those behind it,
 * and one whose file waits for memory holds up other files only. A file larger than a cap goes alone.
 */
export function createInFlightLimits({ perSession, perBackend, bytes: caps }: Limits) {
  const sessions = new Map<string, { calls: number; bytes: number }>();
  const waiting = new Set<Waiter>();
  let calls = 0;
  let bytesInFlight = 0;

  function sessionHasRoom({ session, bytes }: Place): boolean {
    const own = sessions.get(session);
    return own === undefined || (own.calls < perSession && fits(bytes, own.bytes, caps?.perSession));
  }

  function memoryHasRoom({ bytes }: Place): boolean {
    return fits(bytes, bytesInFlight, caps?.perBackend);
  }

  function mayEnter(place: Place): boolean {
    if (calls >= perBackend || !sessionHasRoom(place) || !memoryHasRoom(place)) return false;
    return place.bytes === 0 || !waiting.values().some((waiter) => waiter.bytes > 0 && sessionHasRoom(waiter));
  }

  function enter({ session, bytes }: Place): Release {
    const own = sessions.get(session) ?? { calls: 0, bytes: 0 };
    sessions.set(session, { calls: own.calls + 1, bytes: own.bytes + bytes });
    calls += 1;
    bytesInFlight += bytes;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      leave({ session, bytes });
    };
  }

  function leave({ session, bytes }: Place): void {
    calls -= 1;
    bytesInFlight -= bytes;
    const own = sessions.get(session);
    if (own && own.calls > 1) sessions.set(session, { calls: own.calls - 1, bytes: own.bytes - bytes });
    else sessions.delete(session);
    admitWaiting();
  }

  function admitWaiting(): void {
    let memoryIsFull = false;
    for (const waiter of waiting) {
      if (calls >= perBackend) return;
      if (!sessionHasRoom(waiter)) continue;
      // A large file would wait for ever if small ones went past it.
      memoryIsFull ||= !memoryHasRoom(waiter);
      if (memoryIsFull && waiter.bytes > 0) continue;
      waiting.delete(waiter);
      waiter.admit(enter(waiter));
    }
  }

  /** Null when there was no room within `waitMs`. After each release nobody who could enter waits, so no one is overtaken. */
  function acquire(session: string, waitMs: number, bytes = 0): Promise<Release | null> {
    const place = { session, bytes };
    if (mayEnter(place)) return Promise.resolve(enter(place));
    if (waitMs <= 0) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<Release | null>();
    const waiter: Waiter = {
      ...place,
      admit: (release) => {
        clearTimeout(timer);
        resolve(release);
      },
    };
    const timer = setTimeout(() => {
      waiting.delete(waiter);
      resolve(null);
      // It may have held up files behind it.
      admitWaiting();
    }, waitMs);
    waiting.add(waiter);
    return promise;
  }

  return {
    acquire,
    current: () => ({ inFlight: calls, bytes: bytesInFlight, waiting: waiting.size, sessions: sessions.size }),
  };
}

function fits(bytes: number, used: number, cap = Number.POSITIVE_INFINITY): boolean {
  return bytes === 0 || used === 0 || used + bytes <= cap;
}
