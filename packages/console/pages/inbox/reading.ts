/** How far the engine is with reading an account in which there was no chat yet. */
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

/** What a page of the list tells. Once an account was read, the engine looks again now and then, which is no news. */
export const readingAfter = (before: Reading, { of, isEmpty, syncing }: Seen): Reading => {
  const { state } = before.of === of ? before : { state: 'unknown' as const };
  if (state === 'now') return { of, state: syncing ? 'now' : 'over' };
  return { of, state: state === 'unknown' && isEmpty && syncing ? 'now' : state };
};
