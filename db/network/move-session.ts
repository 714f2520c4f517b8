import { STARTING } from '../../domain/sessions/session.ts';
import { run } from '../engine/rows.ts';
import type { Session } from '../sessions/session.ts';
import { NOT_SILENT } from '../sessions/hearing.ts';
import { promiseSession } from '../sessions/session-workflow.ts';
import type { Tx } from '../engine/tx.ts';
import { applySessionStatus } from './ingest.ts';

/**
 * Moves a session, whose row the caller has locked, to another server of the backend. Its supervisor makes it there;
 * until it works there, its messages wait. Reports of the former server no longer count.
 */
export async function moveSession(tx: Tx, session: Session, backend: string): Promise<void> {
  await applySessionStatus(tx, session, {
    kind: 'session',
    key: `moved:${session.id}`,
    status: STARTING,
    at: session.statusAt.getTime(),
    me: null,
    platform: null,
  });
  // The clock of the other server has told nothing yet, and the session has nothing there that is ours.
  await run(tx)`
    update session set backend = ${backend}, status_at = 'epoch', status_changed_at = ${tx.now}, platform = null,
      supervised_at = null, look_asked_at = null, webhook_digest = null, webhook_since = null, last_error = null,
      ${NOT_SILENT}, compared_at = null
    where id = ${session.id}`;
  // The former server has made the key that requests of the session carry.
  await run(tx)`delete from session_backend_key where session_id = ${session.id}`;
  await promiseSession(tx, session.id, 'statusChanged');
}
