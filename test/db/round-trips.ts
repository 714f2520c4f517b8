import type { Database } from '../../db/engine/database.ts';
import type { Tx } from '../../db/engine/tx.ts';

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

type Way = 'read' | 'statement' | 'transaction';

/** The same database, which tells before each read, statement and transaction that it is one. */
export function watched(database: Database, tell: (way: Way) => Promise<void> | void): Database {
  const isWay = (name: string | symbol): name is Way => ['read', 'statement', 'transaction'].includes(String(name));
  return new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...given: unknown[]): Promise<unknown> => {
        if (isWay(name)) await tell(name);
        return Reflect.apply(value, target, given);
      };
    },
  });
}
