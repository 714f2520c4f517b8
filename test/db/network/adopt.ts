import type { Tx } from '../../../db/engine/tx.ts';
import { adoptOwnMessage, listOwnMessagesToAdopt } from '../../../db/network/own-message.ts';

/** Runs the sweep over own messages that were parked long enough, in the given transaction. */
export async function adoptIn(tx: Tx): Promise<void> {
  for (const parked of await listOwnMessagesToAdopt(tx, 100)) await adoptOwnMessage(tx, parked);
}
