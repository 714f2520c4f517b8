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
export const createDraftStore = (storage: Storage, owner: string, now: () => number) => {
  const nameOf = (id: string): string => `${DRAFT_PREFIX}${id} ${owner}`;
  const keptOf = (id: string): Record<string, unknown> | null => read(storage.getItem(nameOf(id)));
  return {
    read: (id: string): Draft | undefined => {
      const kept = keptOf(id);
      if (kept === null || !(now() - Number(kept['at']) <= KEPT_MS)) return undefined;
      const later = textOf(kept['later']);
      const quotes = textOf(kept['quotes']);
      return {
        ...EMPTY,
        text: textOf(kept['text']),
        buttons: textsOf(kept['buttons']),
        // A time that is over would send at once, under a button that says “later”.
        later: Date.parse(later) > now() ? later : '',
        ...(quotes !== '' && { quotes }),
      };
    },
    write: (id: string, draft: Draft): void => {
      if (!isWorthKeeping(draft)) return storage.removeItem(nameOf(id));
      const { text, buttons, later, quotes } = draft;
      storage.setItem(nameOf(id), JSON.stringify({ at: now(), text, buttons, later, quotes }));
    },
    /** The key under which exactly this message was sent before, without an answer. */
    keyOf: (id: string, of: string): string | undefined => {
      const kept = keptOf(id);
      return kept?.['sentAs'] === of ? textOf(kept['key']) || undefined : undefined;
    },
    /** Another word in the draft forgets the key: it is another message then. */
    writeKey: (id: string, { of, key }: { of: string; key: string }): void => {
      const kept = keptOf(id);
      if (kept !== null) storage.setItem(nameOf(id), JSON.stringify({ ...kept, sentAs: of, key }));
    },
  };
};

/** Removes the drafts of all logins that nobody has changed for a month. */
export const removeOldDrafts = (storage: Storage, now: number): void => {
  const names = Array.from({ length: storage.length }, (_, place) => storage.key(place) ?? '');
  for (const name of names.filter((one) => one.startsWith(DRAFT_PREFIX))) {
    if (now - Number(read(storage.getItem(name))?.['at'] ?? 0) > KEPT_MS) storage.removeItem(name);
  }
};
