import type { Database } from '../../db/engine/database.ts';
import { untilBlockedHere } from './rows.ts';

/**
 * Does `work` in a transaction, begins `meanwhile`, and ends the transaction once that waits for one of its locks.
 * `held` runs before the end, in the transaction.
 */
export async function whileLocked<T>(
  database: Database,
  { work, meanwhile, held }: { work: Work; meanwhile: () => Promise<T>; held?: Work },
): Promise<T> {
  const isDone = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const locking = database.transaction(async (tx) => {
    await work(tx);
    isDone.resolve();
    await mayEnd.promise;
    await held?.(tx);
  });
  await Promise.race([isDone.promise, locking]);
  const waiting = meanwhile();
  try {
    await untilBlockedHere(database);
  } finally {
    mayEnd.resolve();
  }
  await locking;
  return waiting;
}

type Work = (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) => Promise<unknown>;
