import { run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

/**
 * Waits while another transaction applies events of the session, and keeps others from it until this transaction ends.
 */
export async function lockSessionEvents(tx: Tx, sessionName: string): Promise<void> {
  await run(tx)`select pg_advisory_xact_lock(session_events_lock(${sessionName}))`;
}
