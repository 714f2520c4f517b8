import { sql } from 'kysely';
import { PRIORITY, SIGNALS, workflowId } from '../domain/names.ts';
import type { SignalName } from '../domain/names.ts';
import type { Tx } from './database.ts';

/**
 * Releases the next message of a conversation when none is on its way: replies before bulk, first in first out within
 * a lane. Called, under the conversation's lock, by every transaction that adds to the queue or ends its head. A session
 * that may not send now holds its queue as rows; {@link releaseSession} lets it go.
 */
export async function promote(tx: Tx, conversationId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    with next as (
      select m.id from message m
      join session s on s.id = m.session_id and s.status = 'WORKING'
      join agency a on a.id = m.agency_id and a.status <> 'suspended'
      where m.conversation_id = ${conversationId} and m.status = 'queued' and m.released_at is null
        and not exists (
          select 1 from message h where h.conversation_id = ${conversationId}
            and (h.status = 'sending' or (h.status = 'queued' and h.released_at is not null)))
      order by m.lane, m.chat_seq limit 1
    ), released as (
      update message m set released_at = ${tx.now}, updated_at = ${tx.now} from next where m.id = next.id returning m.*
    )
    ${insertStarts('start', null)}`.execute(tx.sql);
  if (rows.length > 0) tx.wake('dispatch');
}

/**
 * Lets the queues of a session go that has come back: heads whose workflow may be waiting are signalled (and started
 * where it is gone), the others are released.
 */
export async function releaseSession(tx: Tx, sessionId: string): Promise<number> {
  const held = await sql<{ id: string }>`
    select id from conversation where session_id = ${sessionId}
      and exists (select 1 from message m where m.conversation_id = conversation.id and m.status = 'queued')
    order by id for no key update`.execute(tx.sql);
  if (held.rows.length === 0) return 0;
  const ids = held.rows.map((row) => row.id);
  await sql`
    with released as (
      select * from message where conversation_id = any(${ids}) and status = 'queued' and released_at is not null
    )
    ${insertStarts('signal_with_start', SIGNALS.released)}`.execute(tx.sql);
  for (const id of ids) await promote(tx, id);
  tx.wake('dispatch');
  return ids.length;
}

/** The dispatches of the rows in `released`; the id's form stays in `domain/names.ts`, which gives its beginning. */
function insertStarts(action: 'start' | 'signal_with_start', signal: SignalName | null) {
  return sql<{ id: string }>`
    insert into dispatch (workflow_type, workflow_id, action, signal, args, attributes, summary, priority, agency_id)
    select 'deliverMessage', ${workflowId('deliverMessage', '')} || id, ${action}, ${signal}, jsonb_build_array(id),
      jsonb_build_object('AgencyId', agency_id, 'TenantId', tenant_id, 'SessionId', session_id,
        'ConversationId', conversation_id, 'MessageId', id),
      kind || ' → ' || conversation_id || ' · agency ' || agency_id,
      case origin when 'person' then ${PRIORITY.reply}::smallint when 'ai' then ${PRIORITY.ai}::smallint
        else ${PRIORITY.api}::smallint end,
      agency_id
    from released returning id::text as id`;
}
