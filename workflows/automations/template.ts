import type { Texts } from '../../domain/automations/definition.ts';
import type { TemplateValues } from '../../domain/automations/texts.ts';
import { requireLogWords } from './log-words.ts';

/** The value of a template's placeholder: a number, a time, or a word without spaces, such as an id. */
export type TemplateValue = string | number | Date;

/** The texts of a definition that are templates, each with the names of its values. */
export type TemplatesOf<Said extends Texts> = {
  [Name in keyof Said as Said[Name] extends { values: readonly string[] } ? Name : never]: Said[Name] extends {
    values: readonly (infer Value extends string)[];
  }
    ? Value
    : never;
};

/** Refuses a template that lacks a value, or gets one that it does not have: the contact would read a gap. */
export function requireValues(
  name: string,
  { values = [] }: { values?: readonly string[] | undefined } = {},
  given: Readonly<Record<string, TemplateValue>>,
): void {
  const missing = values.find((value) => given[value] === undefined);
  if (missing !== undefined) throw new Error(`The text ${name} needs a value for {${missing}}.`);
  const surplus = Object.keys(given).find((value) => !values.includes(value));
  if (surplus !== undefined) throw new Error(`The text ${name} has no {${surplus}}.`);
}

/** Returns the values for Temporal, which must hold no text of a person. */
export function toldValues(name: string, given: Readonly<Record<string, TemplateValue>>): TemplateValues {
  const told = Object.entries(given).map(([key, value]) => [
    key,
    value instanceof Date ? { at: value.toISOString() } : value,
  ]);
  const words = Object.entries(given).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []));
  requireLogWords(name, Object.fromEntries(words));
  return Object.fromEntries(told);
}
