import { moveSession } from '../network/move-session.ts';
import { lockSession } from '../sessions/session.ts';
import type { Session } from '../sessions/session.ts';
import { recordChange } from '../audit.ts';
import type { RecordedBy } from '../audit.ts';
import type { Tx } from '../engine/tx.ts';

/**
 * Moves a session to another backend, where its supervisor makes it, and records who says so. Returns the session;
 * `hasMoved` is false where it was there already. Null where there is no such session, or it is deleted.
 */
export async function moveToBackend(
  tx: Tx,
  idOrName: string,
  { backend, by }: { backend: string; by: RecordedBy },
): Promise<{ hasMoved: boolean; session: Session } | null> {
  const found = await lockSession(tx, idOrName);
  if (!found || found.wish === 'deleted') return null;
  if (found.backend === backend) return { hasMoved: false, session: found };
  await moveSession(tx, found, backend);
  const detail = { from: found.backend, to: backend };
  const change = { of: found, object: 'session', objectId: found.id, action: 'moved', detail } as const;
  await recordChange(tx, change, by);
  const session = await lockSession(tx, found.id);
  return session && { hasMoved: true, session };
}
