import { sql } from 'kysely';
import { z } from 'zod';
import { WORKING } from '../../../domain/sessions/session.ts';
import type { Tx } from '../../engine/tx.ts';
import { rows, run } from '../../engine/rows.ts';

/** The pauses before the looks at the backend: the first counts from `sent`, each other from the look before it. */
const PAUSES_S = [60, 300, 1_800, 10_800, 36_000];
const WITHIN_HOURS = 24;

const Unacked = z.object({
  messageId: z.string(),
  agencyId: z.string(),
  sessionId: z.string(),
  backend: z.string(),
  sessionName: z.string(),
  platform: z.string().nullable(),
  chatId: z.string(),
  networkId: z.string(),
  /** True for the last look; the backend is not asked again after it. */
  isLast: z.boolean(),
});
export type Unacked = z.infer<typeof Unacked>;

/**
 * Takes sent messages that the network's server has not acked and whose next look is due, a few of each working
 * session whose backend answers. It counts the look before it is made, so that a look that crashes its process is not
 * repeated for ever.
 */
export async function claimUnacked(tx: Tx, batch: { limit: number; perSession: number }): Promise<Unacked[]> {
  const pauses = sql`(array[${sql.join(PAUSES_S.map((seconds) => sql`${seconds}::int`))}])`;
  const isDue = sql`m.status = 'sent' and m.ack = 0 and m.ack_checks < ${PAUSES_S.length}
    and (m.ack_check_at is null or m.ack_check_at <= ${tx.now})`;
  return rows(tx, Unacked)`
    with due as (
      select m.id, row_number() over (partition by m.session_id order by m.sent_at desc) as turn
      from message m join session s on s.id = m.session_id and s.status = ${WORKING}
        and s.backend <> all(array(select id from backend where down_since is not null))
      where m.network_id is not null
        and m.sent_at > ${tx.now}::timestamptz - ${WITHIN_HOURS} * interval '1 hour'
        and m.sent_at <= ${tx.now}::timestamptz - ${PAUSES_S[0]} * interval '1 second'
        and ${isDue}
    ), chosen as (
      -- The condition is checked again under the lock, because another worker may have taken the message meanwhile.
      select m.id from message m join due d on d.id = m.id where d.turn <= ${batch.perSession} and ${isDue}
      order by d.turn limit ${batch.limit} for update of m skip locked
    )
    update message m set ack_checks = m.ack_checks + 1,
      ack_check_at = ${tx.now}::timestamptz
        + ${pauses}[least(m.ack_checks + 2, ${PAUSES_S.length})] * interval '1 second'
    from chosen, session s, conversation c
    where m.id = chosen.id and s.id = m.session_id and c.id = m.conversation_id
    returning m.id as "messageId", m.agency_id as "agencyId", s.id as "sessionId", s.backend,
      s.name as "sessionName", s.platform, c.chat_id as "chatId", m.network_id as "networkId",
      m.ack_checks >= ${PAUSES_S.length} as "isLast"`;
}

/** Gives back looks in which the backend was not reached: they do not count, and are made again soon. */
export async function returnLooks(tx: Tx, messageIds: readonly string[]): Promise<void> {
  await run(tx)`
    update message set ack_checks = greatest(ack_checks - 1, 0),
      ack_check_at = ${tx.now}::timestamptz + ${PAUSES_S[0]} * interval '1 second'
    where id = any(${messageIds}::text[]) and status = 'sent' and ack = 0`;
}

/** Notes that no ack has come. The message stays `sent`: the backend took it, and nothing says that it was lost. */
export async function noteUnacked(tx: Tx, messageId: string): Promise<void> {
  await run(tx)`
    insert into message_history (message_id, at, status, reason)
    select id, ${tx.now}, 'sent', 'no_server_ack' from message where id = ${messageId} and status = 'sent' and ack = 0`;
}
