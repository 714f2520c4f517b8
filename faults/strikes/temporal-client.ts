import { Connection } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { Machine } from '../../demo/engine-process.ts';
import { createClient } from '../../dispatch/temporal-client.ts';

/** Where the embedded server puts everything. */
const NAMESPACE = 'default';

/** A client of the machine's Temporal as an operator has it, closed when the work is done. */
export async function withTemporal<T>(machine: Machine, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: `127.0.0.1:${machine.environment['TEMPORAL_PORT']}` });
  try {
    return await work(createClient(connection, NAMESPACE));
  } finally {
    await connection.close();
  }
}
