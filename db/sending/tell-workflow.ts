import type { Tx } from '../engine/tx.ts';
import { tellOpen } from '../promises.ts';

/** Signals a message's workflow that the message's row has changed. */
export async function tellWorkflow(tx: Tx, { id, agencyId }: { id: string; agencyId: string }): Promise<void> {
  await tellOpen(tx, 'deliverMessage', { key: id, agencyId, signal: 'changed' });
}
