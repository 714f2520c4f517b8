import { z } from 'zod';
import { lockConversation } from '../../conversations/conversation.ts';
import { IdRow } from '../../engine/columns.ts';
import { one, rows } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { endMessage } from '../outcome.ts';

const NumberRow = z.object({ transaction: z.string() });
const DrainRow = z.object({ isClear: z.boolean(), inFlight: z.int() });

/** Answers the number of this transaction, by which {@link readDrain} knows the claims that began before it. */
export async function numberOf(tx: Tx): Promise<string> {
  return (await one(tx, NumberRow)`select pg_current_xact_id()::text as transaction`).transaction;
}

/**
 * Tells what of a session is on its way. `isClear` is true once every claim that began before that transaction is over:
 * one that began later has seen what was asked of the session, and claims nothing.
 */
export async function readDrain(
  queries: Queries,
  { sessionId, transaction }: { sessionId: string; transaction: string },
): Promise<z.output<typeof DrainRow>> {
  return one(queries, DrainRow)`
    select pg_snapshot_xmin(pg_current_snapshot()) > ${transaction}::xid8 as "isClear",
      (select count(*)::int from message where session_id = ${sessionId} and status = 'sending') as "inFlight"`;
}

/** Lists conversations of a session that have a message in one of these states. */
export async function listConversationsWith(
  queries: Queries,
  { sessionId, states, limit }: { sessionId: string; states: 'in_doubt' | 'waiting'; limit: number },
): Promise<string[]> {
  const found =
    states === 'in_doubt'
      ? await rows(queries, IdRow)`
          select distinct conversation_id as id from message
          where session_id = ${sessionId} and status = 'sending' limit ${limit}`
      : await rows(queries, IdRow)`
          (select conversation_id as id from message
            where session_id = ${sessionId} and status = 'queued' limit ${limit})
          union
          (select conversation_id from message
            where session_id = ${sessionId} and status = 'scheduled' limit ${limit})`;
  return found.map(({ id }) => id);
}

const InDoubt = z.object({ id: z.string(), token: z.string() });

/** Ends sends of which nothing will show any more whether they went out, because the backend forgets its messages. */
export async function endInDoubt(tx: Tx, conversationId: string): Promise<void> {
  const lockedId = await lockConversation(tx, conversationId);
  const inDoubt = await rows(tx, InDoubt)`
    select id, claim_token as token from message
    where conversation_id = ${lockedId} and status = 'sending' and claim_token is not null`;
  for (const { id, token } of inDoubt) {
    await endMessage(tx, id, { status: 'uncertain', reason: 'outcome_unknown', detail: 'session_logged_out', token });
  }
}

/** Ends what waits in a conversation of a session that is deleted; the last first, so that none lets another go. */
export async function endWaiting(tx: Tx, conversationId: string): Promise<void> {
  const lockedId = await lockConversation(tx, conversationId);
  const waiting = await rows(tx, IdRow)`
    select id from message where conversation_id = ${lockedId} and status in ('queued', 'scheduled')
    order by chat_seq desc nulls first, id desc for update`;
  for (const { id } of waiting) await endMessage(tx, id, { status: 'failed', reason: 'session_deleted', detail: null });
}
