import { parseBackendEvent } from '../backend/events/events.ts';
import type { Tx } from '../db/tx.ts';
import { applyNetworkEvent } from '../db/network/ingest.ts';
import type { Session } from '../db/sessions/session.ts';

/** Of the session no more is used than what never changes: its ids and its name. */
export async function applyBackendEvent(
  tx: Tx,
  session: Session | null,
  body: string,
  receivedAt: Date | null = null,
): Promise<'applied' | 'ignored'> {
  const parsed = parseBackendEvent(body);
  if (parsed.outcome === 'unparseable') throw new UnreadableEvent(parsed.reason);
  // A session that is nobody's: another user of the same backend, or one that was deleted.
  if (!session) return 'ignored';
  await applyNetworkEvent(tx, session, parsed.event, receivedAt);
  return 'applied';
}

export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

/** What is kept of a failure: errors of the database may quote what somebody wrote. */
export function failureName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
