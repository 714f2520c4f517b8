/*
 * Names a person who reacted to a message or voted in its poll, as rows do. The name is one of these words, or an
 * address of a group member.
 */

/** The account itself. */
export const ACCOUNT = 'account';
/** The contact of a direct chat, under whichever address. */
export const CONTACT = 'contact';
/** Somebody in a group of whom the engine below says no more. */
export const UNKNOWN = 'unknown';
