import type { Database } from '../../db/engine/database.ts';
import { createFairSlots } from '../../domain/fair-slots.ts';
import type { FairSlots, ChangingBound } from '../../domain/fair-slots.ts';
import type { AgencyShares } from '../../domain/shares.ts';
import { slotsPerBackend } from '../../domain/slots-per-backend.ts';
import type { SlotsPerBackend } from '../../domain/slots-per-backend.ts';
import { findShareOfSends } from '../../db/sending/in-flight/limits.ts';

/** The places of sends in flight before the backend that holds a session. */
export type SendSlots = SlotsPerBackend<Pick<FairSlots, 'acquire' | 'perOwner'>>;

const MEBIBYTE = 1_048_576;
/** Bounds the bytes of the sends that this process has in flight, because files are in memory. */
const BYTES_IN_FLIGHT = { perOwner: 96 * MEBIBYTE, inAll: 256 * MEBIBYTE };

/** A call to the backend is soon over as a rule, so an agency that is alone has three quarters of the places there. */
const WEIGHT = 3;

/**
 * Makes the places before each backend: a session that hangs must not slow another, an agency whose sessions hang must
 * not slow another agency, and a backend that hangs must slow neither everything nor another backend. The memory for
 * files is shared out among the backends.
 */
export function createSendSlots(
  database: Pick<Database, 'read'>,
  { perSession, backends, shares }: { perSession: number; backends: number; shares: AgencyShares },
): SendSlots {
  const share = createBackendShare(database);
  const inAll = Math.floor(BYTES_IN_FLIGHT.inAll / backends);
  const bytes = { perOwner: Math.min(BYTES_IN_FLIGHT.perOwner, inAll), inAll };
  const weighted = { weightOf: (agencyId: string) => WEIGHT * shares.weightOf(agencyId) };
  return slotsPerBackend(() => createFairSlots({ perOwner: perSession, inAll: share, shares: weighted, bytes }));
}

/** Workers that come and go are noticed within this time. A worker that sends nothing does not ask. */
const ASK_EVERY_MS = 5_000;

/**
 * This process's share of the sends that the backend may be given at a time: a backend that hangs must not get as many
 * from each worker as one worker may give it.
 */
export function createBackendShare(database: Pick<Database, 'read'>): ChangingBound {
  let share = 1;
  let askedAtMs = -Infinity;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    share = await database.read(findShareOfSends);
    askedAtMs = performance.now();
  }

  return {
    current: () => share,
    async refresh() {
      if (performance.now() - askedAtMs < ASK_EVERY_MS) return;
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      await asking;
    },
  };
}
