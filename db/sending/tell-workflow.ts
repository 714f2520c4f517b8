import type { Tx } from '../tx.ts';
import { tellOpen } from '../promises.ts';

/** Has a message's workflow look at its row again. */
export async function tellWorkflow(tx: Tx, { id, agencyId }: { id: string; agencyId: string }): Promise<void> {
  await tellOpen(tx, 'deliverMessage', { key: id, agencyId, signal: 'changed' });
}
