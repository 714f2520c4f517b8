import { z } from 'zod';
import type { SilenceCode } from '../../domain/agent/sales-agent.ts';
import type { ModelCall } from '../../domain/agent/turn.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { one, row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { newId } from '../engine/new-id.ts';
import type { Turn } from './turn.ts';

export type TurnEnd =
  | { outcome: 'reply' | 'fallback'; messageIds: readonly string[]; notes?: readonly string[]; silence?: SilenceCode }
  | { outcome: 'handoff'; reason: string; notes?: readonly string[]; silence?: SilenceCode }
  | { outcome: 'silence'; code: SilenceCode; retryAt?: Date };

/** The keys of the argument of `end_turn`; {@link endOf} makes it. */
export const END_KEYS = {
  outcome: true,
  code: true,
  reason: true,
  messageIds: true,
  notes: true,
  retryAt: true,
} as const;
const endJson = jsonParameter(END_KEYS, 'end_turn.p');

/**
 * Ends a running turn; false when it has ended already. Its messages have had their turn then, with two exceptions: the
 * messages of a turn that was given up for newer messages belong to the next turn, and those of a turn that is tried
 * again stay owed.
 */
export async function endTurn(tx: Tx, id: string, end: TurnEnd): Promise<boolean> {
  const { ended } = await one(tx, EndedRow)`
    select end_turn(${id}, ${endJson(endOf(end))}::jsonb, ${tx.now}) as ended`;
  return ended;
}

const EndedRow = z.object({ ended: z.boolean() });

/** Makes the argument of `end_turn` (`turn.sql`). */
export function endOf(end: TurnEnd) {
  return {
    outcome: end.outcome,
    code: end.outcome === 'silence' ? end.code : (end.silence ?? null),
    reason: end.outcome === 'handoff' ? end.reason : null,
    messageIds: 'messageIds' in end ? end.messageIds : [],
    notes: 'notes' in end ? (end.notes ?? []) : [],
    retryAt: end.outcome === 'silence' ? (end.retryAt ?? null) : null,
  };
}

/**
 * Ends the turns of a conversation that the agent has lost: its running turn is interrupted, and the messages that it
 * still owes an answer are the person's, which a turn records.
 */
export async function endOwedTurns(tx: Tx, conversationId: string): Promise<void> {
  const id = newId('trn');
  await run(tx)`
    with interrupted as (
      update ai_turn set outcome = 'silence', silence_code = 'taken_over', ended_at = ${tx.now}
      where conversation_id = ${conversationId} and outcome = 'running' returning id, inbound_message_ids
    ), owed as (
      select m.id, m.occurred_at, m.created_at,
        (select i.id from interrupted i where m.id = any(i.inbound_message_ids) order by i.id desc limit 1) as turn_id
      from message m where m.conversation_id = ${conversationId} and m.awaits_turn
    ), left_over as (
      insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at,
        conversation_epoch, tenant_epoch, outcome, silence_code, inbound_message_ids, received_at, started_at, ended_at)
      select ${id}, c.agency_id, c.tenant_id, c.session_id, c.id, o.last_id, o.last_at, c.epoch, t.ai_epoch,
        'silence', 'human', o.ids, o.first_at, ${tx.now}, ${tx.now}
      from (select array_agg(id order by occurred_at, id) as ids,
        (array_agg(id order by occurred_at desc, id desc))[1] as last_id,
          max(occurred_at) as last_at, min(created_at) as first_at
        from owed where turn_id is null having count(*) > 0) o
      join conversation c on c.id = ${conversationId} join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    )
    update message m set turn_id = coalesce(o.turn_id, ${id}), awaits_turn = false from owed o where m.id = o.id`;
}

/** The prompt and the response of a model. */
export interface ModelAnswer {
  memoryIds: readonly string[];
  reply: string | null;
}

/** The keys of the arguments of `record_model_call`: a {@link ModelCall} and a {@link ModelAnswer}. */
export const CALL_KEYS = {
  model: true,
  ms: true,
  inputTokens: true,
  outputTokens: true,
  costMicros: true,
  error: true,
  purpose: true,
} as const;
export const ANSWER_KEYS = { memoryIds: true, reply: true } as const;
const callJson = jsonParameter(CALL_KEYS, 'record_model_call.p_call');
const answerJson = jsonParameter(ANSWER_KEYS, 'record_model_call.p_answer');

/**
 * Records the result of one request to a model, even if the turn has ended. A request that extracts facts changes
 * neither the turn's model nor its reply.
 */
export async function recordModelCall(tx: Tx, id: string, call: ModelCall, answer: ModelAnswer | null): Promise<void> {
  await run(tx)`
    select record_model_call(${id}, ${callJson(call)}::jsonb, ${answer && answerJson(answer)}::jsonb)`;
}

/**
 * Records the model that is asked next, before the request is made, so that a repeated activity goes on to another
 * model.
 */
export async function chooseModel(tx: Tx, id: string, model: string): Promise<void> {
  await run(tx)`
    update ai_turn set model = ${model}, models_tried = models_tried || ${[model]}::text[]
    where id = ${id} and outcome = 'running'`;
}

/** Records the messages that a turn's reply became when they were accepted after the turn's end. */
export async function recordMessages(tx: Tx, id: string, messageIds: readonly string[]): Promise<void> {
  await run(tx)`
    update ai_turn set message_ids = ${messageIds}::text[], message_id = ${messageIds[0] ?? null} where id = ${id}`;
}

const JustFallenBackRow = z.object({ isFallback: z.boolean() });

/** True when the agent's last message before this turn was its fallback message. */
export async function hasJustFallenBack(queries: Queries, turn: Pick<Turn, 'id' | 'conversationId'>): Promise<boolean> {
  const found = await row(queries, JustFallenBackRow)`
    select outcome = 'fallback'
        or (outcome = 'handoff' and silence_code in ('budget', 'model_failed')) is true as "isFallback"
    from ai_turn where conversation_id = ${turn.conversationId} and id < ${turn.id} and cardinality(message_ids) > 0
    order by id desc limit 1`;
  return found?.isFallback ?? false;
}

/** True when no model answered an earlier turn about one of these messages, so the messages stayed owed. */
export async function isRetry(
  queries: Queries,
  { inboundMessageIds }: Pick<Turn, 'inboundMessageIds'>,
): Promise<boolean> {
  const count = await run(queries)`
    select 1 from message m join ai_turn t on t.id = m.turn_id
    where m.id = any(${inboundMessageIds}::text[]) and t.silence_code = 'model_retry' limit 1`;
  return count > 0;
}
