import type { DatabaseBooks } from './database-cost.ts';

const CHATS = 5_000;

/** Stores old messages of many chats, as years of use leave them. */
export async function storeMessages(books: DatabaseBooks, sessionId: string, count: number): Promise<void> {
  const chats = Math.min(CHATS, count / 10);
  await books.query(
    `insert into conversation (id, agency_id, tenant_id, session_id, chat_id, last_message_at)
     select 'cnv_fill_' || n, s.agency_id, s.tenant_id, s.id, (15553000000 + n)::text || '@c.us', now() - interval '30 days'
     from session s, generate_series(1, $2::int) n where s.id = $1`,
    [sessionId, chats],
  );
  await books.query(
    `insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body, network_id,
       occurred_at, status, ack, sent_at, created_at, updated_at)
     select 'msg_fill_' || n, s.agency_id, s.tenant_id, s.id, 'cnv_fill_' || (1 + n % $3::int), 'out', 'api', 'text', 'old message ' || n,
       'FILL' || n, t.at, 'read', 3, t.at, t.at, t.at
     from session s, generate_series(1, $2::int) n, lateral (select now() - interval '30 days' - n * interval '1 second' as at) t
     where s.id = $1`,
    [sessionId, count, chats],
  );
  await books.query('analyze');
}
