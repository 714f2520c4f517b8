import { spelledOut } from '../words/word-of.ts';
import { t } from '../words/t.ts';

/** Reads a form's fields from a JSON schema of the kinds that our automations use. */

export type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'texts' | 'integers' | 'group' | 'json';

export interface FormField {
  name: string;
  label: string;
  kind: Kind;
  hint: string | undefined;
  isRequired: boolean;
  /** The default. */
  standard: unknown;
  choices: readonly string[];
  min: number | undefined;
  max: number | undefined;
  maxLength: number | undefined;
  /** The fields of a group, such as the texts of an automation; their names are `group.name`. */
  fields: readonly FormField[];
}

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const textOf = (value: unknown): string | undefined => (isText(value) ? value : undefined);

const ITEMS: Readonly<Record<string, Kind>> = { string: 'texts', integer: 'integers' };
const PLAIN: Readonly<Record<string, Kind>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
};

const kindOf = (schema: Json): Kind => {
  const { type, items } = schema;
  if (Array.isArray(schema['enum']) && schema['enum'].every(isText)) return 'choice';
  if (type === 'array')
    return (isJson(items) && isText(items['type']) && !items['enum'] && ITEMS[items['type']]) || 'json';
  if (type === 'object' && (fieldsOf(schema) ?? []).some(({ kind }) => kind !== 'group' && kind !== 'json'))
    return 'group';
  return (isText(type) && PLAIN[type]) || 'json';
};

const fieldOf = (name: string, schema: Json, isRequired: boolean): FormField => {
  const items = isJson(schema['items']) ? schema['items'] : {};
  const kind = kindOf(schema);
  const bounds = kind === 'integers' ? items : schema;
  return {
    name,
    label: spelledOut(name),
    kind,
    hint: textOf(schema['description']),
    isRequired,
    standard: schema['default'],
    choices: Array.isArray(schema['enum']) ? schema['enum'].filter(isText) : [],
    min: numberOf(bounds['minimum']),
    max: numberOf(bounds['maximum']),
    maxLength: numberOf(schema['maxLength']),
    fields: kind === 'group' ? (fieldsOf(schema) ?? []) : [],
  };
};

/**
 * The fields of an object's schema. Null for what is no object, or an object of any names: that is written as JSON as a
 * whole, and not half of it shown.
 */
export const fieldsOf = (schema: unknown): FormField[] | null => {
  if (!isJson(schema) || schema['type'] !== 'object') return null;
  const properties = schema['properties'] ?? {};
  if (!isJson(properties) || isJson(schema['additionalProperties'])) return null;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, of]) => fieldOf(name, isJson(of) ? of : {}, required.includes(name)));
};

/** Returns a value as its control shows it: text, or `true` and `false` of a box. */
export const shownOf = ({ kind, standard }: Pick<FormField, 'kind' | 'standard'>, value: unknown): string => {
  const given = value === undefined ? standard : value;
  if (given === undefined || given === null) return '';
  if (kind === 'json') return JSON.stringify(given, null, 2);
  if (Array.isArray(given)) return given.map(String).join('\n');
  return isText(given) ? given : JSON.stringify(given);
};

type Read = { value: unknown } | { error: string };

const readNumber = (text: string, { min, max }: FormField, isWhole: boolean): Read => {
  const value = Number(text);
  if (!Number.isFinite(value)) return { error: t('must be a number') };
  if (isWhole && !Number.isInteger(value)) return { error: t('must be a whole number') };
  if (min !== undefined && value < min) return { error: t('must be {0} or more', min) };
  if (max !== undefined && value > max) return { error: t('must be {0} or less', max) };
  return { value };
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

export const readJson = (text: string): Read => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { error: t('is not valid JSON: check quotes, commas and brackets') };
  }
};

/** The value that was typed. An empty control gives none: what is standard holds then. */
export const readField = (field: FormField, text: string): Read => {
  if (field.kind === 'boolean') return { value: text === 'true' };
  if (field.kind === 'texts') return { value: linesOf(text) };
  if (field.kind === 'integers') {
    const read = linesOf(text).map((line) => readNumber(line, field, true));
    const wrong = read.find((each) => 'error' in each);
    return wrong ?? { value: read.map((each) => ('value' in each ? each.value : null)) };
  }
  if (text.trim() === '') return field.isRequired ? { error: t('is required') } : { value: undefined };
  if (field.kind === 'integer' || field.kind === 'number')
    return readNumber(text.trim(), field, field.kind === 'integer');
  if (field.kind === 'json') return readJson(text);
  if (field.maxLength !== undefined && text.length > field.maxLength)
    return { error: t('is longer than {0} characters', field.maxLength) };
  return { value: text };
};

export interface ReadForm {
  value: Record<string, unknown>;
  errors: Record<string, string>;
}

/** Returns the first text of every control, by the names of the fields; fields of a group follow it. */
export const typedFrom = (
  fields: readonly FormField[],
  value: Readonly<Record<string, unknown>>,
  before = '',
): Record<string, string> =>
  Object.assign(
    {},
    ...fields.map((field) => {
      const own = value[field.name];
      if (field.kind === 'group') return typedFrom(field.fields, isJson(own) ? own : {}, `${before}${field.name}/`);
      return { [before + field.name]: shownOf(field, own) };
    }),
  );

/** All that was typed, or why it cannot be taken. Names that the form has no control for stay as they were. */
export const readForm = (
  fields: readonly FormField[],
  typed: Readonly<Record<string, string>>,
  set: unknown = {},
  before = '',
): ReadForm => {
  const old = isJson(set) ? set : {};
  const value: Record<string, unknown> = { ...old };
  const errors: Record<string, string> = {};
  for (const field of fields) {
    const at = before + field.name;
    if (field.kind === 'group') {
      const read = readForm(field.fields, typed, old[field.name], `${at}/`);
      Object.assign(errors, read.errors);
      value[field.name] = read.value;
      continue;
    }
    const read = readField(field, typed[at] ?? '');
    if ('error' in read) errors[at] = read.error;
    else if (read.value === undefined) delete value[field.name];
    else value[field.name] = read.value;
  }
  return { value, errors };
};
