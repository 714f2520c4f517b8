import type { z } from 'zod';

type Issue = Parameters<z.core.$ZodErrorMap>[0];

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a string',
};
const FORMATS: Readonly<Record<string, string>> = {
  base64: 'base64',
  date: 'a date like 2026-11-22',
  datetime: 'a time like 2026-11-22T07:00:00Z',
  url: 'a URL',
  uuid: 'a UUID',
};
/** The counted unit of values with a length; a number counts itself. */
const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

/**
 * Says what is wrong with a field, as the end of a sentence about it ("must have at least 32 characters"). It gives way
 * to the words that a schema has of its own. Undefined where there is nothing plainer to say than zod does.
 */
export function fieldWords(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${KINDS[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return bound(issue, issue.minimum, issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return bound(issue, issue.maximum, issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_format':
      if (issue.format === 'regex') return `must match ${String(issue.pattern)}`;
      return `must be ${FORMATS[issue.format] ?? `of the form ${issue.format}`}`;
    case 'invalid_union':
      return ofUnion(issue);
    default:
      return undefined;
  }
}

/** The value that tells the forms of a union apart is wrong: zod names its possible values. */
function ofUnion({ input, discriminator, options }: Extract<Issue, { code: 'invalid_union' }>): string | undefined {
  if (discriminator === undefined || !Array.isArray(options)) return undefined;
  if (typeof input === 'object' && input !== null && !Object.hasOwn(input, discriminator)) return 'is required';
  return `must be one of ${options.map(String).join(', ')}`;
}

function bound({ origin, exact }: { origin: string; exact?: boolean }, limit: number | bigint, than: string): string {
  const unit = UNITS[origin];
  const much = exact === true ? 'exactly' : than;
  if (unit === undefined) return `must be ${much} ${limit}`;
  return limit === 1 && much === 'at least'
    ? 'must not be empty'
    : `must have ${much} ${limit} ${unit}${limit === 1 ? '' : 's'}`;
}
