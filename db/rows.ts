import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { z } from 'zod';

/*
 * The one boundary at which the database's answers become values: nothing else in the engine runs a statement and reads
 * rows. A schema is made once, at the top of a module: the first row that one parses costs as much as thousands after
 * it.
 */

interface Runs {
  readonly sql: Kysely<unknown>;
}

/** A tag for the statement; what it embeds are parameters, or fragments that kysely's `sql` has made. */
type Statement<Answer> = (text: TemplateStringsArray, ...parameters: unknown[]) => Promise<Answer>;

/** Long enough to know the statement again. */
const SHOWN_STATEMENT_LENGTH = 300;

/** Runs the statement and holds each row that it answers to the schema. */
export function rows<S extends z.ZodType>(queries: Runs, schema: S): Statement<z.output<S>[]> {
  return async (text, ...parameters) => {
    const statement = sql(text, ...parameters);
    const answered = await statement.execute(queries.sql);
    return answered.rows.map((each) => {
      const parsed = schema.safeParse(each);
      if (!parsed.success) throw new Error(mismatch(parsed.error, statement.compile(queries.sql).sql));
      return parsed.data;
    });
  };
}

/** The first row, for a statement that answers at most one or of which one is enough. */
export function row<S extends z.ZodType>(queries: Runs, schema: S): Statement<z.output<S> | undefined> {
  return async (text, ...parameters) => {
    const [first] = await rows(queries, schema)(text, ...parameters);
    return first;
  };
}

/** The row of a statement that always answers one. */
export function one<S extends z.ZodType>(queries: Runs, schema: S): Statement<z.output<S>> {
  return async (text, ...parameters) => {
    const [first] = await rows(queries, schema)(text, ...parameters);
    if (first === undefined) throw new Error(`No row was answered. Mend the statement: ${shown(text.join('?'))}`);
    return first;
  };
}

/** Runs a statement whose columns nobody reads; answers how many rows it wrote, or how many it found. */
export function run(queries: Runs): Statement<number> {
  return async (text, ...parameters) => {
    const answered = await sql(text, ...parameters).execute(queries.sql);
    return Number(answered.numAffectedRows ?? answered.rows.length);
  };
}

/** Names columns and what was expected of them, never what a row holds: that may be personal. */
function mismatch(error: z.ZodError, statement: string): string {
  const columns = error.issues.map((issue) => {
    const expected = issue.code === 'invalid_type' ? `, expected ${issue.expected}` : '';
    return `"${String(issue.path[0] ?? '*')}" (${issue.code}${expected})`;
  });
  return `A row differs from its schema in ${[...new Set(columns)].join(', ')}. Mend the statement or the schema: ${shown(statement)}`;
}

function shown(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_STATEMENT_LENGTH);
}
