import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** A JSON value for a column. PostgreSQL's driver would send a list as an array of PostgreSQL's own. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export const json = (value: unknown): JsonText => new JsonText(JSON.stringify(value));

/** A value that the database computes, from the column's present one where it likes. */
export class Computed {
  readonly from: (column: RawBuilder<unknown>) => RawBuilder<unknown>;
  constructor(from: (column: RawBuilder<unknown>) => RawBuilder<unknown>) {
    this.from = from;
  }
}

/** A condition on a column, beyond one value or one of several. */
export class Condition {
  readonly on: (column: RawBuilder<unknown>) => RawBuilder<unknown>;
  constructor(on: (column: RawBuilder<unknown>) => RawBuilder<unknown>) {
    this.on = on;
  }
}

interface Span {
  milliseconds?: number;
  seconds?: number;
  minutes?: number;
  hours?: number;
  days?: number;
}

const UNITS = { seconds: 1_000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

function interval({ milliseconds = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }: Span): RawBuilder<unknown> {
  const ms = milliseconds + seconds * UNITS.seconds + minutes * UNITS.minutes + hours * UNITS.hours + days * UNITS.days;
  return sql`${ms}::float8 * interval '1 millisecond'`;
}

/** The time of the database, which differs from that of the test's process. */
export const databaseNow = new Computed(() => sql`now()`);
export const ago = (span: Span): Computed => new Computed(() => sql`now() - ${interval(span)}`);
export const fromNow = (span: Span): Computed => new Computed(() => sql`now() + ${interval(span)}`);
/** Moves a time back, which makes what it stands for older. */
export const earlier = (span: Span): Computed => new Computed((column) => sql`${column} - ${interval(span)}`);
export const later = (span: Span): Computed => new Computed((column) => sql`${column} + ${interval(span)}`);
/** The value of another column of the row. */
export const fromColumn = (column: string): Computed => new Computed(() => sql.ref(column));
export const plus = (number: number): Computed => new Computed((column) => sql`${column} + ${number}`);

/** A JSON object with what it had, and these properties. */
export const merged = (properties: object): Computed =>
  new Computed((column) => sql`${column} || ${JSON.stringify(properties)}::jsonb`);
/** A JSON object with this at that path, or without what was there. */
export const putAt = (path: string[], value: unknown): Computed =>
  new Computed((column) =>
    value === undefined
      ? sql`${column} #- ${path}::text[]`
      : sql`jsonb_set(${column}, ${path}::text[], ${JSON.stringify(value)}::jsonb)`,
  );

type Bound = string | number | Date | Computed;

const bound = (value: Bound, column: RawBuilder<unknown>): RawBuilder<unknown> =>
  value instanceof Computed ? value.from(column) : sql`${value}`;

/** As in SQL, a column that holds null fits no `not` of a value. */
export const not = (value: string | number | boolean | Date | null | readonly string[]): Condition =>
  new Condition((column) => {
    if (value === null) return sql`${column} is not null`;
    return Array.isArray(value) ? sql`${column} <> all(${value})` : sql`${column} <> ${value}`;
  });
export const like = (pattern: string): Condition => new Condition((column) => sql`${column} like ${pattern}`);
export const above = (value: Bound): Condition => new Condition((column) => sql`${column} > ${bound(value, column)}`);
export const below = (value: Bound): Condition => new Condition((column) => sql`${column} < ${bound(value, column)}`);
export const atLeast = (value: Bound): Condition =>
  new Condition((column) => sql`${column} >= ${bound(value, column)}`);
export const atMost = (value: Bound): Condition => new Condition((column) => sql`${column} <= ${bound(value, column)}`);
export const between = (first: Bound, last: Bound): Condition =>
  new Condition((column) => sql`${column} between ${bound(first, column)} and ${bound(last, column)}`);
/** A list holds something. */
export const filled = new Condition((column) => sql`cardinality(${column}) > 0`);
/** A JSON object has this property, and it is not JSON's null. */
export const has = (...path: string[]): Condition =>
  new Condition((column) => sql`jsonb_typeof(${column} #> ${path}::text[]) <> 'null'`);
