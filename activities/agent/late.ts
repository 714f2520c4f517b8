import type { TurnAtWork } from '../../db/agent/turn.ts';
import type { PromptContext } from '../../domain/agent/prompt/context.ts';
import type { Persona } from '../../domain/agent/sales-agent.ts';
import { answersWithinMs, SAYS_LATE_AFTER_MS } from '../../domain/agent/turn.ts';

/** True when the engine has delayed the answer to the turn's first message for longer than the persona lets it. */
export function isPastBound({ owedFrom }: TurnAtWork, persona: Persona, now: Date): boolean {
  return owedFrom !== null && now.getTime() - owedFrom.getTime() > answersWithinMs(persona);
}

/** Returns how long the contact has waited since the first message of the turn; undefined while that is usual. */
export function lateByMs(
  { inboundMessageIds }: Pick<TurnAtWork, 'inboundMessageIds'>,
  { messages, now }: Pick<PromptContext, 'messages' | 'now'>,
): number | undefined {
  const asked = messages.filter(({ id }) => inboundMessageIds.includes(id)).map(({ at }) => at.getTime());
  const waitedMs = asked.length === 0 ? 0 : now.getTime() - Math.min(...asked);
  return waitedMs >= SAYS_LATE_AFTER_MS ? waitedMs : undefined;
}
