import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { clusterPath, DATABASE, USER } from '../../../local/embedded/postgres/cluster.ts';
import { readPostmaster } from '../../../local/embedded/postgres/postmaster-file.ts';
import { AGENCY } from '../scene/scene.ts';
import type { Scene } from '../scene/scene.ts';

export interface Inbox {
  tenant: string;
  session: string;
  /** The chat that gets the messages. */
  conversation: string;
  chats: number;
  messages: number;
}

/** The id of a message of the long chat, and its words; the first has number 0. */
export const messageId = (n: number): string => `msg_long_${n}`;
export const wordsOf = (n: number): string => `Long message ${n} end`;

/** Adds chats to an inbox, and earlier messages to one of its chats, without the work that the engine does for each. */
export async function layInbox({ machine }: Scene, inbox: Inbox): Promise<void> {
  const { tenant, session, conversation, chats, messages } = inbox;
  const client = await connect(machine.dataDir);
  try {
    // Triggers would index and mirror each row, which takes minutes.
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into conversation (id, agency_id, tenant_id, session_id, chat_id, name, last_message_id,
        last_message_body, last_message_from_me, last_message_at, unread_count, history_complete)
      select 'cnv_long_' || n, $1, $2, $3, n || '@g.us', 'Person ' || n, 'msg_of_' || n, 'hello', false,
        now() - n * interval '1 minute', 0, true
      from generate_series(1, $4::int) n`,
      [AGENCY, tenant, session, chats],
    );
    await client.query(
      `insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
        network_id, occurred_at, status)
      select 'msg_long_' || n, $1, $2, $3, $4, case when n % 3 = 0 then 'out' else 'in' end, 'history', 'text',
        'Long message ' || n || ' end' || repeat(' and a further word', n % 7 * (n % 2) * 3), 'net_long_' || n,
        now() - interval '700 days' + n * interval '10 minutes', case when n % 3 = 0 then 'read' else 'received' end
      from generate_series(0, $5::int - 1) n`,
      [AGENCY, tenant, session, conversation, messages],
    );
    await client.query('update conversation set history_complete = true where id = $1', [conversation]);
    await client.query('analyze message, conversation');
  } finally {
    await client.end();
  }
}

async function connect(dataDir: string): Promise<Client> {
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  const postmaster = await readPostmaster(clusterPath(dataDir));
  if (!postmaster) throw new Error(`No PostgreSQL runs in ${dataDir}.`);
  const client = new Client(`postgres://${USER}:${password}@127.0.0.1:${postmaster.port}/${DATABASE}`);
  await client.connect();
  return client;
}
