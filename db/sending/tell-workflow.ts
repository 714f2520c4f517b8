import { PRIORITY } from '../../domain/names.ts';
import type { Tx } from '../tx.ts';
import { insertDispatch } from '../dispatch.ts';

/** A workflow that waits looks at the row again; one that has closed needs no telling. */
export async function tellWorkflow(tx: Tx, { id, agencyId }: { id: string; agencyId: string }): Promise<void> {
  await insertDispatch(tx, {
    type: 'deliverMessage',
    key: id,
    action: 'signal',
    signal: 'changed',
    attributes: {},
    priority: PRIORITY.background,
    agencyId,
  });
}
