import { sql } from 'kysely';
import { z } from 'zod';
import { PRIORITY, SIGNALS, workflowId } from '../../domain/names.ts';
import { WORKING } from '../../domain/session.ts';
import type { Tx } from '../tx.ts';
import { insertDispatch, insertMissing, isUnpromised } from '../dispatch.ts';
import type { Wanted } from '../dispatch.ts';
import { row, run } from '../rows.ts';
import { isRefused } from './session.ts';

/** The backend that the engine is configured with, as its sessions' rows call it. */
const BACKEND = 'default';
/** A supervisor that was asked to look and has not looked is asked again after this long: it may be waiting for the backend. */
const ASK_AGAIN_AFTER_MS = 5 * 60_000;

const SessionOwner = z.object({ agencyId: z.string(), tenantId: z.string() });

/**
 * The backend says that a session which is WORKING in our rows is not: its supervisor looks, and records what it finds.
 * From then on its messages wait for it to come back instead of being tried again and again.
 */
export async function askForSessionLook(tx: Tx, sessionId: string): Promise<void> {
  const session = await row(tx, SessionOwner)`
    select agency_id as "agencyId", tenant_id as "tenantId" from session
    where id = ${sessionId} and status = ${WORKING}
      and ${isUnpromised(sql`${workflowId('superviseSession', sessionId)}`, 0)}`;
  if (!session) return;
  await insertDispatch(tx, {
    type: 'superviseSession',
    key: sessionId,
    action: 'signal_with_start',
    signal: SIGNALS.statusChanged,
    attributes: { AgencyId: session.agencyId, TenantId: session.tenantId, SessionId: sessionId },
    summary: `session of agency ${session.agencyId}`,
    priority: PRIORITY.api,
    agencyId: session.agencyId,
  });
}

/** Whether it is this process's turn to ask the backend for all its sessions: one of all processes, once in so long. */
export async function takeTurnToList(tx: Tx, everyMs: number): Promise<boolean> {
  const taken = await run(tx)`
    insert into session_list_turn (backend, taken_at) values (${BACKEND}, ${tx.now}::timestamptz)
    on conflict (backend) do update set taken_at = excluded.taken_at
      where session_list_turn.taken_at <= excluded.taken_at - ${everyMs} * interval '1 millisecond'`;
  return taken > 0;
}

/**
 * The supervisors of all sessions that the backend lacks, or has in another status than our rows, look at them. Those that
 * have not looked once are still connecting. Answers how many were asked.
 */
export async function askForLooks(tx: Tx, listed: readonly { name: string; status: string }[]): Promise<number> {
  const wanted: Wanted = {
    type: 'superviseSession',
    key: sql`s.id`,
    action: 'signal_with_start',
    signal: SIGNALS.statusChanged,
    attributes: sql`jsonb_build_object('AgencyId', s.agency_id, 'TenantId', s.tenant_id, 'SessionId', s.id)`,
    summary: sql`'session of agency ' || s.agency_id`,
    priority: PRIORITY.background,
    agencyId: sql`s.agency_id`,
    // The reconcile counts the promises of a supervisor that does not come.
    movedAt: null,
  };
  return insertMissing(
    tx,
    wanted,
    (columns) => sql`
      update session s set look_asked_at = ${tx.now}
      from (
        select mine.id from session mine
        left join jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as theirs(name text, status text)
          on theirs.name = mine.name
        where mine.backend = ${BACKEND} and theirs.status is distinct from mine.status
          and mine.supervised_at is not null and not ${isRefused(sql`mine.last_error`)}
          and (mine.look_asked_at is null or mine.look_asked_at <= mine.supervised_at
            or mine.look_asked_at < ${tx.now}::timestamptz - ${ASK_AGAIN_AFTER_MS} * interval '1 millisecond')
        for no key update of mine skip locked
      ) differs
      where s.id = differs.id
      returning ${columns}`,
  );
}
