import { signal } from '@preact/signals';
import { who } from '../../shell/engine.ts';
import { identityOf } from '../../shell/who.ts';
import { createDraftStore, removeOldDrafts } from './compose/draft-store.ts';
import { EMPTY } from './draft.ts';
import type { Draft } from './draft.ts';

/** The drafts of this page by conversation, with their files. The browser keeps the rest of each over a reload. */
const drafts = signal<Readonly<Record<string, Draft>>>({});

/** Two people of one browser must not find each other's drafts. */
const storeOf = () => createDraftStore(window.localStorage, identityOf(who.value), Date.now);

export const draftOf = (id: string): Draft => {
  const here = drafts.value[id];
  if (here !== undefined) return here;
  try {
    return storeOf().read(id) ?? EMPTY;
  } catch {
    return EMPTY;
  }
};

export const setDraft = (id: string, draft: Draft): void => {
  drafts.value = { ...drafts.value, [id]: draft };
  try {
    storeOf().write(id, draft);
  } catch {
    // The draft then lives as long as the page.
  }
};

export const changeDraft = (id: string, part: Partial<Draft>): void => setDraft(id, { ...draftOf(id), ...part });

try {
  removeOldDrafts(window.localStorage, Date.now());
} catch {
  // A browser that stores nothing has nothing to remove.
}
