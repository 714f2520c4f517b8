import { sql } from 'kysely';
import { z } from 'zod';
import { chatKind } from '../../domain/network/chat-id.ts';
import { askAgainAfterMs, WHEN_SESSION_IS_BACK } from '../../domain/network/phone-questions.ts';
import { PRIORITY } from '../../domain/names.ts';
import { Timestamp } from '../engine/columns.ts';
import { ensureConversation } from '../conversations/conversation.ts';
import { promiseMissing } from '../promises.ts';
import { one, row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';

/**
 * A question that is overdue by this much has no workflow that asks it: a contact has turned up since its last look, or
 * the workflow is gone.
 */
const OVERDUE_MS = 60_000;

/** A contact who is known by a hidden id alone, and the session that asks for the phone. */
const DueQuestion = z.object({ contactId: z.string(), lid: z.string(), asks: z.int() });
export type DueQuestion = z.output<typeof DueQuestion>;

const AskingSession = z.object({
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  place: z.object({ backend: z.string(), name: z.string() }),
  canAsk: z.boolean(),
});
export type AskingSession = z.output<typeof AskingSession>;

/**
 * Finds the session for whose contacts the network is asked, and whether it can be asked now. Null when it is deleted.
 */
export async function findAskingSession(queries: Queries, sessionId: string): Promise<AskingSession | null> {
  const found = await row(queries, AskingSession)`
    select s.agency_id as "agencyId", s.tenant_id as "tenantId", s.id as "sessionId",
      jsonb_build_object('backend', s.backend, 'name', s.name) as place,
      may_send(s.status, a.status) as "canAsk"
    from session s join agency a on a.id = s.agency_id where s.id = ${sessionId} and s.wish <> 'deleted'`;
  return found ?? null;
}

/** Lists the contacts of the session whose question is due, the longest waiting first. */
export async function listDueQuestions(queries: Queries, sessionId: string, limit: number): Promise<DueQuestion[]> {
  return rows(queries, DueQuestion)`
    select id as "contactId", chat_id as lid, phone_asks as asks from contact
    where ask_session_id = ${sessionId} and ask_phone_at <= ${queries.now}
    order by ask_phone_at, id limit ${limit}`;
}

/**
 * Records the network's answer to a question. A phone is written to the contact, which merges it with the contact who
 * is known by that phone. Without a phone the next question is due after a longer pause, and in the end there is none.
 */
export async function recordPhoneAnswer(
  tx: Tx,
  session: AskingSession,
  { contactId, lid, asks }: DueQuestion,
  phone: string | null,
): Promise<boolean> {
  const isFound = phone !== null && chatKind(phone) === 'phone';
  if (isFound) await ensureConversation(tx, session, { chatId: lid, aliases: [phone] });
  const pauseMs = isFound ? null : askAgainAfterMs(asks + 1);
  await run(tx)`
    update contact set phone_asks = phone_asks + 1, phone_asked_at = ${tx.now},
      ask_phone_at = ${pauseMs === null ? null : new Date(tx.now.getTime() + pauseMs)}::timestamptz
    where id = ${contactId}`;
  return isFound;
}

const CanAsk = z.object({ canAsk: z.boolean() });

/**
 * Holds the due questions of a session that cannot ask now, until it is back ({@link askAfterReturn}). Its row is
 * locked first, so that a return at the same moment is seen here, or finds what is held.
 */
export async function holdQuestions(tx: Tx, sessionId: string): Promise<void> {
  const session = await row(tx, CanAsk)`
    select may_send(s.status, a.status) as "canAsk" from session s join agency a on a.id = s.agency_id
    where s.id = ${sessionId} for share of s, a`;
  if (session?.canAsk === true) return;
  await run(tx)`
    update contact set ask_phone_at = ${WHEN_SESSION_IS_BACK}
    where ask_session_id = ${sessionId} and ask_phone_at <= ${tx.now}`;
}

/** Makes the questions due that were held while the session was down. */
export async function askAfterReturn(tx: Tx, sessionId: string): Promise<void> {
  await run(tx)`
    update contact set ask_phone_at = ${tx.now}
    where ask_session_id = ${sessionId} and ask_phone_at = ${WHEN_SESSION_IS_BACK}`;
}

/**
 * Puts the due questions of a session off, because the backend does not answer now. No question counts as asked. The
 * one that got no answer comes behind the others, so that it does not hold them up if it never gets one.
 */
export async function putQuestionsOff(
  tx: Tx,
  sessionId: string,
  { pauseMs, unanswered }: { pauseMs: number; unanswered: string | null },
): Promise<void> {
  await run(tx)`
    update contact set ask_phone_at = ${new Date(tx.now.getTime() + pauseMs)}::timestamptz
      + case when id = ${unanswered} then interval '1 second' else interval '0' end
    where ask_session_id = ${sessionId} and ask_phone_at <= ${tx.now}`;
}

/** Asks no more for the contacts of a session, because it is deleted. */
export async function stopAsking(tx: Tx, sessionId: string): Promise<void> {
  await run(tx)`
    update contact set ask_phone_at = null where ask_session_id = ${sessionId} and ask_phone_at is not null`;
}

const Left = z.object({ waiting: z.int(), nextAt: Timestamp.nullable() });

/**
 * Counts the contacts of the session who are asked for again, and tells when the next question is due that does not
 * wait for the session.
 */
export async function countQuestions(queries: Queries, sessionId: string): Promise<z.output<typeof Left>> {
  return one(queries, Left)`
    select count(*)::int as waiting, min(ask_phone_at) filter (where ask_phone_at < ${WHEN_SESSION_IS_BACK}) as "nextAt"
    from contact
    where ask_session_id = ${sessionId} and ask_phone_at is not null`;
}

const Overdue = z.object({ sessionIds: z.array(z.string()) });

/**
 * Promises the workflow that asks for the sessions with overdue questions; one that sleeps until a later question is
 * woken. Returns how many it has promised.
 */
export async function promisePhoneQuestions(tx: Tx): Promise<number> {
  const overdue = await row(tx, Overdue)`
    select array(select distinct ask_session_id from contact
      where ask_phone_at < ${tx.now}::timestamptz - ${OVERDUE_MS} * interval '1 millisecond'
        and ask_session_id is not null) as "sessionIds"`;
  const sessionIds = overdue?.sessionIds ?? [];
  if (sessionIds.length === 0) return 0;
  return promiseMissing(tx, 'learnPhones', {
    which: sql`r.id = any(${sessionIds}::text[]) and not exists (
      select 1 from agency a where a.id = r.agency_id and is_suspended(a.status))`,
    signal: 'due',
    priority: PRIORITY.background,
    movedAt: null,
  });
}
