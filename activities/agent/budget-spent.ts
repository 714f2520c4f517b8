import { hasNote } from '../../db/agent/desk.ts';
import type { Queries } from '../../db/engine/tx.ts';
import type { TurnAtWork } from '../../db/agent/turn.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import type { Conclusion } from './conclude-turn.ts';
import { fallbackParts } from './fallback.ts';

/**
 * Concludes a turn whose budget is used up. Once a day the contact is told that somebody will answer, and a person gets
 * the conversation. If that person gives it back the same day, the silence is only recorded.
 */
export async function spentConclusion(
  queries: Queries,
  turn: TurnAtWork,
  persona: Pick<Persona, 'fallbackMessage'>,
): Promise<Conclusion> {
  const note = `budget:${queries.now.toISOString().slice(0, 10)}`;
  if (await hasNote(queries, turn.conversationId, note)) return { outcome: 'silence', code: 'budget' };
  const parts = await fallbackParts(queries, turn, persona);
  return { outcome: 'handoff', cause: 'agent', reason: 'budget', parts, notes: [note], silence: 'budget' };
}
