import { z } from 'zod';
import { invalid } from '../../domain/error.ts';
import type { FieldError } from '../../domain/error.ts';
import { fieldWords } from '../../domain/words/field-words.ts';
import { isStorable } from '../../domain/sending/storable.ts';
import { Target } from '../../domain/scope.ts';
import type { Auth } from './caller.ts';
import { MAX_NAMED, unknownName } from './near-field.ts';

export interface RawInput {
  params: Record<string, string>;
  query: Record<string, string | string[] | undefined>;
  body: unknown;
}

/** A route that takes nothing from its body still lets it name the tenant. */
const NOTHING = z.strictObject({});

type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/**
 * The input as the route's schemas have parsed it. A backend route has no body schema: it checks a signature over the
 * bytes.
 */
export interface Parsed<A extends Auth, P, Q, B> {
  params: Output<P>;
  query: Output<Q>;
  body: A extends 'backend' ? Buffer : Output<B>;
}

interface Schemas<P, Q, B> {
  params?: P;
  query?: Q;
  body?: B;
}

const NOT_VALID = 'is not valid; the API reference at /docs/api describes what is accepted';

/** Checks all parts, so that a caller learns every problem at once. */
export function parseInput<A extends Auth, P, Q, B>(
  auth: A,
  schemas: Schemas<P, Q, B>,
  raw: RawInput,
): Parsed<A, P, Q, B>;
export function parseInput(
  auth: Auth,
  schemas: Schemas<z.ZodType, z.ZodType, z.ZodType>,
  raw: RawInput,
): { params: unknown; query: unknown; body: unknown } {
  const problems: Problems = {
    errors: [],
    unknown: { parameter: { named: 0, others: 0 }, field: { named: 0, others: 0 } },
  };
  const checked = {
    params: check(schemas.params, raw.params, 'path', problems),
    query: checkNames(schemas.query, raw.query, 'query', problems),
    body: auth === 'backend' ? raw.body : checkBody(schemas.body, raw.body, problems),
  };
  // First, because an answer shows the first fifty.
  const errors = [...countsOfOthers(problems), ...problems.errors];
  if (errors.length > 0) throw invalid(errors);
  return checked;
}

type Word = 'field' | 'parameter';

/** All that is wrong with one request. */
interface Problems {
  errors: FieldError[];
  /** Unknown names that are in the errors, and the others, which are only counted. */
  unknown: Record<Word, { named: number; others: number }>;
}

function checkBody(schema: z.ZodType | undefined, body: unknown, problems: Problems): unknown {
  if (schema !== undefined) return checkNames(schema, body, '', problems);
  if (body !== undefined) checkNames(NOTHING, body, '', problems);
  return undefined;
}

/**
 * The one rule for names, in a query as in a body: what the route does not know is refused, because a misspelt filter or
 * `sendAt` that is dropped looks as if it had been obeyed. Browsers and caches add names with `_`, which say nothing.
 */
function checkNames(schema: z.ZodType | undefined, value: unknown, base: '' | 'query', problems: Problems): unknown {
  const known = fieldsAt(schema ?? NOTHING, []);
  const isJudged = typeof value === 'object' && value !== null && (schema === undefined || takesNames(schema));
  if (!isJudged || Array.isArray(value)) return check(schema, value, base, problems);
  const names = Object.keys(value);
  const everywhere = (name: string): boolean => Object.hasOwn(Target, name) || name.startsWith('_');
  const unknown = names.filter((name) => !known.includes(name) && !everywhere(name));
  const taken = Object.entries(value).filter(([name]) => known.includes(name));
  const checked = check(schema, Object.fromEntries(taken), base, problems);
  const word = base === 'query' ? 'parameter' : 'field';
  const knownHere = (): string[] => [...new Set([...known, ...Object.keys(Target)])];
  refuseUnknown(unknown, { known: knownHere, base, word }, problems);
  return checked;
}

interface Place {
  known: () => readonly string[];
  base: string;
  word: Word;
}

/**
 * One bound covers the whole request: a bound for each object would let a list of a thousand rows ask for thousands of
 * suggestions.
 */
function refuseUnknown(names: readonly string[], { known, base, word }: Place, problems: Problems): void {
  const { parameter, field } = problems.unknown;
  const shown = names.slice(0, MAX_NAMED - parameter.named - field.named);
  problems.unknown[word].named += shown.length;
  problems.unknown[word].others += names.length - shown.length;
  if (shown.length === 0) return;
  const near = known();
  for (const name of shown) {
    problems.errors.push({ pointer: base + jsonPointer([name]), message: unknownName(name, near, word) });
  }
}

function countsOfOthers({ unknown }: Problems): FieldError[] {
  const count = (word: Word, pointer: string): FieldError[] => {
    const { named, others } = unknown[word];
    const more = named === 0 ? `${others}` : `the ${named} named here and ${others} more`;
    return others === 0 ? [] : [{ pointer, message: `has unknown ${word}s: ${more}` }];
  };
  return [...count('parameter', 'query'), ...count('field', '')];
}

function check(schema: z.ZodType | undefined, value: unknown, base: string, problems: Problems): unknown {
  const result = schema?.safeParse(value, { error: (issue) => fieldWords(issue) ?? NOT_VALID });
  // The schemas have dropped every unknown field, so the value is never deeper than the schemas themselves.
  if (result?.success) refuseUnstorable(result.data, base, problems.errors);
  if (result === undefined || result.success) return result?.data;
  for (const issue of result.error.issues) {
    const pointer = base + jsonPointer(issue.path);
    if (issue.code === 'unrecognized_keys') {
      const known = (): string[] => (schema === undefined ? [] : fieldsAt(schema, issue.path));
      refuseUnknown(issue.keys, { known, base: pointer, word: 'field' }, problems);
    } else {
      problems.errors.push({ pointer, message: issue.message });
    }
  }
  return undefined;
}

/**
 * Refuses text that PostgreSQL cannot store, which is NUL or half a surrogate pair; this one check covers all fields.
 */
function refuseUnstorable(value: unknown, pointer: string, errors: FieldError[]): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) errors.push({ pointer, message: 'must be well-formed text without NUL characters' });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (!isStorable(key)) errors.push({ pointer, message: 'must have well-formed names without NUL characters' });
      refuseUnstorable(inner, pointer + jsonPointer([key]), errors);
    }
  }
}

/** Writes a path as a JSON pointer (RFC 6901). */
function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns the names of the fields that a schema takes at this place; none where it takes no object there. */
export function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let here: unknown = schema;
  for (const key of path) here = unwrapped(here) instanceof z.ZodArray ? elementOf(here) : fieldOf(here, String(key));
  const found = unwrapped(here);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

/** Tells whether a schema takes an object of known names; a file, for example, has none. */
function takesNames(schema: z.ZodType): boolean {
  return unwrapped(schema) instanceof z.ZodObject;
}

function fieldOf(schema: unknown, name: string): unknown {
  const object = unwrapped(schema);
  return object instanceof z.ZodObject && Object.hasOwn(object.shape, name) ? object.shape[name] : undefined;
}

function elementOf(schema: unknown): unknown {
  const array = unwrapped(schema);
  return array instanceof z.ZodArray ? array.element : undefined;
}

function unwrapped(schema: unknown): unknown {
  const isWrapper =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}
