import { acceptSend } from '../../db/sending/accept.ts';
import type { NewSend } from '../../db/sending/accept.ts';
import { concludeInOne } from '../../db/agent/conclude.ts';
import type { Asked } from '../../db/agent/conclude.ts';
import type { Tx } from '../../db/engine/tx.ts';
import { handOver } from '../../db/agent/handover.ts';
import { recordMessages } from '../../db/agent/turn-end.ts';
import type { TurnAtWork } from '../../db/agent/turn.ts';
import { EXPIRES_AFTER_MS } from '../../domain/sending/message-state.ts';
import { AGENT_LATE } from '../../domain/agent/owed.ts';
import type { SilenceCode } from '../../domain/agent/sales-agent.ts';

/** The agent's decision about a turn's messages. `parts` are its words as they may go out. */
export type Conclusion =
  | { outcome: 'reply'; parts: readonly string[]; notes: readonly string[] }
  | { outcome: 'silence'; code: SilenceCode; retryAt?: Date }
  | {
      outcome: 'handoff';
      cause: 'agent' | 'model_failed' | 'agent_late';
      reason: string;
      parts: readonly string[];
      notes: readonly string[];
      silence?: SilenceCode;
    };

/** Owes the answer to a person: the engine itself was too slow. The agent says nothing more. */
export const LATE: Conclusion = {
  outcome: 'handoff',
  cause: AGENT_LATE,
  reason: AGENT_LATE,
  parts: [],
  notes: [],
  silence: AGENT_LATE,
};

/**
 * Ends the turn and does what was concluded, in the caller's transaction; a conclusion that hands nothing over is one
 * statement. Nothing is said when the turn has already ended or somebody has taken over since it began. `asked` records
 * the request to the model. Takes the conversation's lock.
 */
export async function concludeTurn(
  tx: Tx,
  turn: TurnAtWork,
  conclusion: Conclusion,
  asked: Asked | null,
): Promise<void> {
  switch (conclusion.outcome) {
    case 'silence':
      await concludeInOne(tx, turn, { end: conclusion, send: null, asked });
      return;
    case 'handoff':
      await handOff(tx, turn, conclusion, asked);
      return;
    default: {
      const { outcome, parts, notes } = conclusion;
      const end = { outcome, messageIds: [], notes } as const;
      await concludeInOne(tx, turn, { end, send: sendOf(turn, parts), asked });
    }
  }
}

/**
 * Hands the conversation to a person. The agent's last words are accepted under the epoch of this handover: they still
 * go out, and a person who takes over later ends them like any other message of the agent.
 */
async function handOff(
  tx: Tx,
  turn: TurnAtWork,
  { cause, reason, parts, notes, silence }: Extract<Conclusion, { outcome: 'handoff' }>,
  asked: Asked | null,
): Promise<void> {
  const { id, agencyId, tenantId } = turn;
  const end = { outcome: 'handoff', reason, notes, ...(silence ? { silence } : {}) } as const;
  const { state, conversationId } = await concludeInOne(tx, turn, { end, send: null, asked });
  if (state !== 'open') return;
  const to = { mode: 'human_takeover', cause, reason } as const;
  const handed = await handOver(tx, { agencyId, tenantId, sessionId: null }, conversationId, to);
  if (!handed || parts.length === 0) return;
  const accepted = await acceptTurnMessages(tx, { ...turn, conversationId, conversationEpoch: handed.epoch }, parts);
  await recordMessages(tx, id, accepted ?? []);
}

/**
 * Accepts all parts in one transaction: exactly once per turn, in their order, each under the fence. Needs the turn's
 * lock. Returns null when nothing can be sent in the conversation any more.
 */
export async function acceptTurnMessages(tx: Tx, turn: TurnAtWork, parts: readonly string[]): Promise<string[] | null> {
  const accepted = await acceptSend(tx, turn, sendOf(turn, parts));
  return accepted.outcome === 'accepted' ? accepted.messages.map(({ messageId }) => messageId) : null;
}

function sendOf({ id, conversationId, conversationEpoch, tenantEpoch }: TurnAtWork, parts: readonly string[]): NewSend {
  return {
    recipient: { conversationId },
    parts: parts.map((body) => ({ kind: 'text', body })),
    origin: 'ai',
    expires: { afterMs: EXPIRES_AFTER_MS.ai },
    fence: { conversationEpoch, tenantEpoch, turnId: id },
  };
}
