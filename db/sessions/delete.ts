import { sql } from 'kysely';
import { run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { deleteGaps } from './gaps.ts';
import { lockTenant } from './session.ts';
import type { Session } from './session.ts';

/**
 * Takes a session out of its tenant's hands: another session of the tenant becomes the default, the oldest one, and the
 * keys that are bound to the session open nothing any more. Its row stays, because its conversations and messages do.
 */
export async function withdrawSession(
  tx: Tx,
  { id, agencyId, tenantId }: Pick<Session, 'id' | 'agencyId' | 'tenantId'>,
): Promise<void> {
  await lockTenant(tx, { agencyId, tenantId });
  await run(tx)`update api_key set revoked_at = ${tx.now} where session_id = ${id} and revoked_at is null`;
  tx.wake('agency', agencyId);
  const own = sql`agency_id = ${agencyId} and tenant_id = ${tenantId}`;
  const wasDefault = await run(tx)`update session set is_default = false where id = ${id} and is_default`;
  if (wasDefault === 0) return;
  await run(tx)`
    update session set is_default = true
    where id = (select id from session where ${own} and id <> ${id} and wish <> 'deleted' order by id limit 1)`;
}

/** Records that nothing of the session is left at the backend and nothing of it waits. Waiters are told. */
export async function recordDeleted(tx: Tx, sessionId: string): Promise<void> {
  await run(tx)`update session set deleted_at = ${tx.now}, asked = null where id = ${sessionId}`;
  await deleteGaps(tx, sessionId);
  tx.wake('session', sessionId);
}
