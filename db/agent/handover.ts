import { sql } from 'kysely';
import { z } from 'zod';
import { ConversationMode } from '../../domain/conversation.ts';
import type { HandoverCause } from '../../domain/webhooks/event.ts';
import type { EndReason } from '../../domain/sending/reasons.ts';
import type { Scope, TenantScope } from '../../domain/scope.ts';
import type { Database } from '../engine/database.ts';
import { IdRow } from '../engine/columns.ts';
import { cancelSaidByRuns, endRuns, noteTakenOver } from '../sending/runs-taken-over.ts';
import { promiseMissing } from '../promises.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { lockConversation } from '../conversations/conversation.ts';
import { noteColleagues } from '../conversations/team/colleagues.ts';
import { endMessage } from '../sending/outcome.ts';
import { endOwedTurns } from './turn-end.ts';

export interface Handover {
  mode: ConversationMode;
  cause: HandoverCause;
  assignee?: string | null;
  reason?: string | null;
  /**
   * The name that the operator or dashboard gives who asks for the handover, for the record; `keyId` is the request's
   * key.
   */
  actor?: string | null;
  keyId?: string | null;
  /** The run of an automation that hands over; the event starts no other, and the run itself goes on. */
  executionId?: string | null;
  /**
   * The request's id, for a caller that may repeat the request because its answer was lost; the handover is done once.
   */
  requestId?: string | null;
}

