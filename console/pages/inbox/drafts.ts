import { signal } from '@preact/signals';
import { EMPTY } from './draft.ts';
import type { Draft } from './draft.ts';

/** The drafts by conversation: a draft stays while somebody looks into another conversation. */
export const drafts = signal<Readonly<Record<string, Draft>>>({});

export const changeDraft = (id: string, part: Partial<Draft>): void => {
  drafts.value = { ...drafts.value, [id]: { ...(drafts.value[id] ?? EMPTY), ...part } };
};
