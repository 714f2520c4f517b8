import { signal } from '@preact/signals';
import { who } from '../../shell/engine.ts';
import { identityOf, reachOf } from '../../shell/who.ts';
import { createDraftStore, removeOldDrafts } from './compose/draft-store.ts';
import { EMPTY } from './draft.ts';
import type { Draft } from './draft.ts';

interface Drafts {
  /** Words stay on the page when a login ends and another of the same reach begins, and for no other login. */
  reach: string;
  of: Readonly<Record<string, Draft>>;
}

/** The drafts of this page by conversation, with their files. The browser keeps the rest of each over a reload. */
const drafts = signal<Drafts>({ reach: '', of: {} });

const here = (): Drafts['of'] => (drafts.value.reach === reachOf(who.value) ? drafts.value.of : {});
/** Two people of one browser must not find each other's stored drafts. */
const storeOf = () => createDraftStore(window.localStorage, identityOf(who.value), Date.now);

export const draftOf = (id: string): Draft => {
  const written = here()[id];
  if (written !== undefined) return written;
  try {
    return storeOf().read(id) ?? EMPTY;
  } catch {
    return EMPTY;
  }
};

export const setDraft = (id: string, draft: Draft): void => {
  drafts.value = { reach: reachOf(who.value), of: { ...here(), [id]: draft } };
  try {
    storeOf().write(id, draft);
  } catch {
    // The draft then lives as long as the page.
  }
};

export const changeDraft = (id: string, part: Partial<Draft>): void => setDraft(id, { ...draftOf(id), ...part });

/** The key of a message that was sent without an answer, before a reload or in another conversation. */
export const keptKey = (id: string, of: string): string | undefined => {
  try {
    return storeOf().keyOf(id, of);
  } catch {
    return undefined;
  }
};

export const keepKey = (id: string, held: { of: string; key: string }): void => {
  try {
    storeOf().writeKey(id, held);
  } catch {
    // The key then lives as long as the conversation is open.
  }
};

try {
  removeOldDrafts(window.localStorage, Date.now());
} catch {
  // A browser that stores nothing has nothing to remove.
}
