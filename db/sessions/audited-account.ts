import type { Window } from '../../domain/sessions/gap.ts';
import type { Tx } from '../engine/tx.ts';
import { run } from '../engine/rows.ts';
import { openGaps } from './gaps.ts';
import type { Session } from './session.ts';

/** Notes of which account the session hears. The facts of another account are reset. */
export async function recordToldAccount(tx: Tx, { id, chatId = null }: Pick<Session, 'id' | 'chatId'>): Promise<void> {
  await run(tx)`
    update session set told_account = ${chatId}, told_since = null, audited_at = null
    where id = ${id} and told_account is distinct from ${chatId}`;
}

/** Has a sample of the session's chats compared between these times, and says since when they are to be complete. */
export async function openAudit(tx: Tx, sessionId: string, { from, to }: Window): Promise<void> {
  await run(tx)`
    update session set audited_at = ${tx.now}::timestamptz, told_since = coalesce(told_since, ${from}::timestamptz)
    where id = ${sessionId}`;
  await openGaps(tx, [sessionId], { cause: 'audit', from, to });
}
