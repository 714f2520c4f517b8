/**
 * How much the engine still lets this key ask for. All who use a key share its limit, and a page that asks too often is
 * made to wait, also with what somebody looks at. So what stands beside that asks more rarely when little is left.
 */

/** The least that is left by a `RateLimit` header, which tells of several limits; undefined where it tells of none. */
export const leftOf = (header: string | null): number | undefined => {
  const each = [...(header ?? '').matchAll(/;r=(\d+)/g)].map(([, left]) => Number(left));
  return each.length === 0 ? undefined : Math.min(...each);
};

const MUCH = 60;
const LITTLE = 25;

/** How many times as long one waits before one asks again for what stands beside. */
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

/** What somebody looks at is there within a moment of its event, but not more often than they can read. */
const SEEN_MS = 250;
/** What stands beside it lets it go first. */
const BESIDE = { waitMs: 60, gapMs: 700 };

export const SEEN_PACE = { gapMs: () => SEEN_MS };
/** A count of waiting chats reads all chats of an account, so even a busy account is counted no more often than this. */
const COUNT_MS = 10_000;

export const COUNT_PACE = { waitMs: BESIDE.waitMs, gapMs: () => COUNT_MS * slownessNow() };
export const BESIDE_PACE = { waitMs: BESIDE.waitMs, gapMs: () => BESIDE.gapMs * slownessNow() };
