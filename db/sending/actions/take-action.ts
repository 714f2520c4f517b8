import { z } from 'zod';
import { ACTION_KINDS } from '../../../domain/sending/message-action.ts';
import { IdRow, Timestamp } from '../../engine/columns.ts';
import { row } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';

const NextAction = z.object({
  id: z.string(),
  kind: z.enum(ACTION_KINDS),
  value: z.string().nullable(),
  attempts: z.int(),
  createdAt: Timestamp,
  isOver: z.boolean(),
  /** For how long another attempt still calls the backend; 0 where none does. */
  takenForMs: z.number(),
  agencyId: z.string(),
  conversationId: z.string(),
  isSuspended: z.boolean(),
  body: z.string(),
  editedAt: Timestamp.nullable(),
  isRevoked: z.boolean(),
  /** The account's reaction, and when it was put there. */
  reaction: z.string().nullable(),
  reactedAt: Timestamp.nullable(),
  networkId: z.string(),
  fromMe: z.boolean(),
  chatId: z.string(),
  participant: z.string().nullable(),
  sessionId: z.string(),
  backend: z.string(),
  sessionName: z.string(),
  sessionStatus: z.string(),
  isSessionGone: z.boolean(),
});
export type NextAction = z.output<typeof NextAction>;

/** Finds the oldest action on a message that has not ended, with all that decides what is to be done now. */
export async function findNextAction(queries: Queries, messageId: string): Promise<NextAction | undefined> {
  return row(queries, NextAction)`
    select a.id, a.kind, a.value, a.attempts, a.created_at as "createdAt",
      a.expires_at <= ${queries.now} as "isOver",
      greatest(coalesce(extract(epoch from a.claimed_until - clock_timestamp()) * 1000, 0), 0)::float8 as "takenForMs",
      m.agency_id as "agencyId", m.conversation_id as "conversationId", is_suspended(g.status) as "isSuspended",
      m.body, m.edited_at as "editedAt", m.revoked_at is not null as "isRevoked",
      r.value[1] as reaction, r.at as "reactedAt", m.network_id as "networkId", m.direction = 'out' as "fromMe",
      coalesce(m.chat_id, c.chat_id) as "chatId", m.participant, s.id as "sessionId", s.backend,
      s.name as "sessionName", s.status as "sessionStatus",
      s.deleted_at is not null or s.wish = 'deleted' as "isSessionGone"
    from message_action a join message m on m.id = a.message_id join conversation c on c.id = m.conversation_id
    join session s on s.id = m.session_id join agency g on g.id = m.agency_id
    left join message_response r on r.message_id = m.id and r.kind = 'reaction' and r.responder = 'account'
    where a.message_id = ${messageId} and a.ended_at is null order by a.seq limit 1`;
}

/**
 * Takes the action for one call to the backend; false when another attempt has it, or it has ended. The lease is by the
 * database's clock, and longer than any call, so no two calls of a message cross.
 */
export async function takeAction(tx: Tx, actionId: string, { token, forMs }: { token: string; forMs: number }) {
  const taken = await row(tx, IdRow)`
    update message_action set status = 'sending', attempts = attempts + 1, claim_token = ${token}::uuid,
      claimed_until = clock_timestamp() + ${forMs} * interval '1 millisecond'
    where id = ${actionId} and ended_at is null
      and (claimed_until is null or claimed_until < clock_timestamp()) returning id`;
  return taken !== undefined;
}
