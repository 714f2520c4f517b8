import { DRAFT_PREFIX } from '../../../parts/kept-names.ts';
import { EMPTY } from '../draft.ts';
import type { Draft } from '../draft.ts';

/** The part of the browser's storage that drafts need. */
export interface Storage {
  readonly length: number;
  key(place: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

const KEPT_MS = 30 * 86_400_000;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);

const read = (json: string | null): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
};

const isWorthKeeping = ({ text, buttons, later, quotes }: Draft): boolean =>
  text !== '' || buttons.length > 0 || later !== '' || quotes !== undefined;

/** Drafts by conversation, for one login: another login finds none of them. Files of the device are not stored. */
export const createDraftStore = (storage: Storage, owner: string, now: () => number) => ({
  read: (id: string): Draft | undefined => {
    const kept = read(storage.getItem(DRAFT_PREFIX + id));
    if (kept === null || kept['owner'] !== owner || now() - Number(kept['at']) > KEPT_MS) return undefined;
    const quotes = textOf(kept['quotes']);
    return {
      ...EMPTY,
      text: textOf(kept['text']),
      buttons: textsOf(kept['buttons']),
      later: textOf(kept['later']),
      ...(quotes !== '' && { quotes }),
    };
  },
  write: (id: string, draft: Draft): void => {
    if (!isWorthKeeping(draft)) return storage.removeItem(DRAFT_PREFIX + id);
    const { text, buttons, later, quotes } = draft;
    storage.setItem(DRAFT_PREFIX + id, JSON.stringify({ owner, at: now(), text, buttons, later, quotes }));
  },
});

/** Removes the drafts of all logins that nobody has changed for a month. */
export const removeOldDrafts = (storage: Storage, now: number): void => {
  const names = Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? '');
  for (const name of names.filter((one) => one.startsWith(DRAFT_PREFIX))) {
    if (now - Number(read(storage.getItem(name))?.['at'] ?? 0) > KEPT_MS) storage.removeItem(name);
  }
};
