import { z } from 'zod';
import { rows } from '../../engine/rows.ts';
import type { Queries } from '../../engine/tx.ts';

const Line = z.object({ line: z.string() });

/** Writes another conversation and contact into lines of messages, by SQL: JavaScript would round large numbers. */
export async function moveLines(
  queries: Queries,
  moves: readonly { line: string; conversationId: string; contactId: string | null }[],
): Promise<string[]> {
  if (moves.length === 0) return [];
  const moved = await rows(queries, Line)`
    select (m.line::jsonb || jsonb_build_object('conversation_id', m."conversationId",
      'contact_id', m."contactId"))::text as line
    from rows from (jsonb_to_recordset(${JSON.stringify(moves)}::jsonb)
      as (line text, "conversationId" text, "contactId" text)) with ordinality as m order by ordinality`;
  return moved.map(({ line }) => line);
}
