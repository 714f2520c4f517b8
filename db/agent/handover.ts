import { sql } from 'kysely';
import type { ConversationMode } from '../../domain/conversation.ts';
import type { HandoverCause } from '../../domain/webhooks/event.ts';
import type { EndReason } from '../../domain/sending/message.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import type { Database } from '../database.ts';
import type { Tx } from '../tx.ts';
import { endMessage } from '../sending/outcome.ts';
import { endOwedTurns } from './turn-end.ts';

export interface Handover {
  mode: ConversationMode;
  cause: HandoverCause;
  assignee?: string | null;
  reason?: string | null;
  /** Who says so, for the record: the claimed name of an operator, or the key of a request. */
  actor?: string | null;
  keyId?: string | null;
  /** Of one who may say the same again without knowing that it was heard: it is done once. */
  requestId?: string | null;
}

export interface HandedOver {
  /** The one that was handed over: one that was merged leads to the other. */
  conversationId: string;
  epoch: number;
  assignedTo: string | null;
}

interface Row extends HandedOver {
  agencyId: string;
  tenantId: string;
  sessionId: string;
  chatId: string;
  contactId: string | null;
  returnAt: string | null;
  isNews: boolean;
  hasChanged: boolean;
}

/**
 * The one place where a conversation changes hands: mode and epoch, the end of AI messages that nobody has claimed and of
 * turns that the agent owes, the record and the event, in one transaction. What was claimed before is waited for by who
 * promises that (`takeover.ts`), in new statements. To give back what no person has changes nothing. Null when there is no
 * such conversation.
 */
export async function handOver(tx: Tx, scope: Scope, conversationId: string, to: Handover): Promise<HandedOver | null> {
  const { cause, mode, assignee = null, reason = null, actor = null, keyId = null, requestId = null } = to;
  const isTaken = mode === 'human_takeover';
  const { rows } = await sql<Row>`
    with was as (
      select c.*, coalesce((t.persona->>'autoReturnHours')::float8, 0) as hours, (${isTaken} or c.mode = 'human_takeover') as changes
      from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
      where c.id = ${conversationId} and c.agency_id = ${scope.agencyId} and c.tenant_id = ${scope.tenantId}
        and (${scope.sessionId}::text is null or c.session_id = ${scope.sessionId}) and c.merged_into is null
      for no key update of c
    ), changed as (
      update conversation c set mode = ${mode}, epoch = c.epoch + 1, assigned_to = ${assignee},
        assigned_reason = ${isTaken ? reason : null}, taken_over_by = ${isTaken ? whoTook(cause) : null},
        human_active_at = ${isTaken ? tx.now : null}::timestamptz,
        return_at = case when ${isTaken} and was.hours > 0 then ${tx.now}::timestamptz + was.hours * interval '1 hour' end
      from was where c.id = was.id and was.changes
      returning c.*, (was.mode, was.assigned_to, was.assigned_reason) is distinct from (c.mode, c.assigned_to, c.assigned_reason) as is_news
    ), recorded as (
      insert into handover (conversation_id, at, cause, mode, epoch, assigned_to, reason, actor, key_id, request_id)
      select was.id, ${tx.now}, ${cause}, ${mode}, coalesce(changed.epoch, was.epoch), changed.assigned_to, ${reason}, ${actor}, ${keyId}, ${requestId}
      from was left join changed on true where was.changes or ${requestId !== null}
    )
    select was.id as "conversationId", coalesce(changed.epoch, was.epoch) as epoch, changed.assigned_to as "assignedTo",
      was.agency_id as "agencyId", was.tenant_id as "tenantId", was.session_id as "sessionId", was.chat_id as "chatId",
      was.contact_id as "contactId", coalesce(changed.is_news, false) as "isNews", was.changes as "hasChanged",
      to_char(changed.return_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "returnAt"
    from was left join changed on true`.execute(tx.sql);
  const [row] = rows;
  if (!row) {
    const into = await mergedInto(tx, scope, conversationId);
    return into === null ? null : handOver(tx, scope, into, to);
  }
  if (row.hasChanged) {
    const left = await findLeft(tx, row.conversationId);
    if (left.waits) await cancelAiMessages(tx, row.conversationId, isTaken ? 'taken_over' : 'ai_paused');
    if (left.owes) await endOwedTurns(tx, row.conversationId);
  }
  if (row.isNews) tell(tx, row, to);
  const { epoch, assignedTo } = row;
  return { conversationId: row.conversationId, epoch, assignedTo };
}

/**
 * One word for all that is the agent's own: workers of the release before, while they are replaced, let the agent's last
 * words go for that word only. Why it left is the reason's.
 */
function whoTook(cause: HandoverCause): HandoverCause {
  return cause === 'model_failed' ? 'agent' : cause;
}

function tell(tx: Tx, row: Row, { mode, cause, reason = null }: Handover): void {
  const { agencyId, tenantId, sessionId, conversationId, contactId, chatId, assignedTo, epoch, returnAt } = row;
  tx.emit({
    event: mode === 'human_takeover' ? 'conversation.assigned' : 'conversation.released',
    agencyId,
    tenantId,
    sessionId,
    conversationId,
    payload: {
      conversationId,
      contactId,
      chatId,
      mode,
      cause,
      assignedTo,
      reason,
      epoch,
      returnAt,
      timestamp: Math.floor(tx.now.getTime() / 1_000),
    },
  });
}

