import { sql } from 'kysely';
import { BACKEND_LOST } from '../../domain/sessions/session-error.ts';
import { RESTARTS_USED_UP } from '../../domain/sessions/session-error.ts';
import { forgetsMessages, WISH_OF } from '../../domain/sessions/wish.ts';
import type { SessionAct } from '../../domain/sessions/wish.ts';
import { RECOVERY } from '../../domain/sessions/change.ts';
import type { Deed } from '../../domain/sessions/change.ts';
import { run } from '../engine/rows.ts';
import { forgetHearing, NOT_SILENT } from './hearing.ts';
import { isRefused } from './session.ts';
import type { Tx } from '../engine/tx.ts';

/**
 * Records what somebody asks of a session. From the commit on nothing is sent that is not on its way, unless it is only
 * to be started. The last one who asks has it his way, but a deletion is final. The supervisor begins to count its
 * restarts anew. False when the session is deleted.
 */
export async function recordWish(tx: Tx, sessionId: string, act: SessionAct): Promise<boolean> {
  const recorded = await run(tx)`
    update session set wish = ${WISH_OF[act]}, wished_at = ${tx.now}, asked = ${act}, asked_at = ${tx.now},
      restarts = 0, last_error = nullif(last_error, ${RESTARTS_USED_UP})
    where id = ${sessionId} and wish <> 'deleted'`;
  return recorded > 0;
}

/** An activity that is tried again for so long is not expected. */
const REQUESTS_KEPT_DAYS = 30;

/**
 * Notes the request of a decision about a session. False when it has decided already: an activity that runs again does
 * not know that, and others may have decided since.
 */
export async function noteRequest(tx: Tx, sessionId: string, requestId: string): Promise<boolean> {
  const noted = await run(tx)`
    with old as (
      delete from session_request
      where session_id = ${sessionId} and at < ${tx.now}::timestamptz - ${REQUESTS_KEPT_DAYS} * interval '1 day'
    )
    insert into session_request (session_id, request_id, at) values (${sessionId}, ${requestId}, ${tx.now})
    on conflict do nothing`;
  return noted > 0;
}

/**
 * Records what is about to be done to a session at the backend, so that what follows there is known to follow from it.
 */
export async function recordDeed(tx: Tx, sessionId: string, deed: Deed): Promise<void> {
  const counted = deed === RECOVERY ? 1 : 0;
  await run(tx)`
    update session set acted = ${deed}, acted_at = ${tx.now}, restarts = restarts + ${counted}
    where id = ${sessionId}`;
}

/** An action clears the reason of its earlier failure; other reasons stay until they are fixed. */
const AFTER_A_DEED = sql`case when ${isRefused(sql`last_error`)} or last_error = ${BACKEND_LOST} then last_error end`;

/**
 * Records that it was done, and when, because what was held back until then goes now; what somebody has asked for
 * meanwhile stays. A logout leaves no account, so nothing that it has said of people, and the next one's past and
 * contacts are to be read anew. Waiters are told.
 */
export async function recordDeedDone(
  tx: Tx,
  sessionId: string,
  { deed, askedAt }: { deed: Deed; askedAt: Date | null },
): Promise<void> {
  await run(tx)`
    update session set acted_at = ${tx.now}, last_error = ${AFTER_A_DEED},
      asked = case when asked = ${deed} and asked_at = ${askedAt}::timestamptz then null else asked end
    where id = ${sessionId}`;
  if (deed !== RECOVERY && forgetsMessages(deed)) {
    await run(tx)`
      update session set chat_id = null, push_name = null, lid = null, synced_at = null, synced_pages = 0,
        contacts_synced_at = null, picture = null, picture_asked_at = null, ${NOT_SILENT}
      where id = ${sessionId}`;
    await run(tx)`delete from session_contact where session_id = ${sessionId}`;
    // The read position in one account's past is meaningless for the next account.
    await run(tx)`delete from history_read where session_id = ${sessionId}`;
    await run(tx)`delete from history_sync where session_id = ${sessionId}`;
    await forgetHearing(tx, sessionId);
  }
  tx.wake('session', sessionId);
}

/** Records that the session has worked for so long that its next failure is its first. */
export async function recordSteady(tx: Tx, sessionId: string): Promise<void> {
  await run(tx)`update session set restarts = 0 where id = ${sessionId} and restarts > 0`;
}
