import { sql } from 'kysely';
import type { Database } from '../../../db/database.ts';
import { rowsOf } from '../../support/rows.ts';

/** What must be so of a conversation's rows once everything rests. */
export async function listTurnFaults(database: Database, conversationId: string): Promise<string[]> {
  const inbound = await rowsOf(
    database,
    sql<{ id: string; turns: number }>`
        select m.id, (select count(*)::int from ai_turn t where t.conversation_id = m.conversation_id and m.id = any(t.inbound_message_ids)
          and t.outcome <> 'running' and coalesce(t.silence_code, '') not in ('newer_message', 'model_retry')) as turns
        from message m where m.conversation_id = ${conversationId} and m.direction = 'in'`,
  );
  const turns = await rowsOf(
    database,
    sql<{ isFallback: boolean }>`select coalesce(silence_code = 'model_failed', false) as "isFallback" from ai_turn
        where conversation_id = ${conversationId} and message_ids <> '{}' order by id`,
  );
  const fallbacks = turns.filter(({ isFallback }, at) => isFallback && turns[at - 1]?.isFallback);
  return [
    ...inbound.filter((message) => message.turns !== 1).map((message) => `${message.id} has ${message.turns} turns`),
    ...fallbacks.map(() => 'two fallbacks in a row'),
  ];
}

/** How the conversation's turns ended, and why it was silent. */
export async function listOutcomes(database: Database, conversationId: string): Promise<string[]> {
  const turns = await rowsOf(
    database,
    sql<{ outcome: string }>`
      select distinct concat_ws(' ', outcome, silence_code) as outcome from ai_turn where conversation_id = ${conversationId}`,
  );
  return turns.map(({ outcome }) => outcome);
}
