import type { WorkflowsListFunctionsAnswer } from '../../../../typescript/src/index.ts';
import { asJson, isList, isObject, isSame, objectOf } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import { spanOf } from './duration.ts';
import { freeName } from './steps.ts';

export type FlowFunction = WorkflowsListFunctionsAnswer['functions'][number];
export type EventTrigger = WorkflowsListFunctionsAnswer['triggers'][number];

/** The controls of the form. `json` is for what no other control can express. */
export type Control =
  'line' | 'text' | 'number' | 'boolean' | 'always' | 'option' | 'lines' | 'choices' | 'duration' | 'group' | 'json';

export interface FormField {
  name: string;
  control: Control;
  hint: string;
  isRequired: boolean;
  options: readonly string[];
  min: number | undefined;
  max: number | undefined;
  /** The value of a box that can only be set or missing. */
  only: Json | undefined;
  fields: readonly FormField[];
}

/** A field that no schema describes: one of the language itself. */
export const ownField = (name: string, control: Control, more: Partial<FormField> = {}): FormField => ({
  name,
  control,
  hint: '',
  isRequired: false,
  options: [],
  min: undefined,
  max: undefined,
  only: undefined,
  fields: [],
  ...more,
});

/** Texts that may be longer get a field of several lines. */
const LINE_LENGTH = 200;

const kindsOf = (schema: JsonObject): JsonObject[] => {
  const { anyOf } = schema;
  return isList(anyOf) ? anyOf.map(objectOf) : [schema];
};

const textsOf = (value: Json | undefined): string[] =>
  isList(value) ? value.flatMap((each) => (typeof each === 'string' ? [each] : [])) : [];

const controlOf = (schema: JsonObject): Control => {
  if (schema['const'] !== undefined) return 'always';
  if (textsOf(schema['enum']).length > 0) return 'option';
  const kinds = kindsOf(schema);
  if (kinds.some((kind) => isObject(objectOf(kind['properties'])['days']))) return 'duration';
  const text = kinds.find((kind) => kind['type'] === 'string');
  if (text) return typeof text['maxLength'] === 'number' && text['maxLength'] <= LINE_LENGTH ? 'line' : 'text';
  const [kind = {}] = kinds;
  switch (kind['type']) {
    case 'boolean':
      return 'boolean';
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const items = objectOf(kind['items']);
      if (items['type'] === 'string') return 'lines';
      return isSame(Object.keys(objectOf(items['properties'])), ['id', 'text']) ? 'choices' : 'json';
    }
    case 'object':
      return isObject(kind['properties']) && !isObject(kind['additionalProperties']) ? 'group' : 'json';
    default:
      return 'json';
  }
};

const numberOf = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

const fieldOf = (name: string, schema: JsonObject, isRequired: boolean): FormField => {
  const control = controlOf(schema);
  const { description, minimum, maximum } = schema;
  return {
    name,
    control,
    hint: typeof description === 'string' ? description : '',
    isRequired,
    options: textsOf(control === 'lines' ? objectOf(schema['items'])['enum'] : schema['enum']),
    min: numberOf(minimum),
    max: numberOf(maximum),
    only: schema['const'],
    fields: control === 'group' ? fieldsOf(schema) : [],
  };
};

/** The fields of an object's schema, the required ones first. */
export const fieldsOf = (schema: JsonObject): FormField[] => {
  const required = textsOf(schema['required']);
  return Object.entries(objectOf(schema['properties']))
    .map(([name, each]) => fieldOf(name, objectOf(each), required.includes(name)))
    .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
};

/** The control for a value: a value that the control of its schema cannot show gets a field of JSON. */
export const controlFor = ({ control, options }: FormField, value: Json | undefined): Control => {
  if (value === undefined) return control;
  const isText = typeof value === 'string';
  switch (control) {
    case 'text':
      return isText || typeof value === 'number' ? 'text' : 'json';
    case 'line':
      return isText && !value.includes('\n') ? 'line' : isText ? 'text' : 'json';
    // An expression in the place of a number or of one of the options is a line.
    case 'number':
      return typeof value === 'number' ? 'number' : isText ? 'line' : 'json';
    case 'option':
      return isText ? (options.includes(value) ? 'option' : 'line') : 'json';
    case 'boolean':
    case 'always':
      return typeof value === 'boolean' ? control : isText ? 'line' : 'json';
    case 'lines':
      return isText ? 'line' : isSame(linesOf(textsOf(value).join('\n')), value) ? 'lines' : 'json';
    case 'choices':
      return choicesOf(value) === null ? 'json' : 'choices';
    case 'duration':
      return spanOf(value) === null ? 'json' : 'duration';
    case 'group':
      return isObject(value) ? 'group' : 'json';
    default:
      return control;
  }
};

interface Choice {
  id: string;
  text: string;
}

/** The buttons of a question. Null if they are more than an id and a line. */
const choicesOf = (value: Json | undefined): Choice[] | null => {
  if (!isList(value)) return null;
  const read = value.flatMap((each) => {
    const { id, text, ...more } = objectOf(each);
    const isPlain = typeof id === 'string' && typeof text === 'string' && Object.keys(more).length === 0;
    return isPlain && text.trim() === text && text !== '' && !text.includes('\n') ? [{ id, text }] : [];
  });
  return read.length === value.length ? read : null;
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** A button that keeps its place or its words keeps the id by which later steps know it. */
const choicesFrom = (text: string, before: readonly Choice[]): Json => {
  const lines = linesOf(text);
  const known = new Map(before.map((choice) => [choice.text, choice.id]));
  const isSameLength = lines.length === before.length;
  const taken = lines.flatMap((line) => known.get(line) ?? []);
  return lines.map((line, place) => {
    const id = known.get(line) ?? (isSameLength ? before[place]?.id : undefined);
    if (id !== undefined) return { id, text: line };
    const made = freeName(
      line
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, '-')
        .replaceAll(/^-+|-+$/g, ''),
      taken,
    );
    taken.push(made);
    return { id: made, text: line };
  });
};

/** A value as its control shows it. Boxes show `true` and nothing. */
export const shownOf = (control: Control, value: Json | undefined): string => {
  if (value === undefined) return '';
  if (control === 'json') return JSON.stringify(value, null, 2);
  if (control === 'lines') return textsOf(value).join('\n');
  if (control === 'choices') return (choicesOf(value) ?? []).map(({ text }) => text).join('\n');
  if (control === 'always') return 'true';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Reads what was typed: undefined removes the field, null means that the text cannot be read. */
export const readTyped = (
  control: Control,
  typed: string,
  before: Json | undefined,
): { value: Json | undefined } | null => {
  if (typed === shownOf(control, before) && before !== undefined) return { value: before };
  switch (control) {
    case 'json':
      try {
        return { value: typed.trim() === '' ? undefined : asJson(JSON.parse(typed)) };
      } catch {
        return null;
      }
    case 'number': {
      const number = Number(typed);
      return { value: typed.trim() === '' ? undefined : Number.isFinite(number) ? number : typed };
    }
    case 'lines':
      return { value: linesOf(typed).length === 0 ? undefined : linesOf(typed) };
    case 'choices':
      return { value: linesOf(typed).length === 0 ? undefined : choicesFrom(typed, choicesOf(before) ?? []) };
    case 'boolean':
      return { value: typed === 'true' ? true : before === undefined ? undefined : false };
    default:
      return { value: typed === '' ? undefined : typed };
  }
};
