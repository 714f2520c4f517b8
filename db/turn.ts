import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import { TURN_OUTCOMES } from '../domain/sales-agent.ts';
import type { SilenceCode } from '../domain/sales-agent.ts';
import type { Queries, Tx } from './database.ts';
import { newId } from './new-id.ts';

/** One run of the agent over the messages since its last one. */
export const Turn = defineEntity({
  name: 'Turn',
  tableName: 'ai_turn',
  properties: {
    id: p.string().primary(),
    agencyId: p.string(),
    tenantId: p.string(),
    sessionId: p.string(),
    conversationId: p.string(),
    upToMessageId: p.string(),
    upToAt: p.datetime(),
    conversationEpoch: p.integer(),
    tenantEpoch: p.integer(),
    outcome: p.enum(TURN_OUTCOMES),
    silenceCode: p.string().nullable(),
    model: p.string().nullable(),
    inputTokens: p.integer().nullable(),
    outputTokens: p.integer().nullable(),
    reply: p.text().nullable(),
    messageId: p.string().nullable(),
    errorCode: p.string().nullable(),
    startedAt: p.datetime(),
    endedAt: p.datetime().nullable(),
  },
});
export type Turn = InferEntity<typeof Turn>;

export async function findTurnById(queries: Queries, id: string): Promise<Turn | null> {
  return queries.em.findOne(Turn, { id });
}

export interface Unanswered {
  messageId: string;
  /** As PostgreSQL writes it: it only goes back there. */
  at: string;
  messageCount: number;
}

/** The inbound messages after the last turn that ended; null when every one of them has its turn. */
export async function findUnanswered(queries: Queries, conversationId: string): Promise<Unanswered | null> {
  const { rows } = await sql<Unanswered>`
    select (array_agg(m.id order by m.occurred_at desc, m.id desc))[1] as "messageId", max(m.occurred_at) as at,
      count(*)::int as "messageCount"
    from message m
    where m.conversation_id = ${conversationId} and m.direction = 'in' and m.origin = 'network'
      and m.created_at > coalesce((
        select max(covered.created_at) from ai_turn t join message covered on covered.id = t.up_to_message_id
        where t.conversation_id = ${conversationId} and t.outcome <> 'running'), '-infinity')
    having count(*) > 0`.execute(queries.sql);
  return rows[0] ?? null;
}

/** The turn is begun under the epochs of this moment: its reply is worth nothing once they have moved. */
export async function insertTurn(tx: Tx, conversationId: string, unanswered: Unanswered): Promise<string> {
  const id = newId('trn');
  await sql`
    insert into ai_turn (id, agency_id, tenant_id, session_id, conversation_id, up_to_message_id, up_to_at,
      conversation_epoch, tenant_epoch, started_at)
    select ${id}, c.agency_id, c.tenant_id, c.session_id, c.id, ${unanswered.messageId}, ${unanswered.at}, c.epoch,
      t.ai_epoch, ${tx.now}
    from conversation c join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    where c.id = ${conversationId}`.execute(tx.sql);
  return id;
}

export async function recordReply(
  tx: Tx,
  id: string,
  reply: {
    text: string;
    model: string;
    inputTokens: number | null;
    outputTokens: number | null;
    errorCode: string | null;
  },
): Promise<void> {
  await sql`
    update ai_turn set reply = ${reply.text}, model = ${reply.model}, input_tokens = ${reply.inputTokens},
      output_tokens = ${reply.outputTokens}, error_code = ${reply.errorCode}
    where id = ${id} and outcome = 'running'`.execute(tx.sql);
}

export async function endTurn(
  tx: Tx,
  id: string,
  end:
    | { outcome: 'reply' | 'fallback'; messageId: string }
    | { outcome: 'silence'; code: SilenceCode; errorCode?: string | null },
): Promise<void> {
  const silence = end.outcome === 'silence' ? end : null;
  await sql`
    update ai_turn set outcome = ${end.outcome}, ended_at = ${tx.now}, silence_code = ${silence?.code ?? null},
      error_code = coalesce(${silence?.errorCode ?? null}, error_code),
      message_id = ${end.outcome === 'silence' ? null : end.messageId}
    where id = ${id} and outcome = 'running'`.execute(tx.sql);
}

/** Turns of a run that is gone must not stand between a message and its answer. */
export async function abandonTurns(tx: Tx, conversationId: string): Promise<void> {
  await sql`delete from ai_turn where conversation_id = ${conversationId} and outcome = 'running'`.execute(tx.sql);
}

/** The last messages of the chat, oldest first, for the model. */
export async function listContext(
  queries: Queries,
  conversationId: string,
  limit: number,
): Promise<{ direction: 'in' | 'out'; kind: string; body: string }[]> {
  const { rows } = await sql<{ direction: 'in' | 'out'; kind: string; body: string }>`
    select direction, kind, body from (
      select direction, kind, body, occurred_at, id from message
      where conversation_id = ${conversationId} and status not in ('scheduled', 'failed', 'cancelled')
      order by occurred_at desc, id desc limit ${limit}) recent
    order by occurred_at, id`.execute(queries.sql);
  return rows;
}

/** How the turn before this one ended; null for the first. */
export async function findPreviousOutcome(queries: Queries, turn: Turn): Promise<string | null> {
  const { rows } = await sql<{ outcome: string }>`
    select outcome from ai_turn where conversation_id = ${turn.conversationId} and id <> ${turn.id} and outcome <> 'running'
    order by ended_at desc limit 1`.execute(queries.sql);
  return rows[0]?.outcome ?? null;
}
