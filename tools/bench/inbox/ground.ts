import type { Database } from '../../../db/engine/database.ts';
import { indexInPassing } from '../../../db/conversations/search/due.ts';
import { run } from '../../../db/engine/rows.ts';
import { layGround } from '../webhook-ground.ts';

export const PER_CHAT = 100;
/** Messages with the rare word, for every size of the inbox. */
const RARE = 10;
const ROWS_AT_ONCE = 20_000;
const SPREAD = '730 days';

/** The tenant whose inbox is read. */
export const TENANT = { agencyId: 'bench', tenantId: 'shop-0' };
const SESSION = 'ses_bench_0';

/**
 * Makes an inbox of so many messages, spread over two years, as many in each chat as in any other. One message of ten says "frequent", one
 * of a hundred "often", and ten in all say "rare".
 */
export async function layInbox(database: Database, messages: number, perChat = PER_CHAT): Promise<void> {
  await layGround(database, [[]]);
  const chats = messages / perChat;
  const { agencyId, tenantId } = TENANT;
  await database.statement(
    (tx) => run(tx)`
      insert into conversation (id, agency_id, tenant_id, session_id, chat_id, name, last_message_id, last_message_body,
        last_message_from_me, last_message_at, unread_count, history_complete)
      select 'cnv_' || n, ${agencyId}, ${tenantId}, ${SESSION}, n || '@g.us', 'Person ' || n, 'msg_' || n, 'hello', false,
        now() - n * interval '1 minute', case when n % 20 = 0 then 1 else 0 end, true
      from generate_series(0, ${chats}::int - 1) n`,
  );
  for (let from = 0; from < messages; from += ROWS_AT_ONCE) {
    const to = Math.min(from + ROWS_AT_ONCE, messages) - 1;
    await database.statement(
      (tx) => run(tx)`
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
          network_id, occurred_at, status)
        select 'msg_' || n, ${agencyId}, ${tenantId}, ${SESSION}, 'cnv_' || n % ${chats}::int,
          case when n % 2 = 0 then 'in' else 'out' end, 'history', 'text',
          'Is the blue one number' || n || ' still there' || case when n % 10 = 0 then ' frequent' else '' end
            || case when n % 100 = 0 then ' often' else '' end
            || case when n % ${messages / RARE}::int = 7 then ' rare' else '' end,
          'net_' || n, now() - ${SPREAD}::interval + n * (${SPREAD}::interval / ${messages}::int),
          case when n % 2 = 0 then 'received' else 'read' end
        from generate_series(${from}::int, ${to}::int) n`,
    );
  }
  await indexInPassing(database, Infinity);
  // A database that has run for minutes knows how many rows there are, and has put new words into their index.
  await database.statement((tx) => run(tx)`vacuum analyze message, message_text, conversation, chat_text`);
  // Without a checkpoint, PostgreSQL would write the loaded rows to the disk during the measured reads.
  await database.statement((tx) => run(tx)`checkpoint`);
}

/** Adds earlier messages to a chat, which searches do not find. */
export async function addMessages(database: Database, conversation: string, count: number): Promise<void> {
  const { agencyId, tenantId } = TENANT;
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    const to = Math.min(from + ROWS_AT_ONCE, count) - 1;
    await database.statement(
      (tx) => run(tx)`
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
          network_id, occurred_at, status)
        select 'msg_more_' || n, ${agencyId}, ${tenantId}, ${SESSION}, ${conversation},
          case when n % 3 = 0 then 'out' else 'in' end, 'history', 'text',
          'Message ' || n || repeat(' and a further word', n % 7 * (n % 2) * 3), 'net_more_' || n,
          now() - ${SPREAD}::interval * 2 + n * (${SPREAD}::interval / ${count}::int),
          case when n % 3 = 0 then 'read' else 'received' end
        from generate_series(${from}::int, ${to}::int) n`,
    );
  }
  await database.statement((tx) => run(tx)`vacuum analyze message, conversation`);
}
