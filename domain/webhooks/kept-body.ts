/**
 * The body of an event may be posted for this long after it was read. An erasure that has blanked events waits for as
 * long before it is done, so that what it has erased is posted to nobody from then on.
 */
export const KEPT_BODY_MS = 2_000;
