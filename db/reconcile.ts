import { sql } from 'kysely';
import { PRIORITY, workflowId } from '../domain/names.ts';
import type { Tx } from './database.ts';
import { lockConversation } from './conversation.ts';
import { endMessage } from './outcome.ts';
import { promote } from './promote.ts';

export interface Reconciled {
  expired: number;
  messages: number;
  conversations: number;
  sessions: number;
  agents: number;
}

/** Nothing younger than this is repaired: its own transaction or workflow is still at it. */
export const STALE_AFTER_MS = 15_000;

/**
 * Temporal's store is disposable: what must run is promised again from the rows. Starts are idempotent by id, so a
 * workflow that is running already is left alone.
 */
export async function redispatchMessages(tx: Tx, staleAfterMs: number, limit: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    insert into dispatch (workflow_type, workflow_id, action, args, attributes, summary, priority, agency_id)
    select 'deliverMessage', ${workflowId('deliverMessage', '')} || m.id, 'start', jsonb_build_array(m.id),
      jsonb_build_object('AgencyId', m.agency_id, 'TenantId', m.tenant_id, 'SessionId', m.session_id,
        'ConversationId', m.conversation_id, 'MessageId', m.id),
      m.kind || ' → ' || m.conversation_id || ' · agency ' || m.agency_id || ' · again', ${PRIORITY.background}::smallint, m.agency_id
    from message m
    where (m.status = 'sending' or (m.status = 'queued' and m.released_at is not null))
      and m.updated_at < ${tx.now}::timestamptz - ${staleAfterMs} * interval '1 millisecond'
      and not exists (select 1 from dispatch d where d.workflow_id = ${workflowId('deliverMessage', '')} || m.id)
    order by m.updated_at limit ${limit} returning id::text as id`.execute(tx.sql);
  if (rows.length > 0) tx.wake('dispatch');
  return rows.length;
}

/** Conversations with a queue and no head: a release that was missed while the session came back. */
export async function listStuckConversations(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct m.conversation_id as id from message m
    join session s on s.id = m.session_id and s.status = 'WORKING'
    join agency a on a.id = m.agency_id and a.status <> 'suspended'
    where m.status = 'queued' and m.released_at is null
      and not exists (select 1 from message h where h.conversation_id = m.conversation_id
        and (h.status = 'sending' or (h.status = 'queued' and h.released_at is not null)))
    limit ${limit}`.execute(tx.sql);
  return rows.map((row) => row.id);
}

export async function promoteStuck(tx: Tx, conversationId: string): Promise<void> {
  await lockConversation(tx, conversationId);
  await promote(tx, conversationId);
}

/** Conversations in which a message waits past its time: nobody claims it while its session is away. */
export async function listConversationsWithExpired(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct conversation_id as id from message
    where status = 'queued' and expires_at <= ${tx.now} limit ${limit}`.execute(tx.sql);
  return rows.map((row) => row.id);
}

export async function expireMessages(tx: Tx, conversationId: string): Promise<void> {
  await lockConversation(tx, conversationId);
  const { rows } = await sql<{ id: string }>`
    select id from message
    where conversation_id = ${conversationId} and status = 'queued' and expires_at <= ${tx.now}
    order by released_at nulls first, chat_seq for update`.execute(tx.sql);
  // The head ends last, so that it makes way for one that may still go.
  for (const { id } of rows) await endMessage(tx, id, { status: 'failed', reason: 'expired', detail: null });
}

/** Every session has a supervisor, also after Temporal's store was lost: one that was not here for long is started again. */
export async function redispatchSessions(tx: Tx, all: boolean): Promise<number> {
  return insertEntityStarts(
    tx,
    'superviseSession',
    sql`
      select id as key, agency_id, jsonb_build_object('AgencyId', agency_id, 'TenantId', tenant_id, 'SessionId', id) as attributes,
        'session of agency ' || agency_id as summary
      from session where ${all} or supervised_at is null or supervised_at < ${tx.now}::timestamptz - interval '10 minutes'`,
  );
}

/** Inbound messages that the agent owes a turn. */
export async function redispatchAgents(tx: Tx, staleAfterMs: number): Promise<number> {
  return insertEntityStarts(
    tx,
    'aiConversation',
    sql`
      select c.id as key, c.agency_id, jsonb_build_object('AgencyId', c.agency_id, 'TenantId', c.tenant_id,
        'SessionId', c.session_id, 'ConversationId', c.id) as attributes,
        'AI agent · ' || c.id || ' · agency ' || c.agency_id as summary
      from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id and t.ai_enabled
      where c.last_message_from_me = false and c.last_message_at > ${tx.now}::timestamptz - interval '1 day'
        and exists (
          select 1 from message m where m.id = c.last_message_id and m.origin = 'network'
            and m.created_at < ${tx.now}::timestamptz - ${staleAfterMs} * interval '1 millisecond'
            and not exists (select 1 from ai_turn r join message u on u.id = r.up_to_message_id
              where r.conversation_id = c.id and r.outcome <> 'running' and u.created_at >= m.created_at))`,
  );
}

async function insertEntityStarts(
  tx: Tx,
  type: 'superviseSession' | 'aiConversation',
  wanted: ReturnType<typeof sql>,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    insert into dispatch (workflow_type, workflow_id, action, args, attributes, summary, priority, agency_id)
    select ${type}, ${workflowId(type, '')} || w.key, 'start', jsonb_build_array(w.key), w.attributes, w.summary,
      ${PRIORITY.background}::smallint, w.agency_id
    from (${wanted}) w
    where not exists (select 1 from dispatch d where d.workflow_id = ${workflowId(type, '')} || w.key and d.parked_at is null)
    returning id::text as id`.execute(tx.sql);
  if (rows.length > 0) tx.wake('dispatch');
  return rows.length;
}
