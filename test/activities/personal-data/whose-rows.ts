import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { rowsOf } from '../../support/rows.ts';

/** As many handovers and turns has each person. */
const RECORDS = 259;
const MEMORIES = 4;

/** Tables whose rows belong to a person, and where their rows say in words whose they are. */
export const WORDS = { message: 'body', handover: 'reason', ai_turn: 'reply', memory: 'fact', note: 'text' } as const;

/** Gives a conversation and its contact rows that say whose they are: messages, handovers, turns, memories and notes. */
export async function fillWith(
  database: Database,
  { conversationId, words, messages }: { conversationId: string; words: string; messages: number },
): Promise<void> {
  const each = (count: number): RawBuilder<unknown> =>
    sql`from conversation c, generate_series(1, ${count}::int) n where c.id = ${conversationId}`;
  await rowsOf(
    database,
    sql`insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind,
        body, occurred_at, created_at, status, network_id)
      select 'msg_' || lpad(n::text, 5, '0') || id, agency_id, tenant_id, session_id, id, contact_id, 'in', 'network',
        'text', ${words}::text, now() - n * interval '1 minute' - interval '1 hour', now() - interval '1 hour',
        'received', id || n ${each(messages)}`,
  );
  await rowsOf(
    database,
    sql`insert into message_version (message_id, edit_id, body, at, told_at)
      select id, 'E', ${words}::text, now(), now() from message
      where conversation_id = ${conversationId} and id like '%7cnv%'`,
  );
  await rowsOf(
    database,
    sql`insert into handover (conversation_id, at, cause, mode, epoch, reason)
      select id, now(), 'assign', 'human_takeover', n, ${words}::text ${each(RECORDS)}`,
  );
  await rowsOf(
    database,
    sql`insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at,
        conversation_epoch, tenant_epoch, outcome, reply, message_id, ended_at)
      select 'trn_' || n || id, agency_id, tenant_id, session_id, id, 'msg_1', now(), 1, 1, 'reply', ${words}::text,
        'msg_1', now() ${each(RECORDS)}`,
  );
  await rowsOf(
    database,
    sql`insert into memory (id, agency_id, tenant_id, contact_id, fact, fact_key, category, source, created_at)
      select 'mem_' || n || id, agency_id, tenant_id, contact_id, ${words}::text, n || id, 'taste', 'me',
        now() - interval '1 hour' ${each(MEMORIES)} and c.contact_id is not null`,
  );
  await rowsOf(
    database,
    sql`insert into note (id, agency_id, tenant_id, contact_id, text, created_at, updated_at)
      select 'nte_' || n || id, agency_id, tenant_id, contact_id, ${words}::text, now() - interval '1 hour',
        now() - interval '1 hour' ${each(MEMORIES)} and c.contact_id is not null`,
  );
}

/** The rows that `fillWith` makes, by the names of the counts below. */
export const madeOf = (messages: number, by: string): Record<string, number> => ({
  [`message ${by}`]: messages,
  [`handover ${by}`]: RECORDS,
  [`ai_turn ${by}`]: RECORDS,
  [`memory ${by}`]: MEMORIES,
  [`note ${by}`]: MEMORIES,
});

/**
 * Counts the rows of a database by the address that their words name. A row that is not with the person who has this
 * address now, counts as one of another.
 */
export async function whoseRows(database: Database, addresses: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [table, words] of Object.entries(WORDS)) {
    const ofContact =
      table === 'message' || table === 'memory' || table === 'note' ? sql`t.contact_id` : sql`null::text`;
    const talk = table === 'memory' || table === 'note' ? sql`null::text` : sql`t.conversation_id`;
    const found = await rowsOf(
      database,
      sql<{ whose: string; count: number }>`select case
          when coalesce(${ofContact} = a.contact_id, true) and coalesce(c.contact_id = a.contact_id, true)
            and c.merged_into is null then t.${sql.ref(words)} else 'of another' end as whose, count(*)::int as count
        from ${sql.table(table)} t left join contact_alias a on a.chat_id = t.${sql.ref(words)}
          left join conversation c on c.id = ${talk}
        where t.${sql.ref(words)} = any(${[...addresses]}::text[]) group by 1`,
    );
    for (const { whose, count } of found) counts[`${table} ${whose}`] = count;
  }
  return counts;
}
