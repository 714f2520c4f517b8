import { sql } from 'kysely';
import { z } from 'zod';
import type { RunningApi } from '../../support/api.ts';
import { call, registerDashboard } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';
import { rowsOf } from '../../support/rows.ts';

/** The first message of each conversation was said then; each other one a minute later. */
export const SINCE = Date.UTC(2026, 0, 1);

const WithId = z.object({ id: z.string() });

/** A tenant whose session is not connected, with an inbox that is made by hand. */
export interface Inbox {
  agencyId: string;
  tenantId: string;
  sessionId: string;
  get(path: string, query?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: object): Promise<Answer>;
  /** Makes conversations of one message each, `<prefix>1` to `<prefix>n`, a minute apart; the last is the newest. */
  converse(prefix: string, count: number): Promise<void>;
  /** Adds messages to a conversation, `<conversation>-1` to `-n`, a minute apart, every second one ours. */
  say(conversationId: string, count: number): Promise<void>;
  /** Has a new message come in a conversation, as the newest of all. */
  hear(conversationId: string, at?: Date): Promise<void>;
}

let heard = 0;

export async function anInbox(api: RunningApi, agencyId: string, tenantId = 't1'): Promise<Inbox> {
  const secret = 'the-secret-of-a-dashboard-0123456789';
  const key = await registerDashboard(api, {
    agencyId,
    dashboardUrl: `http://127.0.0.1:9/${agencyId}`,
    webhookSecret: secret,
  });
  const made = await call(api, 'POST', '/api/v1/sessions', { key, body: { agencyId, tenantId } });
  const { id: sessionId } = WithId.parse(made.body);
  const run = (statement: ReturnType<typeof sql<object>>) => rowsOf(api.database, statement);
  return {
    agencyId,
    tenantId,
    sessionId,
    get: (path, query = {}) =>
      call(api, 'GET', `${path}?${new URLSearchParams({ tenantId, ...query }).toString()}`, { key }),
    post: (path, body = {}) => call(api, 'POST', path, { key, body: { tenantId, ...body } }),
    async converse(prefix, count) {
      await run(sql<object>`
        insert into conversation (id, agency_id, tenant_id, session_id, chat_id, name, last_message_id,
          last_message_body, last_message_from_me, last_message_at)
        select ${prefix} || n, ${agencyId}, ${tenantId}, ${sessionId}, ${prefix} || n || '@g.us', ${prefix} || n,
          'msg_' || ${prefix} || n, 'hello', false, ${new Date(SINCE)}::timestamptz + n * interval '1 minute'
        from generate_series(1, ${count}::int) n`);
    },
    async say(conversationId, count) {
      await run(sql<object>`
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
          network_id, occurred_at, status)
        select 'msg_' || ${conversationId} || '-' || n, ${agencyId}, ${tenantId}, ${sessionId}, ${conversationId},
          case when n % 2 = 0 then 'out' else 'in' end, case when n % 2 = 0 then 'phone' else 'network' end, 'text',
          'said ' || n, ${conversationId} || n, ${new Date(SINCE)}::timestamptz + n * interval '1 minute',
          case when n % 2 = 0 then 'read' else 'received' end
        from generate_series(1, ${count}::int) n`);
    },
    async hear(conversationId, at = new Date()) {
      heard += 1;
      await run(sql<object>`
        with said as (
          insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, body,
            network_id, occurred_at, status)
          values ('msg_heard' || ${heard}::int, ${agencyId}, ${tenantId}, ${sessionId}, ${conversationId}, 'in',
            'network', 'text', 'news', 'heard' || ${heard}::int, ${at}, 'received'))
        update conversation set last_message_at = ${at}, unread_count = unread_count + 1 where id = ${conversationId}`);
    },
  };
}
