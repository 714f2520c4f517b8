import { ApplicationFailure } from '@temporalio/activity';
import { findConversationById } from '../db/conversation.ts';
import { handOver } from '../db/handover.ts';
import type { Handover } from '../db/handover.ts';
import { createAnswerTurn } from './answer-turn.ts';
import type { ModelCalls } from './answer-turn.ts';
import { createBeginTurn } from './begin-turn.ts';
import type { BeginTurn, TurnStep } from './begin-turn.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { createPresenceWatch } from './presence-watch.ts';
import { createStepDown } from './step-down.ts';

export type SalesAgentActivities = ReturnType<typeof createSalesAgentActivities>;

interface OperatorsDecision {
  conversationId: string;
  mode: Handover['mode'];
  actor: string;
  reason: string;
}

export function createSalesAgentActivities(deps: ActivityDependencies) {
  const { database } = deps;
  const calls: ModelCalls = new Map();
  const begin = createBeginTurn(deps, createPresenceWatch(deps.backend));

  async function beginTurn(look: BeginTurn): Promise<TurnStep> {
    const step = await begin(look);
    if ('gaveUp' in step && step.gaveUp !== null) calls.get(step.gaveUp)?.abort();
    return step;
  }

  /** What an operator decides in the workflow of a conversation. Safe to repeat: the same decision leads to the same. */
  async function changeHands(by: OperatorsDecision): Promise<{ mode: string; epoch: number }> {
    const { conversationId, mode, actor, reason } = by;
    const conversation = await database.read((queries) => findConversationById(queries, conversationId));
    if (!conversation) throw ApplicationFailure.nonRetryable('There is no such conversation.', 'refused');
    const { agencyId, tenantId } = conversation;
    const cause = mode === 'bot_active' ? 'release' : 'assign';
    const handed = await database.transaction((tx) =>
      handOver(tx, { agencyId, tenantId, sessionId: null }, conversationId, { mode, cause, actor, reason }),
    );
    if (!handed) throw ApplicationFailure.nonRetryable('There is no such conversation.', 'refused');
    return { mode, epoch: handed.epoch };
  }

  return { beginTurn, answerTurn: createAnswerTurn(deps, calls), stepDown: createStepDown(deps), changeHands };
}
