import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tx.ts';

/** Runs a transaction and counts the statements that it sends, without its beginning and end and its events. */
export async function roundTripsOf(database: Database, work: (tx: Tx) => Promise<unknown>): Promise<number> {
  let statements = 0;
  await database.transaction(async (tx) => {
    const counting = tx.sql.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult({ result }) {
        statements += 1;
        return Promise.resolve(result);
      },
    });
    await work({ ...tx, sql: counting });
  });
  return statements;
}
