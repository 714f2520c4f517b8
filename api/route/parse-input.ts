import { z } from 'zod';
import { invalid } from '../../domain/error.ts';
import type { FieldError } from '../../domain/error.ts';
import { fieldWords } from '../../domain/words/field-words.ts';
import { Target } from '../../domain/scope.ts';
import type { Auth } from './auth.ts';
import { fieldsAt } from './fields-at.ts';
import { MAX_NAMED, misspelt, unknownField } from './near-field.ts';

export interface RawInput {
  params: Record<string, string>;
  query: Record<string, string | string[] | undefined>;
  body: unknown;
}

const TargetAlone = z.strictObject(Target);

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
  const errors: FieldError[] = [];
  const checked = {
    params: check(schemas.params, raw.params, 'path', errors),
    query: check(schemas.query, raw.query, 'query', errors),
    body: auth === 'backend' ? raw.body : checkBody(schemas.body, raw.body, errors),
  };
  refuseMisspelt(schemas.query, raw.query, errors);
  if (errors.length > 0) throw invalid(errors);
  return checked;
}

/** A route that takes nothing from its body still lets it name the tenant, and refuses everything else in it. */
function checkBody(schema: z.ZodType | undefined, body: unknown, errors: FieldError[]): unknown {
  if (schema !== undefined) return check(schema, body, '', errors);
  if (body !== undefined) check(TargetAlone, body, '', errors);
  return undefined;
}

function check(schema: z.ZodType | undefined, value: unknown, base: string, errors: FieldError[]): unknown {
  const result = schema?.safeParse(value, { error: (issue) => fieldWords(issue) ?? NOT_VALID });
  // The schemas have dropped every unknown field, so the value is never deeper than the schemas themselves.
  if (result?.success) refuseUnstorable(result.data, base, errors);
  if (result === undefined || result.success) return result?.data;
  for (const issue of result.error.issues) {
    const pointer = base + jsonPointer(issue.path);
    if (issue.code === 'unrecognized_keys') {
      const known = schema === undefined ? [] : fieldsAt(schema, issue.path);
      for (const key of issue.keys.slice(0, MAX_NAMED)) {
        errors.push({ pointer: pointer + jsonPointer([key]), message: unknownField(key, known) });
      }
      const more = issue.keys.length - MAX_NAMED;
      if (more > 0)
        errors.push({ pointer, message: `has unknown fields: the ${MAX_NAMED} named here and ${more} more` });
    } else {
      errors.push({ pointer, message: issue.message });
    }
  }
  return undefined;
}

/** A misspelt `limit` or filter that is dropped looks as if it had been obeyed. */
function refuseMisspelt(schema: z.ZodType | undefined, query: RawInput['query'], errors: FieldError[]): void {
  const known = [...Object.keys(Target), ...(schema === undefined ? [] : fieldsAt(schema, []))];
  for (const { name, meant } of misspelt(Object.keys(query), known)) {
    const pointer = `query${jsonPointer([name])}`;
    const isTold = errors.some((error) => error.pointer === pointer);
    if (!isTold) errors.push({ pointer, message: `is not a parameter of this request. Did you mean "${meant}"?` });
  }
}

/**
 * Refuses text that PostgreSQL cannot store, which is NUL or half a surrogate pair; this one check covers all fields.
 */
function refuseUnstorable(value: unknown, pointer: string, errors: FieldError[]): void {
  if (typeof value === 'string') {
    const storable = value.isWellFormed() && !value.includes('\u0000');
    if (!storable) errors.push({ pointer, message: 'must be well-formed text without NUL characters' });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) refuseUnstorable(inner, pointer + jsonPointer([key]), errors);
  }
}

/** Writes a path as a JSON pointer (RFC 6901). */
function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
