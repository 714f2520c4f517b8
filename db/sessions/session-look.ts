import { sql } from 'kysely';
import { z } from 'zod';
import { BACKEND_LOST } from '../../domain/sessions/session-error.ts';
import { PRIORITY } from '../../domain/names.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import type { Tx } from '../engine/tx.ts';
import { promiseMissing } from '../promises.ts';
import { rows, run } from '../engine/rows.ts';
import { isRefused } from './session.ts';
import { lacksWebhook } from './session-webhook.ts';
import type { SessionWebhook } from './session-webhook.ts';

/**
 * A supervisor that was asked to look and has not looked is asked again after this long; it may be waiting for the
 * backend.
 */
const ASK_AGAIN_AFTER_MS = 5 * 60_000;

const Asked = z.object({ id: z.string() });

/**
 * Asks the supervisor of a session to look at the backend, because the backend says that a session which is WORKING in
 * our rows is not. The supervisor records what it finds; the session's messages then wait until the session works,
 * instead of being tried again and again.
 */
export async function askForSessionLook(tx: Tx, sessionId: string): Promise<void> {
  await promiseMissing(tx, 'superviseSession', {
    which: sql`r.id = ${sessionId} and r.status = ${WORKING}`,
    signal: 'statusChanged',
    movedAt: null,
    parkedForMs: 0,
  });
}

/** True when this process may ask the backend for all its sessions: of all processes, one may do so in each period. */
export async function takeTurnToList(tx: Tx, backend: string, everyMs: number): Promise<boolean> {
  const taken = await run(tx)`
    insert into session_list_turn (backend, taken_at) values (${backend}, ${tx.now}::timestamptz)
    on conflict (backend) do update set taken_at = excluded.taken_at
      where session_list_turn.taken_at <= excluded.taken_at - ${everyMs} * interval '1 millisecond'`;
  return taken > 0;
}

/**
 * Asks the supervisors of a backend's sessions to look: of those that the backend lacks, or has in another status than
 * our rows, that have an outdated webhook, or whose backend was not configured for a while. A session that is not to
 * run counts as stopped where the backend lacks it. Sessions whose supervisor has never looked are left out, because
 * they are still connecting. A supervisor that has looked and changed nothing about its webhook ran in an older
 * process, so it is asked again after a pause. Returns how many were asked.
 */
export async function askForLooks(
  tx: Tx,
  { id: backend, listed }: { id: string; listed: readonly { name: string; status: string }[] },
  webhook: SessionWebhook,
): Promise<number> {
  const again = sql`${tx.now}::timestamptz - ${ASK_AGAIN_AFTER_MS} * interval '1 millisecond'`;
  const asked = await rows(tx, Asked)`
    update session s set look_asked_at = ${tx.now}
    from (
      select mine.id from session mine
      left join jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as theirs(name text, status text)
        on theirs.name = mine.name
      cross join lateral (select coalesce(theirs.status, case when mine.wish <> 'running' then 'STOPPED' end) as status)
        there
      where mine.backend = ${backend} and mine.supervised_at is not null and mine.deleted_at is null
        and not ${isRefused(sql`mine.last_error`)}
        and (mine.look_asked_at is null or mine.look_asked_at < ${again}
          or (there.status is distinct from mine.status and mine.look_asked_at <= mine.supervised_at))
        and (there.status is distinct from mine.status or mine.last_error = ${BACKEND_LOST}
          or ${lacksWebhook(tx, webhook)})
      for no key update of mine skip locked
    ) differs
    where s.id = differs.id
    returning s.id`;
  return promiseLooks(tx, asked);
}

/**
 * Asks the supervisors of a backend's sessions to look whose webhook is outdated, for a process that begins: until they
 * have looked, their sessions report to the address of the process before. An ask from before this process began does
 * not count, because it was made for another address. Returns how many were asked.
 */
export async function askForWebhooks(tx: Tx, backend: string, webhook: SessionWebhook): Promise<number> {
  const asked = await rows(tx, Asked)`
    update session s set look_asked_at = ${tx.now}
    from (
      select mine.id from session mine
      where mine.backend = ${backend} and mine.supervised_at is not null and mine.deleted_at is null
        and not ${isRefused(sql`mine.last_error`)} and ${lacksWebhook(tx, webhook)}
        and (mine.look_asked_at is null or mine.look_asked_at < ${webhook.since})
      for no key update of mine skip locked
    ) lacking
    where s.id = lacking.id
    returning s.id`;
  return promiseLooks(tx, asked);
}

function promiseLooks(tx: Tx, asked: readonly z.output<typeof Asked>[]): Promise<number> {
  return promiseMissing(tx, 'superviseSession', {
    which: sql`r.id = any(${asked.map(({ id }) => id)}::text[])`,
    signal: 'statusChanged',
    priority: PRIORITY.background,
    // This promise is not counted; the reconcile counts the promises of a supervisor that does not come.
    movedAt: null,
  });
}
