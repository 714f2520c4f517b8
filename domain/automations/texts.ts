import { z } from 'zod';

/** Placeholders that every text of an automation may have; the send fills them in. */
const PLACEHOLDERS = ['name'];
/** Placeholders that only an input fills in. */
const OF_INPUT = ['date', 'time'];

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
      message: `can contain only ${known.map((name) => `{${name}}`).join(' and ')} in braces`,
    });
}

/** Refuses a text whose usual words have a placeholder that nobody fills in, or one that two would fill in. */
export function requireFilled(
  name: string,
  { usual, values = [] }: { usual: string; values?: readonly string[] },
  ofInput: readonly string[],
): void {
  const taken = values.find((value) => [...PLACEHOLDERS, ...OF_INPUT, ...ofInput].includes(value));
  if (taken !== undefined) throw new Error(`The value {${taken}} of the text ${name} has the name of another.`);
  const read = textWith([...ofInput, ...values]).safeParse(usual);
  if (!read.success) throw new Error(`The text ${name} ${read.error.issues[0]?.message ?? 'cannot be read'}.`);
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

/** Values that an automation's code fills in: words without spaces, numbers and times. */
export type TemplateValues = Readonly<Record<string, string | number | { at: string }>>;

/** Makes of what the code fills in what stands in for its placeholders; a time is in the tenant's language and zone. */
export function shownValues(
  values: TemplateValues,
  { language, timeZone }: { language: string; timeZone: string },
): Record<string, string> {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone });
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? format.format(new Date(value.at)) : String(value),
    ]),
  );
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
