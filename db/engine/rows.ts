import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { z } from 'zod';

/*
 * Here the database's answers become values; nothing else in the engine runs a statement and reads rows. A schema is
 * made once, at the top of a module, because the first row that a schema parses costs as much as thousands after it.
 */

interface Runs {
  readonly sql: Kysely<unknown>;
}

/** A template tag for the statement; the embedded values are parameters, or fragments that kysely's `sql` has made. */
type Statement<Answer> = (text: TemplateStringsArray, ...parameters: unknown[]) => Promise<Answer>;

/** An error shows this much of a statement; that is enough to recognise it. */
const SHOWN_STATEMENT_LENGTH = 300;

/** Runs the statement and checks each row of its answer against the schema. */
export function rows<S extends z.ZodType>(queries: Runs, schema: S): Statement<z.output<S>[]> {
  return async (text, ...parameters) => {
    const statement = sql(text, ...parameters);
    const answered = await statement.execute(queries.sql);
    return answered.rows.map((each) => hold(schema, each, () => statement.compile(queries.sql).sql));
  };
}

/** Holds one row to the schema, for an answer to several callers where an odd row must fail its own caller alone. */
function hold<S extends z.ZodType>(schema: S, value: unknown, statement: () => string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Error(mismatch(parsed.error, statement()));
  return parsed.data;
}

/** Answers the first row, for a statement that answers at most one row or whose other rows do not matter. */
export function row<S extends z.ZodType>(queries: Runs, schema: S): Statement<z.output<S> | undefined> {
  return async (text, ...parameters) => {
    const [first] = await rows(queries, schema)(text, ...parameters);
    return first;
  };
}

/** Answers the row of a statement that always answers one; throws when there is none. */
export function one<S extends z.ZodType>(queries: Runs, schema: S): Statement<z.output<S>> {
  return async (text, ...parameters) => {
    const [first] = await rows(queries, schema)(text, ...parameters);
    if (first === undefined) throw new Error(`No row was answered. Mend the statement: ${shown(text.join('?'))}`);
    return first;
  };
}

/** Runs a statement whose columns are not read; answers how many rows it wrote or found. */
export function run(queries: Runs): Statement<number> {
  return async (text, ...parameters) => {
    const answered = await sql(text, ...parameters).execute(queries.sql);
    return Number(answered.numAffectedRows ?? answered.rows.length);
  };
}

/**
 * Sends a statement whose columns are not read, and resolves when it is on its way: what the transaction sends next
 * follows without waiting for the answer. `written` tells how the statement ended, and must be awaited.
 */
export function send(queries: Runs): Statement<{ written: Promise<void> }> {
  return async (text, ...parameters) => {
    const compiled = sql(text, ...parameters).compile(queries.sql);
    const sent = Promise.withResolvers<void>();
    const answered = queries.sql.getExecutor().provideConnection(async (connection) => {
      const answer = connection.executeQuery(compiled);
      sent.resolve();
      await answer;
    });
    // Without a connection nothing is sent; whoever awaits `written` learns why.
    answered.catch(() => sent.resolve());
    await sent.promise;
    return { written: answered };
  };
}

/**
 * Words the error of a row that differs from its schema. It names columns and expected types, never a row's values,
 * because those may be personal.
 */
function mismatch(error: z.ZodError, statement: string): string {
  const columns = error.issues.map((issue) => {
    const expected = issue.code === 'invalid_type' ? `, expected ${issue.expected}` : '';
    return `"${String(issue.path[0] ?? '*')}" (${issue.code}${expected})`;
  });
  const differing = [...new Set(columns)].join(', ');
  return `A row differs from its schema in ${differing}. Mend the statement or the schema: ${shown(statement)}`;
}

function shown(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_STATEMENT_LENGTH);
}
