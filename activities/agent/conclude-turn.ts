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

/** What the agent does about a turn's messages, its words as they may go out. */
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

/** What the answer took, and whose budget it is. */
export interface Use extends Omit<Usage, 'replies'> {
  spender: Spender;
}

/**
 * Ends the turn and does what was concluded, in the caller's transaction. Nothing is said when somebody has ended the turn
 * already, or has taken over since it began. Takes the conversation's lock.
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
      // Its session is gone meanwhile: there is no way to say it.
      const end =
        messageIds === null ? ({ outcome: 'silence', code: 'paused' } as const) : { outcome, messageIds, notes };
      await endTurn(tx, turn.id, end);
    }
  }
}

/**
 * The conversation is the person's from here on, and the agent's last words are accepted under the epoch of that: they
 * still go out, and a person who takes over after it ends them like any other message of the agent.
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
 * One transaction for all parts: exactly once per turn, in their order, each under the fence. Needs the turn's lock. Null
 * when nothing can be sent there any more.
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
