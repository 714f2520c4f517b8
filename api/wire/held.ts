import type { ServerResponse } from 'node:http';
import { createFairSlots } from '../../domain/fair-slots.ts';
import type { GiveBack } from '../../domain/fair-slots.ts';
import { EQUAL_SHARES } from '../../domain/shares.ts';
import { enter, enterFor } from './doors.ts';
import type { Door } from './doors.ts';
import { cutSlowReader } from './pace.ts';
import type { Pace } from './pace.ts';

/** Bounds of the connections of one kind. An agency has at most half of `inAll`, whatever it owns. */
interface HeldKind extends Pace {
  perOwner: number;
  inAll: number;
  waitMs: number;
}

const WINDOW_MS = 10_000;
const KIBIBYTE = 1_024;

/**
 * Every kind of connection that a client can hold, with what one owner may hold. The owner of a file is its session, of
 * a page its link, of a code its session, of an export or a stream its agency, and of an upload its tenant.
 */
export const HELD = {
  /** A link has fewer places than its session, so readers of one file that do not read leave room for its others. */
  mediaLink: { perOwner: 4, inAll: 64, waitMs: 1_000, bytesPerSecond: 8 * KIBIBYTE, windowMs: WINDOW_MS },
  /** Also thumbnails. */
  media: { perOwner: 8, inAll: 64, waitMs: 1_000, bytesPerSecond: 8 * KIBIBYTE, windowMs: WINDOW_MS },
  connectPage: { perOwner: 6, inAll: 128, waitMs: 1_000, bytesPerSecond: KIBIBYTE, windowMs: WINDOW_MS },
  /** Far fewer than the connections to a backend, which all other reads share. */
  qr: { perOwner: 4, inAll: 32, waitMs: 1_000, bytesPerSecond: KIBIBYTE, windowMs: WINDOW_MS },
  export: { perOwner: 4, inAll: 16, waitMs: 1_000, bytesPerSecond: 8 * KIBIBYTE, windowMs: WINDOW_MS },
  /** Event streams and requests that wait, which have no rate while nothing happens (`Watch`). */
  stream: { perOwner: 200, inAll: 2_000, waitMs: 0, bytesPerSecond: KIBIBYTE, windowMs: WINDOW_MS },
  /** Each is in a temporary file until all of it has come. */
  upload: { perOwner: 4, inAll: 32, waitMs: 5_000, bytesPerSecond: KIBIBYTE, windowMs: WINDOW_MS },
} as const satisfies Record<string, HeldKind>;
export type HeldKindName = keyof typeof HELD;

/** The owner of a connection, and the agency that has its share. */
export interface Holder {
  owner: string;
  agencyId: string;
}

/** The one gate before connections of a kind. */
export type Gate = ReturnType<typeof createGate>;

export function createGate(kind: HeldKindName, changed: Partial<HeldKind> = {}) {
  const { perOwner, inAll, waitMs, ...pace } = { ...HELD[kind], ...changed };
  const slots = createFairSlots({ perOwner, inAll, shares: EQUAL_SHARES });
  const doorOf = ({ owner, agencyId }: Holder): Door => ({ slots, owner, agencyId });
  return {
    slots,
    pace,
    waitMs,
    doorOf,
    /** Takes a place until it is given back; a request that finds none is refused with `busy`. */
    enter: (holder: Holder): Promise<GiveBack> => enter([doorOf(holder)], waitMs),
    /** Takes a place for as long as the answer is under way, and ends a reader that does not read. */
    async enterFor(response: ServerResponse, holder: Holder): Promise<void> {
      await enterFor(response, [doorOf(holder)], waitMs);
      cutSlowReader(response, pace);
    },
  };
}
