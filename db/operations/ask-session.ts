import type { SessionAct } from '../../domain/sessions/wish.ts';
import type { AuditAction } from '../../domain/tenants/audit.ts';
import { withdrawSession } from '../sessions/delete.ts';
import { promiseSession } from '../sessions/session-workflow.ts';
import type { Session } from '../sessions/session.ts';
import { recordWish } from '../sessions/wish.ts';
import { recordChange } from '../audit.ts';
import type { RecordedBy } from '../audit.ts';
import type { Tx } from '../engine/tx.ts';

const AUDITED_AS = {
  start: 'started',
  stop: 'stopped',
  restart: 'restarted',
  logout: 'logged_out',
  relogin: 'logged_out',
  delete: 'deleted',
} as const satisfies Record<SessionAct, AuditAction>;

/**
 * Asks a session's supervisor for something: who wants what is recorded with the promise of its supervisor, which does
 * it at the backend. False when the session is deleted.
 */
export async function askSession(
  tx: Tx,
  session: Pick<Session, 'id' | 'agencyId' | 'tenantId' | 'status'>,
  { act, by }: { act: SessionAct; by: RecordedBy },
): Promise<boolean> {
  if (act === 'delete') await withdrawSession(tx, session);
  if (!(await recordWish(tx, session.id, act))) return false;
  const { id: objectId, agencyId, tenantId, status } = session;
  const change = { of: { agencyId, tenantId }, object: 'session', objectId, action: AUDITED_AS[act] } as const;
  await recordChange(tx, { ...change, detail: { act, status } }, by);
  await promiseSession(tx, objectId, 'statusChanged');
  return true;
}
