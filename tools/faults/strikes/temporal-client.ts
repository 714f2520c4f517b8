import { Connection } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { Machine } from '../../demo/engine-process.ts';
import { createClient } from '../../../loops/dispatch/temporal-client.ts';

/** The namespace in which the embedded server puts everything. */
const NAMESPACE = 'default';

/** Gives the work an operator's client of the machine's Temporal, and closes it afterwards. */
export async function withTemporal<T>(machine: Machine, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: `127.0.0.1:${machine.environment['TEMPORAL_PORT']}` });
  try {
    return await work(createClient(connection, NAMESPACE));
  } finally {
    await connection.close();
  }
}
