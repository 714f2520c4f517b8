import { sql } from 'kysely';
import { PRIORITY, workflowId } from '../domain/names.ts';
import { WORKING } from '../domain/session.ts';
import type { Tx } from './database.ts';
import { insertDispatch, isUnpromised } from './dispatch.ts';

/**
 * The backend says that a session which is WORKING in our rows is not: its supervisor looks, and records what it finds.
 * From then on its messages wait for it to come back instead of being tried again and again.
 */
export async function askForSessionLook(tx: Tx, sessionId: string): Promise<void> {
  const { rows } = await sql<{ agencyId: string; tenantId: string }>`
    select agency_id as "agencyId", tenant_id as "tenantId" from session
    where id = ${sessionId} and status = ${WORKING}
      and ${isUnpromised(sql`${workflowId('superviseSession', sessionId)}`, 0)}`.execute(tx.sql);
  const session = rows[0];
  if (!session) return;
  await insertDispatch(tx, {
    type: 'superviseSession',
    key: sessionId,
    action: 'signal_with_start',
    signal: 'statusChanged',
    attributes: { AgencyId: session.agencyId, TenantId: session.tenantId, SessionId: sessionId },
    summary: `session of agency ${session.agencyId}`,
    priority: PRIORITY.api,
    agencyId: session.agencyId,
  });
}
