import type { Conversation } from '../../../../typescript/src/index.ts';

/** The facts that a canned answer can name. A fact that is not known is missing. */
export type Values = Readonly<Partial<Record<Placeholder, string>>>;

export const PLACEHOLDERS = ['name', 'first_name', 'phone', 'me'] as const;
type Placeholder = (typeof PLACEHOLDERS)[number];

const isPlaceholder = (word: string): word is Placeholder => PLACEHOLDERS.some((known) => known === word);

type Named = Pick<NonNullable<Conversation['contact']>, 'name' | 'pushName' | 'phone'>;

export const valuesOf = (contact: Named | null | undefined, me: string): Values => {
  const name = (contact?.name ?? contact?.pushName ?? '').trim();
  const first = name.split(/\s+/)[0] ?? '';
  const phone = contact?.phone ?? '';
  return {
    ...(name !== '' && { name, first_name: first }),
    ...(phone !== '' && { phone: `+${phone.replace(/^\+/, '')}` }),
    ...(me !== '' && { me }),
  };
};

interface Piece {
  text: string;
  /** Whether it came from a placeholder, and whether its value is known. */
  kind: 'words' | 'filled' | 'open';
}

/** The text with its placeholders filled, in pieces, so that people see what was filled in. */
export const filled = (text: string, values: Values): Piece[] =>
  text.split(/(\{\w+\})/).flatMap((part): Piece[] => {
    const word = /^\{(\w+)\}$/.exec(part)?.[1];
    if (word === undefined || !isPlaceholder(word)) return part === '' ? [] : [{ text: part, kind: 'words' }];
    const value = values[word];
    return [value === undefined ? { text: part, kind: 'open' } : { text: value, kind: 'filled' }];
  });

export const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

/** The placeholders that a text still has. */
export const openIn = (text: string): string[] => [
  ...new Set(filled(text, {}).flatMap(({ text: word, kind }) => (kind === 'open' ? [word] : []))),
];
