import { z } from 'zod';
import { row, run } from './engine/rows.ts';
import type { Queries, Tx } from './engine/tx.ts';

/** Identifies a store of Temporal, and distinguishes it from its own earlier copies. */
const TemporalStore = z.object({
  namespaceId: z.string(),
  /** Runs of the reconcile schedule. A store restored from a copy has fewer. */
  scheduleRuns: z.coerce.number(),
});
export type TemporalStore = z.infer<typeof TemporalStore>;

/** Reads to which store our promises went, and how far it was when a worker last looked; null before the first. */
export async function findTemporalStore(queries: Queries): Promise<TemporalStore | null> {
  const found = await row(queries, TemporalStore)`
    select namespace_id as "namespaceId", schedule_runs as "scheduleRuns" from temporal_store`;
  return found ?? null;
}

/** Records the store; the caller has promised everything to it before, or has found it further than it was. */
export async function recordTemporalStore(tx: Tx, { namespaceId, scheduleRuns }: TemporalStore): Promise<void> {
  await run(tx)`
    insert into temporal_store (namespace_id, schedule_runs) values (${namespaceId}, ${scheduleRuns})
    on conflict (one) do update set namespace_id = excluded.namespace_id, schedule_runs = excluded.schedule_runs`;
}
