/** The progress of the import of an account that had no chats. */
export interface Reading {
  /** The account, as one names it here. */
  of: string;
  state: 'unknown' | 'now' | 'over';
}

export interface Seen {
  of: string;
  isEmpty: boolean;
  syncing: boolean;
}

/**
 * Returns the state after a page of the list. The engine rechecks an imported account now and then, which is no news.
 */
export const readingAfter = (before: Reading, { of, isEmpty, syncing }: Seen): Reading => {
  const { state } = before.of === of ? before : { state: 'unknown' as const };
  if (state === 'now') return { of, state: syncing ? 'now' : 'over' };
  return { of, state: state === 'unknown' && isEmpty && syncing ? 'now' : state };
};
