import { acceptSend } from '../../db/sending/accept.ts';
import { recordUsage } from '../../db/agent/usage.ts';
import type { Spender, Usage } from '../../db/agent/usage.ts';
import { lockConversation } from '../../db/conversations/conversation.ts';
import type { Tx } from '../../db/tx.ts';
import { handOver } from '../../db/agent/handover.ts';
import { endTurn, lockTurn, recordMessages } from '../../db/agent/turn-end.ts';
import type { Turn } from '../../db/agent/turn.ts';
import { EXPIRES_AFTER_MS } from '../../domain/sending/message-state.ts';
import type { SilenceCode } from '../../domain/agent/sales-agent.ts';

/** The agent's decision about a turn's messages. `parts` are its words as they may go out. */
export type Conclusion =
  | { outcome: 'reply'; parts: readonly string[]; notes: readonly string[] }
  | { outcome: 'silence'; code: SilenceCode; retryAt?: Date }
  | {
      outcome: 'handoff';
      cause: 'agent' | 'model_failed';
      reason: string;
      parts: readonly string[];
      notes: readonly string[];
      silence?: SilenceCode;
    };

/** The tokens and the cost of the answer, and the owner whose budget pays for them. */
export interface Use extends Omit<Usage, 'replies'> {
  spender: Spender;
}

/**
 * Ends the turn and does what was concluded, in the caller's transaction. Nothing is said when the turn has already
 * ended or somebody has taken over since it began. Takes the conversation's lock.
 */
export async function concludeTurn(tx: Tx, turn: Turn, conclusion: Conclusion, use: Use | null): Promise<void> {
  const conversationId = await lockConversation(tx, turn.conversationId);
  const { state, epoch } = await lockTurn(tx, turn.id, conversationId);
  if (state === 'taken_over' || state === 'paused') await endTurn(tx, turn.id, { outcome: 'silence', code: state });
  const replies = state === 'open' && conclusion.outcome === 'reply' ? 1 : 0;
  if (state === 'open') await conclude(tx, { ...turn, conversationId, conversationEpoch: epoch }, conclusion);
  if (use) await recordUsage(tx, use.spender, { tokens: use.tokens, costMicros: use.costMicros, replies }, turn.id);
}

async function conclude(tx: Tx, turn: Turn, conclusion: Conclusion): Promise<void> {
  switch (conclusion.outcome) {
    case 'silence':
      await endTurn(tx, turn.id, conclusion);
      return;
    case 'handoff':
      await handOff(tx, turn, conclusion);
      return;
    default: {
      const { outcome, parts, notes } = conclusion;
      const messageIds = await acceptTurnMessages(tx, turn, parts);
      // The session is gone meanwhile, so nothing can be said.
      const end =
        messageIds === null ? ({ outcome: 'silence', code: 'paused' } as const) : { outcome, messageIds, notes };
      await endTurn(tx, turn.id, end);
    }
  }
}

/**
 * Hands the conversation to a person. The agent's last words are accepted under the epoch of this handover: they still
 * go out, and a person who takes over later ends them like any other message of the agent.
 */
async function handOff(
  tx: Tx,
  turn: Turn,
  { cause, reason, parts, notes, silence }: Extract<Conclusion, { outcome: 'handoff' }>,
): Promise<void> {
  const { id, conversationId, agencyId, tenantId } = turn;
  await endTurn(tx, id, { outcome: 'handoff', reason, notes, ...(silence ? { silence } : {}) });
  const to = { mode: 'human_takeover', cause, reason } as const;
  const handed = await handOver(tx, { agencyId, tenantId, sessionId: null }, conversationId, to);
  if (handed && parts.length > 0) {
    await recordMessages(tx, id, (await acceptTurnMessages(tx, turn, parts, handed.epoch)) ?? []);
  }
}

/**
 * Accepts all parts in one transaction: exactly once per turn, in their order, each under the fence. Needs the turn's
 * lock. Returns null when nothing can be sent in the conversation any more.
 */
export async function acceptTurnMessages(
  tx: Tx,
  turn: Turn,
  parts: readonly string[],
  epoch?: number,
): Promise<string[] | null> {
  const accepted = await acceptSend(tx, turn, {
    recipient: { conversationId: turn.conversationId },
    parts: parts.map((body) => ({ kind: 'text', body })),
    origin: 'ai',
    expires: { afterMs: EXPIRES_AFTER_MS.ai },
    fence: { conversationEpoch: epoch ?? turn.conversationEpoch, tenantEpoch: turn.tenantEpoch, turnId: turn.id },
  });
  return accepted.outcome === 'accepted' ? accepted.messages.map(({ messageId }) => messageId) : null;
}
