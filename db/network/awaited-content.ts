import { sql } from 'kysely';
import { z } from 'zod';
import { NetworkMessage } from '../../domain/network/network-event.ts';
import { STALE_AFTER_MS } from '../../domain/agent/turn.ts';
import { Told } from '../agent/tell-agent.ts';
import { IdRow } from '../engine/columns.ts';
import { lockConversation } from '../conversations/conversation.ts';
import { newId } from '../engine/new-id.ts';
import { row, rows } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { tellArrived } from './inbound.ts';

/** The messages whose content has not come in time. */
export const OVERDUE_CONTENT = sql`awaited_content where until <= clock_timestamp()`;

/** Lists messages whose content has not come in time, the longest waiting first. */
export async function listOverdueContent(queries: Pick<Queries, 'sql'>, limit: number): Promise<string[]> {
  const found = await rows(queries, IdRow)`
    select message_id as id from ${OVERDUE_CONTENT} order by until limit ${limit}`;
  return found.map(({ id }) => id);
}

const Ended = z.object({
  message: NetworkMessage,
  recovered: z.boolean(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  name: z.string(),
  conversationId: z.string(),
  contactId: z.string().nullable(),
  chatId: z.string(),
  senderPhone: z.string().nullable(),
  parked: z.array(z.string()),
  told: Told.nullable(),
});

/**
 * Ends the wait for a message's content: dashboards get its event, which says that the content is missing, and the turn
 * of the agent is silent. Content that comes later fills the row, and the agent answers it then.
 */
export async function endContentWait(tx: Tx, messageId: string): Promise<void> {
  const there = await row(tx, IdRow)`select conversation_id as id from message where id = ${messageId}`;
  if (!there) return;
  await lockConversation(tx, there.id);
  const ended = await row(tx, Ended)`
    with over as (
      delete from awaited_content where message_id = ${messageId} and until <= clock_timestamp()
      returning message_id, message, recovered
    ), shown as (
      update message m set content = coalesce(m.content, '{}') || '{"contentState": "missing"}', updated_at = ${tx.now}
      from over o where m.id = o.message_id
      returning m.id, m.agency_id, m.tenant_id, m.session_id, m.conversation_id, m.contact_id, m.network_id
    )
    select o.message, o.recovered, m.agency_id as "agencyId", m.tenant_id as "tenantId", m.session_id as "sessionId",
      s.name, m.conversation_id as "conversationId", m.contact_id as "contactId", c.chat_id as "chatId",
      (select k.chat_id from contact k where k.id = m.contact_id and is_phone(k.chat_id)) as "senderPhone",
      array(select p.change->>'kind' from parked_change p
        where p.session_id = m.session_id and p.network_id = m.network_id) as parked,
      case when agent_is_set_up(t) then tell_agent(m.conversation_id, m.id, ${newId('trn')}, ${tx.now},
        ${STALE_AFTER_MS} * interval '1 millisecond') end as told
    from shown m join over o on o.message_id = m.id join session s on s.id = m.session_id
    join conversation c on c.id = m.conversation_id
    join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id`;
  if (!ended) return;
  const { message, recovered, agencyId, tenantId, sessionId, name, conversationId, ...rest } = ended;
  const missing = { ...message, content: { ...message.content, contentState: 'missing' as const } };
  await tellArrived(tx, {
    session: { id: sessionId, agencyId, tenantId, name },
    message: missing,
    isRecovered: recovered,
    isEcho: false,
    mayBeEcho: false,
    news: { merges: [], handovers: [] },
    renamed: null,
    arrived: { id: messageId, conversationId, ...rest, replyTo: null, asked: null, letGo: null },
  });
}
