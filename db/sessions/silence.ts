import { z } from 'zod';
import type { RecoveredReason, SilenceReason, Verdict } from '../../domain/sessions/comparison.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import { Timestamp } from '../engine/columns.ts';
import { row, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import type { Session } from './session.ts';

/** Records that a session was compared and lacks nothing, or that it does and is to be seen to. */
export async function recordCompared(tx: Tx, sessionId: string, found: 'nothing' | 'missed'): Promise<void> {
  if (found === 'missed') {
    await run(tx)`
      update session set suspect = coalesce(suspect, 'messages_missed'), compare_at = ${tx.now}
      where id = ${sessionId}`;
    return;
  }
  await run(tx)`
    update session set compared_at = ${tx.now}, compare_at = null where id = ${sessionId} and suspect is null`;
}

/** The restarts of a silence that is over count for this long. */
const RESTARTS_COUNT_FOR = '1 day';

/**
 * Tells that a session is silent, before what it has missed is fetched. A silence that was told is not told again.
 * `since` is when it heard something last, or began to work.
 */
export async function tellSilent(
  tx: Tx,
  session: Session,
  { reason, since, missed }: { reason: SilenceReason; since: Date; missed: number },
): Promise<void> {
  const told = await run(tx)`
    update session set silent_since = ${since}, suspect = ${reason}, silences = silences + 1,
      silence_restarts = case when silence_restart_at > ${tx.now}::timestamptz - ${RESTARTS_COUNT_FOR}::interval
        then silence_restarts else 0 end,
      silence_restart_at = case when silence_restart_at > ${tx.now}::timestamptz - ${RESTARTS_COUNT_FOR}::interval
        then silence_restart_at end
    where id = ${session.id} and silent_since is null`;
  if (told === 0) return;
  tx.emit({
    ...placeOf(session),
    event: 'session.silent',
    payload: {
      sessionId: session.id,
      name: session.name,
      reason,
      since: since.toISOString(),
      missed,
      timestamp: Math.floor(tx.now.getTime() / 1_000),
    },
  });
}

/**
 * Records what follows from a comparison: it is over, or the session is restarted and compared again. A request that
 * came meanwhile replaces the restart. `comparedAt` is when the comparison began.
 */
export async function recordVerdict(
  tx: Tx,
  session: Session,
  { verdict, comparedAt }: { verdict: Verdict; comparedAt: Date },
): Promise<void> {
  const { recovered, restarts, compareAt } = verdict;
  if (compareAt === null) await recordHears(tx, session, { recovered, comparedAt });
  else {
    await run(tx)`
      update session set compared_at = ${comparedAt}, compare_at = ${compareAt} where id = ${session.id}`;
  }
  if (!restarts) return;
  await run(tx)`
    update session set asked = 'restart', asked_at = ${tx.now}, silence_restart_at = ${tx.now},
      silence_restarts = silence_restarts + 1
    where id = ${session.id} and asked is null and wish = 'running' and status = ${WORKING} and suspect is not null`;
}

const Ended = z.object({ silentSince: Timestamp.nullable(), restarts: z.int() });

/**
 * Ends a silence. Its restarts stay counted for a while, because a session that falls silent again and again is to be
 * restarted ever more rarely.
 */
async function recordHears(
  tx: Tx,
  session: Session,
  { recovered, comparedAt }: { recovered: RecoveredReason | null; comparedAt: Date },
): Promise<void> {
  const ended = await row(tx, Ended)`
    update session set suspect = null, compare_at = null, silent_since = null, compared_at = ${comparedAt}
    from (select id, silent_since from session where id = ${session.id} for no key update) old
    where session.id = old.id
    returning old.silent_since as "silentSince", session.silence_restarts as restarts`;
  if (!ended?.silentSince || recovered === null) return;
  tx.emit({
    ...placeOf(session),
    event: 'session.recovered',
    payload: {
      sessionId: session.id,
      name: session.name,
      reason: recovered,
      silentSince: ended.silentSince.toISOString(),
      restarts: ended.restarts,
      timestamp: Math.floor(tx.now.getTime() / 1_000),
    },
  });
}

function placeOf({ id, agencyId, tenantId }: Session) {
  return { agencyId, tenantId, sessionId: id, conversationId: null };
}
