import type { Turn } from '../../db/agent/turn.ts';
import { SILENCE_TEXTS } from '../../domain/agent/sales-agent.ts';
import { isSilenceCode } from '../../domain/agent/turn.ts';
import type { TurnView } from '../../domain/agent/turn.ts';

export function toTurnView(turn: Turn): TurnView {
  const { silenceCode: code } = turn;
  return {
    id: turn.id,
    conversationId: turn.conversationId,
    outcome: turn.outcome,
    silence: isSilenceCode(code) ? { code, text: SILENCE_TEXTS[code] } : null,
    retryAt: turn.retryAt?.toISOString() ?? null,
    handoffReason: turn.handoffReason ?? null,
    inboundMessageIds: turn.inboundMessageIds,
    memoryIds: turn.memoryIds,
    messageIds: turn.messageIds,
    model: turn.model ?? null,
    modelCalls: turn.modelCalls,
    inputTokens: turn.inputTokens ?? null,
    outputTokens: turn.outputTokens ?? null,
    costMicros: turn.costMicros ?? null,
    restarts: turn.restarts,
    outputNotes: turn.outputNotes,
    receivedAt: turn.receivedAt?.toISOString() ?? null,
    begunAt: turn.startedAt.toISOString(),
    endedAt: turn.endedAt?.toISOString() ?? null,
  };
}
