/** A session that comes back reads its list of contacts again where it was read longer ago. */
const OLD_AFTER_MS = 12 * 60 * 60_000;
/** Some phones hand their contacts over minutes after they were linked, and no event tells of that. */
const HANDED_OVER_AFTER_MS = 10 * 60_000;

/**
 * Tells whether the list of contacts of a session that works is to be read: it never was, the session has come back
 * after long, or the phone may have handed the list over since the last reading.
 */
export function isContactListDue({ readAt, since }: { readAt: Date | null; since: Date }, now: Date): boolean {
  if (readAt === null) return true;
  const handedOverAt = since.getTime() + HANDED_OVER_AFTER_MS;
  if (readAt < since) return now.getTime() - readAt.getTime() >= OLD_AFTER_MS;
  return readAt.getTime() < handedOverAt && now.getTime() >= handedOverAt;
}

/** Stands for a contact's id where the picture of the account itself is meant. */
export const OWN_PICTURE = 'own';
