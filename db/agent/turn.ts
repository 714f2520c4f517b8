import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { TURN_OUTCOMES } from '../../domain/agent/sales-agent.ts';
import type { SilenceCode } from '../../domain/agent/sales-agent.ts';
import type { ModelCall } from '../../domain/agent/turn.ts';
import { conversationRow } from '../columns.ts';
import { run } from '../rows.ts';
import type { Queries, Tx } from '../tx.ts';
import { newId } from '../new-id.ts';

/** A turn is a run of the agent over the messages since its last run. */
export const Turn = defineEntity({
  name: 'Turn',
  tableName: 'ai_turn',
  properties: {
    ...conversationRow(),
    upToMessageId: p.string(),
    upToAt: p.datetime(),
    inboundMessageIds: p.array(),
    conversationEpoch: p.integer(),
    tenantEpoch: p.integer(),
    outcome: p.enum(TURN_OUTCOMES),
    silenceCode: p.string().nullable(),
    /** The time at which a model is asked again about the messages of a turn that no model answered. */
    retryAt: p.datetime().nullable(),
    handoffReason: p.string().nullable(),
    /** The model that is being asked, and at the end the model that answered. */
    model: p.string().nullable(),
    modelCalls: p.json<ModelCall[]>(),
    /** The models that have been asked so far, fallbacks among them. */
    modelsTried: p.array(),
    inputTokens: p.integer().nullable(),
    outputTokens: p.integer().nullable(),
    costMicros: p.bigint('number').nullable(),
    memoryIds: p.array(),
    reply: p.text().nullable(),
    messageId: p.string().nullable(),
    messageIds: p.array(),
    outputNotes: p.array(),
    restarts: p.integer(),
    errorCode: p.string().nullable(),
    receivedAt: p.datetime().nullable(),
    startedAt: p.datetime(),
    endedAt: p.datetime().nullable(),
  },
});
export type Turn = InferEntity<typeof Turn>;

export async function findTurnById(queries: Queries, id: string): Promise<Turn | null> {
  return queries.em.findOne(Turn, { id });
}

/** Lists turns, newest first, from after the last turn of the previous page. */
export async function listTurns(
  queries: Queries,
  conversation: { id: string; agencyId: string; tenantId: string },
  page: { limit: number; after: string | null },
): Promise<Turn[]> {
  const { id: conversationId, agencyId, tenantId } = conversation;
  return queries.em.find(
    Turn,
    { conversationId, agencyId, tenantId, ...(page.after === null ? {} : { id: { $lt: page.after } }) },
    { orderBy: { id: 'desc' }, limit: page.limit },
  );
}

/** The messages that a turn is about. */
export interface Batch {
  messageIds: readonly string[];
  /**
   * The newest of the messages. `at` is its time as PostgreSQL writes it, because the time only goes back to
   * PostgreSQL.
   */
  messageId: string;
  at: string;
  /** The time at which the first of the messages was received. */
  receivedAt: string;
}

export interface NewTurn {
  model?: string | null;
  restarts?: number;
  /** The reason of a turn that says nothing; such a turn has ended when it is inserted. */
  silence?: SilenceCode;
}

/** Begins a turn under the epochs of this moment; its reply may not go once an epoch has changed. */
export async function insertTurn(tx: Tx, conversationId: string, batch: Batch, turn: NewTurn = {}): Promise<string> {
  const id = newId('trn');
  const { model = null, restarts = 0, silence = null } = turn;
  await run(tx)`
    with begun as (
      insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at,
        conversation_epoch, tenant_epoch, model, models_tried, restarts, outcome, silence_code, inbound_message_ids,
        received_at, started_at, ended_at)
      select ${id}, c.agency_id, c.tenant_id, c.session_id, c.id, ${batch.messageId}, ${batch.at}::timestamptz, c.epoch,
        t.ai_epoch, ${model}, ${model === null ? [] : [model]}::text[], ${restarts},
        ${silence === null ? 'running' : 'silence'}, ${silence}, ${batch.messageIds}::text[],
        ${batch.receivedAt}::timestamptz, ${tx.now}, ${silence === null ? null : tx.now}::timestamptz
      from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
      where c.id = ${conversationId}
    )
    update message set turn_id = ${id}, awaits_turn = false
    where ${silence !== null} and id = any(${batch.messageIds}::text[]) and awaits_turn`;
  return id;
}
