import { signal } from '@preact/signals';
import { EMPTY } from './draft.ts';
import type { Draft } from './draft.ts';

/** What was written and not sent, by conversation: it stays when somebody looks into another one. */
export const drafts = signal<Readonly<Record<string, Draft>>>({});

export const changeDraft = (id: string, part: Partial<Draft>): void => {
  drafts.value = { ...drafts.value, [id]: { ...(drafts.value[id] ?? EMPTY), ...part } };
};
