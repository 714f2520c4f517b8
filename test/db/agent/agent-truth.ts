import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { rowsOf } from '../../support/rows.ts';

/** Returns the broken rules in a conversation's rows, once everything rests. */
export async function listTurnFaults(database: Database, conversationId: string): Promise<string[]> {
  const inbound = await rowsOf(
    database,
    sql<{ id: string; turns: number; left: number }>`
        select m.id, count(t.id) filter (where not t.is_left)::int as turns, count(t.id) filter (where t.is_left)::int as left
        from message m left join (select t.*, coalesce(t.silence_code, '') in ('agent_late', 'human')
            or exists (select 1 from message o where o.turn_id = t.id and o.status = 'cancelled') as is_left
          from ai_turn t where t.conversation_id = ${conversationId} and t.outcome <> 'running'
            and coalesce(t.silence_code, '') not in ('newer_message', 'model_retry')) t on m.id = any(t.inbound_message_ids)
        where m.conversation_id = ${conversationId} and m.direction = 'in' group by m.id`,
  );
  const turns = await rowsOf(
    database,
    sql<{ isFallback: boolean }>`select coalesce(silence_code = 'model_failed', false) as "isFallback" from ai_turn
        where conversation_id = ${conversationId} and message_ids <> '{}' order by id`,
  );
  const fallbacks = turns.filter(({ isFallback }, at) => isFallback && turns[at - 1]?.isFallback);
  return [
    // When a conversation returns to the agent, it answers what it had left to people and nobody has answered.
    ...inbound
      .filter(({ turns, left }) => turns > 1 || turns + left === 0)
      .map(({ id, turns, left }) => `${id} has ${turns} turns, and ${left} that left it to people`),
    ...fallbacks.map(() => 'two fallbacks in a row'),
  ];
}

/** Returns the ends of the conversation's turns, and the reasons of its silence. */
export async function listOutcomes(database: Database, conversationId: string): Promise<string[]> {
  const turns = await rowsOf(
    database,
    sql<{ outcome: string }>`
      select distinct concat_ws(' ', outcome, silence_code) as outcome from ai_turn where conversation_id = ${conversationId}`,
  );
  return turns.map(({ outcome }) => outcome);
}
