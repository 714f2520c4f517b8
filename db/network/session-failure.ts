import { FAILED } from '../../domain/sessions/session.ts';
import { recordSessionError } from '../sessions/session.ts';
import type { Session } from '../sessions/session.ts';
import type { Tx } from '../engine/tx.ts';
import { applySessionStatus } from './ingest.ts';

/** Reports the session as failed for a reason of the engine's, so that nobody waits for a session that never comes. */
export async function failSession(tx: Tx, session: Session, lastError: string): Promise<void> {
  const failed = { kind: 'session', key: `failed:${session.id}`, status: FAILED, me: null, platform: null } as const;
  await applySessionStatus(tx, session, { ...failed, at: session.statusAt.getTime() }, 'refused');
  await recordSessionError(tx, session.id, lastError);
}
