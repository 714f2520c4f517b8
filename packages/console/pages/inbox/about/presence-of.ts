import type { Viewer } from '../../../../typescript/src/index.ts';

const SHOW_EVERY_MS = 10_000;
/** The engine forgets a tab after 25 seconds. One that refreshes later would come and go in the eyes of others. */
const MAX_SLOWNESS = 2;

/** The longest time between two signs that a tab has the chat open, also while little of the key's limit is left. */
export const refreshMs = (slowness: number): number => SHOW_EVERY_MS * Math.min(slowness, MAX_SLOWNESS);

const NAME = 'engine-console-tab';

/** The id of this tab. It stays the same after a reload, so that nobody meets themselves. */
export const tabOf = (storage: () => Pick<Storage, 'getItem' | 'setItem'>): string => {
  const made = Math.random().toString(36).slice(2);
  try {
    const kept = storage().getItem(NAME);
    if (kept !== null) return kept;
    storage().setItem(NAME, made);
  } catch {
    // Without a storage, the tab is another one after a reload.
  }
  return made;
};

/** The people other than this one, whose further tabs have the same name. */
export const othersThan = (self: { tab: string; name: string }, viewers: readonly Viewer[]): Viewer[] =>
  viewers.filter(({ viewerId, name }) => viewerId !== self.tab && (self.name === '' || name !== self.name));
