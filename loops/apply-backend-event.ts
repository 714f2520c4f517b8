import { parseBackendEvent } from '../backend/events/events.ts';
import type { Tx } from '../db/tx.ts';
import { applyNetworkEvent } from '../db/network/ingest.ts';
import type { Session } from '../db/sessions/session.ts';

/** Applies one event. Only the session's ids and name are used, because they never change, while the row may be old. */
export async function applyBackendEvent(
  tx: Tx,
  session: Session | null,
  body: string,
  receivedAt: Date | null = null,
): Promise<'applied' | 'ignored'> {
  const parsed = parseBackendEvent(body);
  if (parsed.outcome === 'unparseable') throw new UnreadableEvent(parsed.reason);
  // The session belongs to another user of the same backend, or it was deleted.
  if (!session) return 'ignored';
  await applyNetworkEvent(tx, session, parsed.event, receivedAt);
  return 'applied';
}

export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

/** Keeps only the name of a failure, because errors of the database may quote what somebody wrote. */
export function failureName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
