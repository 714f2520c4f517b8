import type { Queries } from '../../db/engine/tx.ts';
import { hasJustFallenBack } from '../../db/agent/turn-end.ts';
import type { Turn } from '../../db/agent/turn.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';

/** Returns the fallback message, or nothing when the persona has none or the contact has heard it last. */
export async function fallbackParts(
  queries: Queries,
  turn: Pick<Turn, 'id' | 'conversationId'>,
  { fallbackMessage }: Pick<Persona, 'fallbackMessage'>,
): Promise<string[]> {
  return fallbackMessage.trim() === '' || (await hasJustFallenBack(queries, turn)) ? [] : [fallbackMessage];
}
