import { sql } from 'kysely';
import { z } from 'zod';
import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { TURN_OUTCOMES } from '../../domain/agent/sales-agent.ts';
import type { SilenceCode } from '../../domain/agent/sales-agent.ts';
import { ModelCall } from '../../domain/agent/turn.ts';
import { conversationRow } from '../engine/columns.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { row, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { newId } from '../engine/new-id.ts';

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

const Time = z.number().transform((ms) => new Date(ms));

/** The part of a turn that is needed to answer it. */
export const TurnAtWork = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  conversationId: z.string(),
  conversationEpoch: z.int(),
  tenantEpoch: z.int(),
  outcome: z.enum(TURN_OUTCOMES),
  inboundMessageIds: z.array(z.string()),
  model: z.string().nullable(),
  modelCalls: z.array(ModelCall),
  modelsTried: z.array(z.string()),
  retryAt: Time.nullable(),
  receivedAt: Time.nullable(),
  startedAt: Time,
  /** Since when the first of its messages is owed an answer. */
  owedFrom: Time.nullable(),
});
export type TurnAtWork = z.output<typeof TurnAtWork>;

/** Selects {@link TurnAtWork} from `ai_turn r`. */
export const TURN_AT_WORK = sql`jsonb_build_object('id', r.id, 'agencyId', r.agency_id, 'tenantId', r.tenant_id,
  'sessionId', r.session_id, 'conversationId', r.conversation_id, 'conversationEpoch', r.conversation_epoch,
  'tenantEpoch', r.tenant_epoch, 'outcome', r.outcome, 'inboundMessageIds', r.inbound_message_ids, 'model', r.model,
  'modelCalls', r.model_calls, 'modelsTried', r.models_tried,
  'retryAt', (extract(epoch from r.retry_at) * 1000)::float8, 'receivedAt',
  (extract(epoch from r.received_at) * 1000)::float8, 'startedAt', (extract(epoch from r.started_at) * 1000)::float8,
  'owedFrom', (select (extract(epoch from min(coalesce(o.owed_from, o.created_at))) * 1000)::float8 from message o
    where o.id = any(r.inbound_message_ids) and o.agency_id = r.agency_id and o.tenant_id = r.tenant_id))`;

const AtWorkRow = z.object({ turn: TurnAtWork });

export async function findTurnAtWork(queries: Queries, id: string): Promise<TurnAtWork | null> {
  return (
    (await row(queries, AtWorkRow)`select ${TURN_AT_WORK} as turn from ai_turn r where r.id = ${id}`)?.turn ?? null
  );
}

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

/** The keys of the argument of `insert_turn`; {@link turnToInsert} makes it. */
export const TURN_KEYS = {
  id: true,
  messageIds: true,
  messageId: true,
  at: true,
  receivedAt: true,
  model: true,
  restarts: true,
  silence: true,
} as const;
const turnJson = jsonParameter(TURN_KEYS, 'insert_turn.p');

/** Begins a turn under the epochs of this moment; its reply may not go once an epoch has changed. */
export async function insertTurn(tx: Tx, conversationId: string, batch: Batch, turn: NewTurn = {}): Promise<string> {
  const id = newId('trn');
  await run(tx)`
    select insert_turn(${conversationId}, ${turnJson(turnToInsert(id, batch, turn))}::jsonb, ${tx.now})`;
  return id;
}

/** Makes the argument of `insert_turn` (`turn.sql`). */
export function turnToInsert(id: string, batch: Batch, { model = null, restarts = 0, silence }: NewTurn) {
  return { id, ...batch, model, restarts, silence };
}
