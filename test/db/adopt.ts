import type { Database, Tx } from '../../db/database.ts';
import { adoptOwnMessage, listOwnMessagesToAdopt } from '../../db/own-message.ts';

/** What the sweep of the ingest does about own messages that were parked long enough, in the given transaction. */
export async function adoptIn(tx: Tx): Promise<void> {
  for (const parked of await listOwnMessagesToAdopt(tx, 100)) await adoptOwnMessage(tx, parked);
}

export async function adoptOwnMessages(database: Database): Promise<void> {
  const all = await database.read((queries) => listOwnMessagesToAdopt(queries, 100));
  for (const parked of all) await database.transaction((tx) => adoptOwnMessage(tx, parked));
}
