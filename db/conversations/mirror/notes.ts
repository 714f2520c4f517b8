import { sql } from 'kysely';
import { z } from 'zod';
import { one, rows } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';

/** So much of a session is told at once, so that a session of which much has changed holds up no other for long. */
const MAX_NOTES = 100;
/** Lists at most this number of sessions at once. */
export const MAX_SESSIONS = 100;

/** Unsent changes in conversations that dashboards mirror (`db/migrations/0171-follow-messages.sql`). */
export const MIRROR_NOTES = sql`mirror_note`;

/** A message that has changed, that was not in its conversation before, or that is not there any more. */
export interface ChangedMessage {
  conversationId: string;
  messageId: string;
  isNew: boolean;
  isHistory: boolean;
}

export interface Changes {
  /** Higher than that of every event that was told of the session before. */
  revision: number;
  conversationIds: string[];
  messages: ChangedMessage[];
}

const NoteRow = z.object({
  isBusy: z.boolean(),
  revision: z.coerce.number(),
  conversationId: z.string(),
  messageId: z.string().nullable(),
  isNew: z.boolean(),
  isHistory: z.boolean(),
});

/**
 * Takes what has changed in a session and is to be told, in the order in which it has changed. `busy`: another
 * transaction tells it. The transaction that takes it must tell it, because the notes are gone with its commit.
 */
export async function takeChanges(tx: Tx, sessionId: string): Promise<Changes | 'busy'> {
  const notes = await rows(tx, NoteRow)`
    select is_busy as "isBusy", revision, coalesce(conversation_id, '') as "conversationId", message_id as "messageId",
      is_new as "isNew", is_history as "isHistory"
    from take_mirror_notes(${sessionId}, ${MAX_NOTES})`;
  if (notes.some(({ isBusy }) => isBusy)) return 'busy';
  return {
    revision: notes[0]?.revision ?? 0,
    conversationIds: notes.filter(({ messageId }) => messageId === null).map(({ conversationId }) => conversationId),
    messages: notes.flatMap(({ conversationId, messageId, isNew, isHistory }) =>
      messageId === null ? [] : [{ conversationId, messageId, isNew, isHistory }],
    ),
  };
}

const Noted = z.object({ sessionId: z.string() });

/** Lists sessions in which something has changed that is to be told, those behind `after` in the order of their ids. */
export async function listChangedSessions(queries: Queries, after = ''): Promise<string[]> {
  const noted = await rows(queries, Noted)`
    select id as "sessionId" from sessions_with_mirror_notes(${after}, ${MAX_SESSIONS}) as n(id)`;
  return noted.map(({ sessionId }) => sessionId);
}

const QuotingRow = z.object({ id: z.string(), conversationId: z.string() });

/**
 * Finds messages that quote these and are not older. A quote is shown once the quoted message is known, which may be
 * later than the message.
 */
export async function listQuoting(queries: Queries, messageIds: readonly string[]): Promise<ChangedMessage[]> {
  if (messageIds.length === 0) return [];
  const found = await rows(queries, QuotingRow)`
    select q.id, q.conversation_id as "conversationId" from message m
    join message q on q.conversation_id = m.conversation_id and q.occurred_at >= m.occurred_at
      and q.reply_to_network_id = m.network_id
    where m.id = any(${messageIds}::text[]) and m.network_id is not null and not q.id = any(${messageIds}::text[])`;
  return found.map(({ id, conversationId }) => ({ messageId: id, conversationId, isNew: false, isHistory: false }));
}

const Told = z.object({ count: z.coerce.number() });

/**
 * Has messages told to those who mirror the inbox that a read of the past has brought, as `message.any` with
 * `history: true`; without this call they are not told. Costs one statement, and nothing more where nobody mirrors.
 * Returns how many are told.
 */
export async function tellHistory(tx: Tx, messageIds: readonly string[]): Promise<number> {
  const { count } = await one(tx, Told)`select tell_history(${messageIds}::text[]) as count`;
  if (count > 0) tx.wake('changed');
  return count;
}
