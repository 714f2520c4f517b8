/**
 * Reads the rest of the key's rate limit. All users of a key share its limit, and a page that asks too often waits,
 * even with its main content. So side panels ask more rarely when little is left.
 */

/** The least that is left by a `RateLimit` header, which tells of several limits; undefined where it tells of none. */
export const leftOf = (header: string | null): number | undefined => {
  const each = [...(header ?? '').matchAll(/;r=(\d+)/g)].map(([, left]) => Number(left));
  return each.length === 0 ? undefined : Math.min(...each);
};

const MUCH = 60;
const LITTLE = 25;

/** Returns the factor by which a side panel slows down. */
export const slowness = (left: number | undefined): number => {
  if (left === undefined || left > MUCH) return 1;
  return left > LITTLE ? 4 : 12;
};

let left: number | undefined;

export const noteLeft = (header: string | null): void => {
  left = leftOf(header) ?? left;
};

/** The same with what was left when the engine answered last. */
export const slownessNow = (): number => slowness(left);

/** Visible content is updated within a moment of its event, but no faster than people read. */
const SEEN_MS = 250;
/** Side panels yield to the visible content. */
const BESIDE = { waitMs: 60, gapMs: 700 };

export const SEEN_PACE = { gapMs: () => SEEN_MS };
/** A count of waiting chats reads all chats of an account, so even a busy account is counted no more often than this. */
const COUNT_MS = 10_000;

export const COUNT_PACE = { waitMs: BESIDE.waitMs, gapMs: () => COUNT_MS * slownessNow() };
export const BESIDE_PACE = { waitMs: BESIDE.waitMs, gapMs: () => BESIDE.gapMs * slownessNow() };