/** What the agent has there: messages that wait, a turn that runs or is owed. Whoever changes that has the conversation's lock. */
async function findLeft(tx: Tx, conversationId: string): Promise<{ waits: boolean; owes: boolean }> {
  const { rows } = await sql<{ waits: boolean; owes: boolean }>`
    select exists (select 1 from message where conversation_id = ${conversationId} and origin = 'ai' and status = 'queued') as waits,
      exists (select 1 from ai_turn where conversation_id = ${conversationId} and outcome = 'running')
        or exists (select 1 from message where conversation_id = ${conversationId} and awaits_turn) as owes`.execute(
    tx.sql,
  );
  return rows[0] ?? { waits: true, owes: true };
}

async function mergedInto(tx: Tx, scope: Scope, conversationId: string): Promise<string | null> {
  const { rows } = await sql<{ into: string }>`
    select merged_into as into from conversation
    where id = ${conversationId} and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
      and (${scope.sessionId}::text is null or session_id = ${scope.sessionId}) and merged_into is not null`.execute(
    tx.sql,
  );
  return rows[0]?.into ?? null;
}

/** What came of a request that was heard already. Needs the conversation's lock. */
export async function findHandover(
  tx: Tx,
  requestId: string,
): Promise<{ mode: ConversationMode; epoch: number } | null> {
  const { rows } = await sql<{ mode: ConversationMode; epoch: number }>`
    select mode, epoch from handover where request_id = ${requestId}`.execute(tx.sql);
  return rows[0] ?? null;
}

/**
 * Ends the AI's unclaimed messages of a conversation, or those of them that the tenant's state does not let go any more;
 * needs its lock.
 */
export async function cancelAiMessages(
  tx: Tx,
  conversationId: string,
  reason: EndReason,
  which: 'all' | 'of_the_past' = 'all',
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select m.id from message m join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id
    where m.conversation_id = ${conversationId} and m.origin = 'ai' and m.status = 'queued'
      and (${which === 'all'} or m.tenant_epoch is distinct from t.ai_epoch or tenant_silence(t) is not null)
    order by m.chat_seq for update of m`.execute(tx.sql);
  for (const { id } of rows) await endMessage(tx, id, { status: 'cancelled', reason, detail: null });
}

/**
 * A person has written in the conversation: theirs it becomes where the agent is on, or has just handed over and may still
 * be saying so; where a person has it already, the time until the agent returns begins anew. Null when the agent was not there.
 */
export async function takeOverByPerson(
  tx: Tx,
  scope: Scope,
  conversationId: string,
  by: Pick<Handover, 'actor' | 'keyId'> & { cause: 'reply' | 'phone' },
): Promise<HandedOver | null> {
  const { rows } = await sql<{ isAgents: boolean }>`
    select c.mode = 'bot_active' or agent_has_left(c) as "isAgents"
    from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    where c.id = ${conversationId} and c.agency_id = ${scope.agencyId} and c.tenant_id = ${scope.tenantId}
      and (tenant_silence(t) is distinct from 'paused' or c.mode = 'human_takeover')
    for no key update of c`.execute(tx.sql);
  if (rows[0]?.isAgents === true) return handOver(tx, scope, conversationId, { mode: 'human_takeover', ...by });
  if (rows.length > 0) await noteHumanActivity(tx, conversationId);
  return null;
}

/** A person has done something in a conversation that is theirs: the time until the agent returns begins anew. */
async function noteHumanActivity(tx: Tx, conversationId: string): Promise<void> {
  await sql`
    update conversation c set human_active_at = ${tx.now},
      return_at = case when hours > 0 then ${tx.now}::timestamptz + hours * interval '1 hour' end
    from (select agency_id, id, coalesce((persona->>'autoReturnHours')::float8, 0) as hours from tenant) t
    where c.id = ${conversationId} and c.mode = 'human_takeover' and t.agency_id = c.agency_id and t.id = c.tenant_id`.execute(
    tx.sql,
  );
}

const RESCHEDULED_AT_ONCE = 500;

/** A tenant has other hours for it now: they count from the last human activity. Some conversations in each transaction. */
export async function rescheduleReturns(database: Pick<Database, 'transaction'>, scope: TenantScope): Promise<void> {
  while ((await database.transaction((tx) => rescheduleSome(tx, scope))) === RESCHEDULED_AT_ONCE);
}

async function rescheduleSome(tx: Tx, { agencyId, tenantId }: TenantScope): Promise<number> {
  const { rows } = await sql<object>`
    with due as (
      select c.id, hours.at from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
      cross join lateral (select nullif(coalesce((t.persona->>'autoReturnHours')::float8, 0), 0) * interval '1 hour' + c.human_active_at as at) hours
      where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.mode = 'human_takeover' and c.merged_into is null
        and c.return_at is distinct from hours.at
      order by c.id limit ${RESCHEDULED_AT_ONCE} for no key update of c
    )
    update conversation c set return_at = due.at from due where c.id = due.id returning 1`.execute(tx.sql);
  return rows.length;
}

/** Conversations whose time is over: the agent returns to them, each in a transaction of its own. */
export async function listDueReturns(tx: Tx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from conversation where return_at <= ${tx.now} order by return_at limit ${limit}`.execute(tx.sql);
  return rows.map((row) => row.id);
}

/** The agent returns unless a person has just done something. Takes the conversation's lock. */
export async function returnToAgent(tx: Tx, conversationId: string): Promise<boolean> {
  const { rows } = await sql<{ agencyId: string; tenantId: string }>`
    select agency_id as "agencyId", tenant_id as "tenantId" from conversation
    where id = ${conversationId} and merged_into is null and mode = 'human_takeover' and return_at <= ${tx.now}
    for no key update`.execute(tx.sql);
  const [owner] = rows;
  if (!owner) return false;
  const returned = await handOver(tx, { ...owner, sessionId: null }, conversationId, {
    mode: 'bot_active',
    cause: 'auto_return',
  });
  return returned !== null;
}