const HandedOverRow = z.object({
  /** The conversation that was handed over: the named one, or the one that it was merged into. */
  conversationId: z.string(),
  epoch: z.int(),
  assignedTo: z.string().nullable(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  chatId: z.string(),
  contactId: z.string().nullable(),
  returnAt: z.string().nullable(),
  isNews: z.boolean(),
  hasChanged: z.boolean(),
});
export type HandedOver = Pick<z.output<typeof HandedOverRow>, 'conversationId' | 'epoch' | 'assignedTo'>;

/**
 * Hands a conversation over; nothing else changes who has it. One transaction changes mode and epoch, ends unclaimed AI
 * messages and owed turns, and writes the record and the event. `takeover.ts` then waits for messages that were claimed
 * before, in new statements. Giving back a conversation that no person has changes nothing. Null when there is no such
 * conversation.
 */
export async function handOver(tx: Tx, scope: Scope, conversationId: string, to: Handover): Promise<HandedOver | null> {
  const { cause, mode, assignee = null, reason = null, actor = null, keyId = null, requestId = null } = to;
  const { executionId = null } = to;
  const isTaken = mode === 'human_takeover';
  const found = await row(tx, HandedOverRow)`
    with was as (
      select c.*, coalesce(stored_number(t.persona->'autoReturnHours', 0), 0) as hours,
        (${isTaken} or c.mode = 'human_takeover') as changes
      from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
      where c.id = ${conversationId} and c.agency_id = ${scope.agencyId} and c.tenant_id = ${scope.tenantId}
        and (${scope.sessionId}::text is null or c.session_id = ${scope.sessionId}) and c.merged_into is null
      for no key update of c
    ), changed as (
      update conversation c set mode = ${mode}, epoch = c.epoch + 1, assigned_to = ${assignee},
        assigned_reason = ${isTaken ? reason : null}, taken_over_by = ${isTaken ? whoTook(cause) : null},
        human_active_at = ${isTaken ? tx.now : null}::timestamptz,
        return_at = case when ${isTaken} and was.hours > 0
          then ${tx.now}::timestamptz + was.hours * interval '1 hour' end
      from was where c.id = was.id and was.changes
      returning c.*, (was.mode, was.assigned_to, was.assigned_reason)
        is distinct from (c.mode, c.assigned_to, c.assigned_reason) as is_news
    ), recorded as (
      insert into handover (conversation_id, at, cause, mode, epoch, assigned_to, reason, actor, key_id, request_id)
      select was.id, ${tx.now}, ${cause}, ${mode}, coalesce(changed.epoch, was.epoch), changed.assigned_to, ${reason},
        ${actor}, ${keyId}, ${requestId}
      from was left join changed on true where was.changes or ${requestId !== null}
    )
    select was.id as "conversationId", coalesce(changed.epoch, was.epoch) as epoch, changed.assigned_to as "assignedTo",
      was.agency_id as "agencyId", was.tenant_id as "tenantId", was.session_id as "sessionId", was.chat_id as "chatId",
      was.contact_id as "contactId", coalesce(changed.is_news, false) as "isNews", was.changes as "hasChanged",
      to_char(changed.return_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "returnAt"
    from was left join changed on true`;
  if (!found) {
    // It was merged into another one, which is locked first: the merge may be undone meanwhile.
    const isMerged = await isInScope(tx, scope, conversationId);
    return isMerged ? handOver(tx, scope, await lockConversation(tx, conversationId), to) : null;
  }
  if (found.hasChanged) {
    const left = await findLeft(tx, found.conversationId);
    if (left.waits) await cancelAiMessages(tx, found.conversationId, isTaken ? 'taken_over' : 'ai_paused');
    if (left.owes) await endOwedTurns(tx, found.conversationId);
    if (left.said && isTaken) await cancelSaidByRuns(tx, found.conversationId, executionId);
    if (left.runs && isTaken) await noteTakenOver(tx, found.conversationId, executionId);
    if (left.isAtWork && !isAgents(cause)) await wakeAgent(tx, found.conversationId);
  }
  if (found.isNews) tell(tx, found, to);
  await noteColleagues(tx, found, executionId === null ? [assignee, actor] : [assignee]);
  const { epoch, assignedTo } = found;
  return { conversationId: found.conversationId, epoch, assignedTo };
}

/**
 * Records every handover by the agent as `agent`: workers of the previous release, while they are being replaced, let
 * the agent's last words go for that cause only. The reason tells why the agent left.
 */
function whoTook(cause: HandoverCause): HandoverCause {
  return cause === 'model_failed' || cause === 'agent_late' ? 'agent' : cause;
}

function tell(
  tx: Tx,
  row: z.output<typeof HandedOverRow>,
  { mode, cause, reason = null, executionId = null }: Handover,
): void {
  const { agencyId, tenantId, sessionId, conversationId, contactId, chatId, assignedTo, epoch, returnAt } = row;
  tx.emit({
    event: mode === 'human_takeover' ? 'conversation.assigned' : 'conversation.released',
    agencyId,
    tenantId,
    sessionId,
    conversationId,
    ...(executionId !== null ? { startsNothing: true as const } : {}),
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

/** True for a handover that the agent's own turn makes, or that its lateness causes: many may come at once. */
function isAgents(cause: HandoverCause): boolean {
  return whoTook(cause) === 'agent';
}

/**
 * Has the agent's execution read the rows again: to answer, or to show in Temporal who has the conversation. The
 * promise starts one that has closed, because it keeps others from being made.
 */
export async function wakeAgent(tx: Tx, conversationId: string): Promise<void> {
  await promiseMissing(tx, 'aiConversation', {
    which: sql`r.id = ${conversationId}`,
    signal: 'messageReceived',
    movedAt: null,
    parkedForMs: 0,
  });
}

/** An execution of the agent closes when it has been idle for half an hour (`workflows/agent/ai-conversation.ts`). */
const OPEN_FOR_MINUTES = 40;

const LeftRow = z.object({
  waits: z.boolean(),
  owes: z.boolean(),
  said: z.boolean(),
  runs: z.boolean(),
  /** True if the agent's execution is probably open. */
  isAtWork: z.boolean(),
});

/**
 * Finds out whether the agent has waiting messages, whether it has a running turn or owes one, whether its execution is
 * open, and whether automations have waiting messages or runs. Only a run that begins at the same time changes that
 * without the conversation's lock, which the caller holds: it begins after the takeover.
 */
async function findLeft(tx: Tx, conversationId: string): Promise<z.output<typeof LeftRow>> {
  const found = await row(tx, LeftRow)`
    select exists (select 1 from message
      where conversation_id = ${conversationId} and origin = 'ai' and status = 'queued') as waits,
      exists (select 1 from ai_turn where conversation_id = ${conversationId} and outcome = 'running')
        or exists (select 1 from message where conversation_id = ${conversationId} and awaits_turn) as owes,
      -- A turn that only records a silence has the time of its message (tell_agent), and no execution.
      exists (select 1 from ai_turn where conversation_id = ${conversationId}
        and up_to_at > ${tx.now}::timestamptz - interval '2 days'
        and started_at > ${tx.now}::timestamptz - ${OPEN_FOR_MINUTES} * interval '1 minute'
        and (outcome <> 'silence' or received_at < started_at)) as "isAtWork",
      exists (select 1 from message
        where conversation_id = ${conversationId} and via = 'automation' and status = 'queued') as said,
      exists (select 1 from automation_execution x where x.status = 'running' and x.conversation_id in (
        select own.id from ids_of_conversation(${conversationId}) as own(id))) as runs`;
  return found ?? { waits: true, owes: true, said: true, runs: true, isAtWork: true };
}

async function isInScope(tx: Tx, scope: Scope, conversationId: string): Promise<boolean> {
  const found = await row(tx, IdRow)`
    select id from conversation
    where id = ${conversationId} and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
      and (${scope.sessionId}::text is null or session_id = ${scope.sessionId})`;
  return found !== undefined;
}

const HandoverRow = z.object({ mode: ConversationMode, epoch: z.int() });

/** Reads the handover that an earlier request with this id made. Needs the conversation's lock. */
export async function findHandover(
  tx: Tx,
  requestId: string,
): Promise<{ mode: ConversationMode; epoch: number } | null> {
  const found = await row(tx, HandoverRow)`
    select mode, epoch from handover where request_id = ${requestId}`;
  return found ?? null;
}

/**
 * Ends the AI's unclaimed messages of a conversation; with `of_the_past` only those that the tenant's state does not
 * let go any more. Needs the conversation's lock.
 */
export async function cancelAiMessages(
  tx: Tx,
  conversationId: string,
  reason: EndReason,
  which: 'all' | 'of_the_past' = 'all',
): Promise<void> {
  const found = await rows(tx, IdRow)`
    select m.id from message m join tenant t on t.agency_id = m.agency_id and t.id = m.tenant_id
    where m.conversation_id = ${conversationId} and m.origin = 'ai' and m.status = 'queued'
      and (${which === 'all'} or m.tenant_epoch is distinct from t.ai_epoch or tenant_silence(t) is not null)
    order by m.chat_seq for update of m`;
  for (const { id } of found) await endMessage(tx, id, { status: 'cancelled', reason, detail: null });
}

const OverByPersonRow = z.object({ isAgents: z.boolean(), isInHands: z.boolean(), hasRuns: z.boolean() });

/**
 * Hands the conversation to a person who has written in it, if the agent is on there, or has just handed over and may
 * still be saying so. If a person has the conversation already, the time until the agent returns begins anew. If the
 * agent is off, the conversation stays unassigned, and its runs of automations end all the same. Null when no handover
 * was made.
 */
export async function takeOverByPerson(
  tx: Tx,
  scope: Scope,
  conversationId: string,
  by: Pick<Handover, 'actor' | 'keyId' | 'assignee'> & { cause: 'reply' | 'phone' },
): Promise<HandedOver | null> {
  const found = await rows(tx, OverByPersonRow)`
    select c.mode = 'bot_active' or agent_has_left(c) as "isAgents",
      tenant_silence(t) is distinct from 'paused' or c.mode = 'human_takeover' as "isInHands",
      exists (select 1 from automation_execution e where e.status = 'running' and e.conversation_id in (
        select own.id from ids_of_conversation(c.id) as own(id)))
        or exists (select 1 from message m where m.conversation_id = c.id and m.via = 'automation'
          and m.status in ('queued', 'sending')) as "hasRuns"
    from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    where c.id = ${conversationId} and c.agency_id = ${scope.agencyId} and c.tenant_id = ${scope.tenantId}
    for no key update of c`;
  const [conversation] = found;
  if (conversation?.isInHands === false) {
    return conversation.hasRuns ? endRuns(tx, conversationId) : null;
  }
  if (conversation?.isAgents === true) return handOver(tx, scope, conversationId, { mode: 'human_takeover', ...by });
  if (!conversation) return null;
  await noteHumanActivity(tx, conversationId);
  // A run that has given the conversation to a person would otherwise speak over that person.
  return conversation.hasRuns ? endRuns(tx, conversationId) : null;
}

/**
 * Starts the time until the agent returns anew, because a person has done something in a conversation that is theirs.
 */
async function noteHumanActivity(tx: Tx, conversationId: string): Promise<void> {
  await run(tx)`
    update conversation c set human_active_at = ${tx.now},
      return_at = case when hours > 0 then ${tx.now}::timestamptz + hours * interval '1 hour' end
    from (select agency_id, id, coalesce(stored_number(persona->'autoReturnHours', 0), 0) as hours from tenant) t
    where c.id = ${conversationId} and c.mode = 'human_takeover' and t.agency_id = c.agency_id and t.id = c.tenant_id`;
}

const RESCHEDULED_AT_ONCE = 500;

/**
 * Computes again when the agent returns to the conversations of a tenant, after the tenant has changed the hours, which
 * count from the last human activity. Each transaction takes a part of the conversations.
 */
export async function rescheduleReturns(database: Pick<Database, 'transaction'>, scope: TenantScope): Promise<void> {
  while ((await database.transaction((tx) => rescheduleSome(tx, scope))) === RESCHEDULED_AT_ONCE);
}

async function rescheduleSome(tx: Tx, { agencyId, tenantId }: TenantScope): Promise<number> {
  const count = await run(tx)`
    with due as (
      select c.id, hours.at from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
      cross join lateral (
        select nullif(coalesce(stored_number(t.persona->'autoReturnHours', 0), 0), 0) * interval '1 hour'
          + c.human_active_at as at) hours
      where c.agency_id = ${agencyId} and c.tenant_id = ${tenantId} and c.mode = 'human_takeover'
        and c.merged_into is null and c.return_at is distinct from hours.at
      order by c.id limit ${RESCHEDULED_AT_ONCE} for no key update of c
    )
    update conversation c set return_at = due.at from due where c.id = due.id returning 1`;
  return count;
}

/** Lists conversations to which the agent is due to return; the caller returns each in a transaction of its own. */
export async function listDueReturns(tx: Tx, limit: number): Promise<string[]> {
  const found = await rows(tx, IdRow)`
    select id from conversation where return_at <= ${tx.now} order by return_at limit ${limit}`;
  return found.map((row) => row.id);
}

/** Forgets old handovers that dashboards were told of. Returns how many, `limit` at most. */
export async function forgetHandovers(tx: Tx, before: Date, limit: number): Promise<number> {
  return run(tx)`
    delete from handover where id = any(array(select id from handover
      where at < ${before} and is_untold is not true order by at limit ${limit}))`;
}
