/** A message from the phone must be shown within three seconds, and no event reports it before it is matched. */
export const LOOK_AT_PHONE_MS = 2_000;
const LOOK_AT_PAGES_MS = 10_000;

/**
 * The pause before the list of chats is read again. A filtered list is read again as a whole, so several pages of it
 * are read more rarely: each page is a request, and all who use a key share its rate.
 */
export const listPaceMs = ({ isOnePage }: { isOnePage: boolean }): number =>
  isOnePage ? LOOK_AT_PHONE_MS : LOOK_AT_PAGES_MS;
