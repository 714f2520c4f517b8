import { createFairSlots } from '../../domain/fair-slots.ts';
import { EQUAL_SHARES } from '../../domain/shares.ts';
import { slotsPerBackend } from '../../domain/slots-per-backend.ts';
import { enter } from '../wire/doors.ts';
import { MAX_FILE_BODY_BYTES } from './body.ts';
import type { SessionAtBackend } from './session-lookup.ts';

/** A session's requests that are under way, and those of an agency at one backend; the rest waits for a moment. */
const PER_SESSION = 4;
const AT_BACKEND = { perOwner: 16, inAll: 64, shares: EQUAL_SHARES };
/** A send of the queue is held while it waits for the network, and holds no connection meanwhile. */
const SENDS_PER_SESSION = 16;
const SENDS_IN_ALL = 256;
/**
 * Files that come, in bodies and from the addresses that bodies name. Whoever sends them decides how long that takes, so
 * an agency leaves some places to the others, and what has come is not in memory yet.
 */
const COMING = { perOwner: 8, inAll: 32, shares: EQUAL_SHARES };
/** The files in memory, by their real size; each takes up to four times that. */
const IN_MEMORY = {
  perOwner: 8,
  inAll: 16,
  bytes: { perOwner: MAX_FILE_BODY_BYTES, inAll: 2 * MAX_FILE_BODY_BYTES },
};
const WAIT_MS = 1_000;
const FILE_WAIT_MS = 10_000;

/**
 * Makes the doors before the backends: no key, session or agency can take what all share, and a backend that hangs takes
 * no places of another.
 */
export function createBounds() {
  const sessions = createFairSlots({ perOwner: PER_SESSION, inAll: Number.POSITIVE_INFINITY });
  const agencies = slotsPerBackend(() => createFairSlots(AT_BACKEND));
  const sends = createFairSlots({ perOwner: SENDS_PER_SESSION, inAll: SENDS_IN_ALL });
  const coming = createFairSlots(COMING);
  const memory = createFairSlots(IN_MEMORY);
  return {
    toBackend: (session: SessionAtBackend, agencyId: string) =>
      enter(
        [
          { slots: sessions, owner: session.id },
          { slots: agencies.of(session), owner: agencyId },
        ],
        WAIT_MS,
      ),
    toQueue: ({ id }: SessionAtBackend) => enter([{ slots: sends, owner: id }], WAIT_MS),
    /** While a file comes. */
    toFetch: (owner: string) => enter([{ slots: coming, owner }], FILE_WAIT_MS),
    /** Once all of a file has come, until the request has ended; null when there is no room in time. */
    roomFor: (owner: string, sizeBytes: number) => memory.acquire(owner, FILE_WAIT_MS, { bytes: sizeBytes }),
  };
}
export type Bounds = ReturnType<typeof createBounds>;
