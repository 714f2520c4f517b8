export type Release = () => void;

export type InFlightLimits = ReturnType<typeof createInFlightLimits>;

interface Waiter {
  session: string;
  admit: (release: Release) => void;
}

/**
 * Caps on simultaneous calls, so that one hanging session or backend does not take the others with it. First come,
 * first served, except that a caller whose session is full does not hold up those behind it.
 */
export function createInFlightLimits(limits: { perSession: number; perBackend: number }) {
  const perSession = new Map<string, number>();
  const waiting = new Set<Waiter>();
  let total = 0;

  function hasRoom(session: string): boolean {
    return total < limits.perBackend && (perSession.get(session) ?? 0) < limits.perSession;
  }

  function enter(session: string): Release {
    total += 1;
    perSession.set(session, (perSession.get(session) ?? 0) + 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      leave(session);
    };
  }

  function leave(session: string): void {
    total -= 1;
    const left = (perSession.get(session) ?? 0) - 1;
    if (left > 0) perSession.set(session, left);
    else perSession.delete(session);
    for (const waiter of waiting) {
      if (total >= limits.perBackend) return;
      if (!hasRoom(waiter.session)) continue;
      waiting.delete(waiter);
      waiter.admit(enter(waiter.session));
    }
  }

  /** Null when there was no room within `waitMs`. After each release nobody who could enter waits, so no one is overtaken. */
  function acquire(session: string, waitMs: number): Promise<Release | null> {
    if (hasRoom(session)) return Promise.resolve(enter(session));
    if (waitMs <= 0) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<Release | null>();
    const waiter: Waiter = {
      session,
      admit: (release) => {
        clearTimeout(timer);
        resolve(release);
      },
    };
    const timer = setTimeout(() => {
      waiting.delete(waiter);
      resolve(null);
    }, waitMs);
    waiting.add(waiter);
    return promise;
  }

  return { acquire, current: () => ({ inFlight: total, waiting: waiting.size, sessions: perSession.size }) };
}
