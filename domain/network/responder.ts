/*
 * Who has reacted to a message, or voted in its poll, as rows name them: by one of these words, or a member of a group
 * by an address.
 */

/** The account itself. */
export const ACCOUNT = 'account';
/** The contact of a direct chat, under whichever address. */
export const CONTACT = 'contact';
/** Somebody in a group of whom the engine below says no more. */
export const UNKNOWN = 'unknown';
