import { z } from 'zod';

/** What may stand in braces in each text of an automation, and is filled in when it is sent. */
const PLACEHOLDERS = ['name'];

const MAX_TEXT_LENGTH = 4_000;
const BRACED = /\{([^{}]*)\}/g;

/** A text that a tenant writes for an automation; `more` are the placeholders that this automation has besides. */
export function textWith(more: readonly string[] = []) {
  const known = [...PLACEHOLDERS, ...more];
  return z
    .string()
    .min(1)
    .max(MAX_TEXT_LENGTH)
    .refine((text) => [...text.matchAll(BRACED)].every(([, name = '']) => known.includes(name)), {
      message: `may have ${known.map((name) => `{${name}}`).join(' and ')} in braces, and nothing else`,
    });
}

/** The placeholders that the input of an automation gives to its texts: a time is a date and a time of day. */
export function placeholdersOf(input: z.ZodObject | null): string[] {
  return Object.keys(input?.shape ?? {}).flatMap((name) => (name === 'at' ? ['date', 'time'] : [name]));
}

/** Makes of an input what stands in for its placeholders. */
export function saidOf(
  input: Readonly<Record<string, unknown>>,
  { language, timeZone }: { language: string; timeZone: string },
): Record<string, string> {
  const said = Object.entries(input).flatMap(([name, value]): [string, string][] => {
    if (name !== 'at') return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
    const at = new Date(String(value));
    return [
      ['date', new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone }).format(at)],
      ['time', new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone }).format(at)],
    ];
  });
  return Object.fromEntries(said);
}

/** Fills in what is known of the contact; what is not known is left out, with the space before it. */
export function filled(text: string, values: Readonly<Record<string, string | null>>): string {
  const of = new Map(Object.entries(values));
  return text.replace(/ ?\{([^{}]*)\}/g, (found, name: string) => {
    const value = of.get(name) ?? null;
    if (value === null) return '';
    return found.startsWith(' ') ? ` ${value}` : value;
  });
}
