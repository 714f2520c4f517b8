import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { run } from './statements.ts';
import type { Column, Table } from './statements.ts';

interface Refused<T extends Table> {
  on: 'insert' | 'update';
  /** Refuses only rows that become so; all of them without it. */
  where?: { [C in Column<T>]?: string | boolean };
  /** The fault is the row's own, as where a constraint refuses it. Otherwise it is trouble of PostgreSQL. */
  isOwnFault?: boolean;
}

/**
 * Makes PostgreSQL refuse to write rows, whoever writes them. Answers what ends that: each table has at most one such
 * fault at a time.
 */
export async function refuseRows<T extends Table>(
  database: Database,
  table: T,
  { on, where = {}, isOwnFault = false }: Refused<T>,
): Promise<() => Promise<void>> {
  const fault = sql.id(`refuse_${table}`);
  // A statement that defines something takes no parameters.
  const wanted = Object.entries(where).map(([column, value]) => sql`${sql.ref(`new.${column}`)} = ${sql.lit(value)}`);
  await run(
    database,
    sql`create function ${fault}() returns trigger language plpgsql
      as 'begin raise ${sql.raw(isOwnFault ? 'check_violation' : 'raise_exception')}; end'`,
  );
  await run(
    database,
    sql`create trigger refuse before ${sql.raw(on)} on ${sql.table(table)} for each row
      ${wanted.length > 0 ? sql`when (${sql.join(wanted, sql` and `)})` : sql``} execute function ${fault}()`,
  );
  return async () => void (await run(database, sql`drop function ${fault}() cascade`));
}
