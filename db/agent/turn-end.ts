import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import type { SilenceCode } from '../../domain/agent/sales-agent.ts';
import type { ModelCall } from '../../domain/agent/turn.ts';
import { row, run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';
import { newId } from '../new-id.ts';
import type { Turn } from './turn.ts';

export type TurnEnd =
  | { outcome: 'reply' | 'fallback'; messageIds: readonly string[]; notes?: readonly string[]; silence?: SilenceCode }
  | { outcome: 'handoff'; reason: string; notes?: readonly string[]; silence?: SilenceCode }
  | { outcome: 'silence'; code: SilenceCode; retryAt?: Date };

/**
 * Ends a running turn; false when it has ended already. Its messages have had their turn then, with two exceptions: the
 * messages of a turn that was given up for newer messages belong to the next turn, and those of a turn that is tried
 * again stay owed.
 */
export async function endTurn(tx: Tx, id: string, end: TurnEnd): Promise<boolean> {
  const code = end.outcome === 'silence' ? end.code : (end.silence ?? null);
  const messageIds = 'messageIds' in end ? end.messageIds : [];
  const notes = 'notes' in end ? (end.notes ?? []) : [];
  const retryAt = end.outcome === 'silence' ? (end.retryAt ?? null) : null;
  const count = await run(tx)`
    with ended as (
      update ai_turn set outcome = ${end.outcome}, ended_at = ${tx.now}, silence_code = ${code},
        handoff_reason = ${end.outcome === 'handoff' ? end.reason : null}, message_id = ${messageIds[0] ?? null},
        message_ids = ${messageIds}::text[], output_notes = output_notes || ${notes}::text[],
        retry_at = ${retryAt}::timestamptz
      where id = ${id} and outcome = 'running' returning id, inbound_message_ids
    ), marked as (
      update message m set turn_id = e.id, awaits_turn = ${retryAt !== null}
      from ended e cross join unnest(e.inbound_message_ids) of_turn(id)
      where m.id = of_turn.id and m.awaits_turn and ${code !== 'newer_message'}
    )
    select 1 from ended`;
  return count > 0;
}

/**
 * Removes the running turns of a workflow that is gone, because they would stand between a message and its answer. A
 * turn that has asked a model is ended instead and keeps the cost on record.
 */
export async function abandonTurns(tx: Tx, conversationId: string, except: string | null): Promise<void> {
  await run(tx)`
    with unasked as (
      delete from ai_turn where conversation_id = ${conversationId} and outcome = 'running'
        and id is distinct from ${except} and model_calls = '[]'
    )
    update ai_turn set outcome = 'silence', silence_code = 'newer_message', ended_at = ${tx.now}
    where conversation_id = ${conversationId} and outcome = 'running' and id is distinct from ${except}
      and model_calls <> '[]'`;
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

/**
 * Records the result of one request to a model, even if the turn has ended. A request that extracts facts changes
 * neither the turn's model nor its reply.
 */
export async function recordModelCall(
  tx: Tx,
  id: string,
  call: ModelCall,
  answer: { memoryIds: readonly string[]; reply: string | null } | null,
): Promise<void> {
  const isAnswer = call.purpose === undefined;
  await run(tx)`
    update ai_turn set model_calls = model_calls || ${JSON.stringify([call])}::jsonb,
      model = case when ${isAnswer} then ${call.model} else model end,
      error_code = case when ${isAnswer} then ${call.error ?? null} else error_code end,
      input_tokens = ${sum('input_tokens', call.inputTokens)},
      output_tokens = ${sum('output_tokens', call.outputTokens)},
      cost_micros = ${sum('cost_micros', call.costMicros)},
      memory_ids = case when ${answer === null} then memory_ids else ${answer?.memoryIds ?? []}::text[] end,
      reply = coalesce(${answer?.reply ?? null}, reply)
    where id = ${id}`;
}

/** Adds to a sum that stays null until a request has reported a number. */
function sum(column: string, more: number | null | undefined): RawBuilder<unknown> {
  return sql`case when ${more ?? null}::bigint is null then ${sql.ref(column)}
    else coalesce(${sql.ref(column)}, 0) + ${more ?? null}::bigint end`;
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

const TurnRow = z.object({
  isOpen: z.boolean(),
  epoch: z.int(),
  hasMoved: z.boolean(),
  silence: z.string().nullable(),
});

/**
 * Locks the turn and answers whether its reply may still go: the turn runs, and since it began nobody has taken the
 * conversation or the tenant over or switched the agent off. `epoch` is the epoch of `conversationId`, the conversation
 * that the turn's own may have been merged into. Needs the lock of that conversation.
 */
export async function lockTurn(
  tx: Tx,
  id: string,
  conversationId: string,
): Promise<{ state: 'open' | 'taken_over' | 'paused' | 'over'; epoch: number }> {
  const found = await row(tx, TurnRow)`
    select r.outcome = 'running' as "isOpen", c.epoch, c.epoch <> r.conversation_epoch as "hasMoved",
      coalesce(agent_silence(c, t, false), case when t.ai_epoch <> r.tenant_epoch then 'paused' end) as silence
    from ai_turn r join conversation c on c.id = ${conversationId}
    join tenant t on t.agency_id = r.agency_id and t.id = r.tenant_id
    where r.id = ${id} for no key update of r`;
  if (found?.isOpen !== true) return { state: 'over', epoch: 0 };
  const { epoch, hasMoved, silence } = found;
  if (hasMoved || silence === 'human') return { state: 'taken_over', epoch };
  return { state: silence === null ? 'open' : 'paused', epoch };
}

/** True when the turn was given up for a turn with newer messages. */
export async function wasGivenUp(queries: Queries, id: string): Promise<boolean> {
  const count = await run(queries)`
    select 1 from ai_turn where id = ${id} and silence_code = 'newer_message'`;
  return count > 0;
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
export async function isRetry(queries: Queries, { inboundMessageIds }: Turn): Promise<boolean> {
  const count = await run(queries)`
    select 1 from message m join ai_turn t on t.id = m.turn_id
    where m.id = any(${inboundMessageIds}::text[]) and t.silence_code = 'model_retry' limit 1`;
  return count > 0;
}
