import type { Database } from '../../../db/engine/database.ts';
import { createLazyClient } from '../../../loops/dispatch/temporal-client.ts';
import { Dispatcher } from '../../../loops/dispatcher.ts';
import { nobodyKnows } from '../../support/nobody-knows.ts';

const quiet = { warn: () => undefined, error: () => undefined };

/** Runs the parts of a worker's process that need no Temporal, for as long as the test. */
export async function whileWorkerLives(database: Database, test: () => Promise<void>): Promise<void> {
  const down = async (): Promise<never> => {
    throw new Error('Temporal is down.');
  };
  const client = createLazyClient({ connectionOptions: { address: '127.0.0.1:1' }, namespace: 'none' });
  const worker = new Dispatcher({
    database,
    client,
    eager: false,
    attributes: down,
    probe: down,
    findPhone: nobodyKnows,
    log: quiet,
  });
  worker.start();
  try {
    await test();
  } finally {
    await worker.stop();
    await client.connection.close();
  }
}
