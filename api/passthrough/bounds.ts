import { createFairSlots } from '../../domain/fair-slots.ts';
import { slotsPerBackend } from '../../domain/slots-per-backend.ts';
import { enter } from '../wire/doors.ts';
import type { SessionAtBackend } from './whose.ts';

/** A session's requests that are under way, and those of an agency at one backend; the rest waits for a moment. */
const PER_SESSION = 4;
const PER_AGENCY = 16;
const IN_ALL = 64;
/** A send of the queue is held while it waits for the network, and holds no connection meanwhile. */
const SENDS_PER_SESSION = 16;
const SENDS_IN_ALL = 256;
/** Bodies with a file that are in memory as a whole; each takes up to four times its size. */
const FILES_PER_AGENCY = 1;
const FILES_IN_ALL = 2;
const WAIT_MS = 1_000;
const FILE_WAIT_MS = 10_000;

/**
 * Makes the doors before the backends: no key, session or agency can take what all share, and a backend that hangs takes
 * no places of another.
 */
export function createBounds() {
  const sessions = createFairSlots({ perOwner: PER_SESSION, inAll: Number.POSITIVE_INFINITY });
  const agencies = slotsPerBackend(() => createFairSlots({ perOwner: PER_AGENCY, inAll: IN_ALL }));
  const sends = createFairSlots({ perOwner: SENDS_PER_SESSION, inAll: SENDS_IN_ALL });
  const files = createFairSlots({ perOwner: FILES_PER_AGENCY, inAll: FILES_IN_ALL });
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
    toReadFile: (owner: string) => enter([{ slots: files, owner }], FILE_WAIT_MS),
  };
}
export type Bounds = ReturnType<typeof createBounds>;
