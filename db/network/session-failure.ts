import { FAILED } from '../../domain/session.ts';
import { recordSessionError } from '../sessions/session.ts';
import type { Session } from '../sessions/session.ts';
import type { Tx } from '../tx.ts';
import { applySessionStatus } from './ingest.ts';

/** Reports the session as failed for a reason of the engine's, so that nobody waits for a session that never comes. */
export async function failSession(tx: Tx, session: Session, lastError: string): Promise<void> {
  await applySessionStatus(tx, session, {
    kind: 'session',
    key: `failed:${session.id}`,
    status: FAILED,
    at: session.statusAt.getTime(),
    me: null,
    platform: null,
  });
  await recordSessionError(tx, session.id, lastError);
}
