import { findConversationById } from '../../db/conversations/conversation.ts';
import type { Handover } from '../../db/agent/handover.ts';
import { changeHandsOnce } from '../../db/agent/takeover.ts';
import type { InFlight } from '../../db/agent/takeover.ts';
import { createAnswerTurn } from './answer-turn.ts';
import type { ModelCalls } from './answer-turn.ts';
import { createBeginTurn } from './begin-turn.ts';
import type { BeginTurn, TurnStep } from './begin-turn.ts';
import { notFound } from '../../domain/error.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { createPresenceWatch } from './presence-watch.ts';
import { createStepDown } from './step-down.ts';
import { createReadAhead } from './turn-material.ts';

export type SalesAgentActivities = ReturnType<typeof createSalesAgentActivities>;

interface OperatorsDecision {
  conversationId: string;
  mode: Handover['mode'];
  actor: string;
  reason: string;
  /** The id of the update that brought the decision. The decision is done once, however often the activity runs. */
  requestId: string;
}

interface HandsChanged {
  mode: string;
  epoch: number;
  /** The only messages of the agent that may still go out after a takeover. */
  inFlight: InFlight[];
}

export function createSalesAgentActivities(deps: ActivityDependencies) {
  const { database } = deps;
  const calls: ModelCalls = new Map();
  const readAhead = createReadAhead(database);
  const begin = createBeginTurn(deps, createPresenceWatch(deps.backends));

  async function beginTurn(look: BeginTurn): Promise<TurnStep> {
    const step = await begin(look);
    if (step.state === 'begun') readAhead.begin(step.turnId);
    if ('gaveUp' in step && step.gaveUp !== null) calls.get(step.gaveUp)?.abort();
    return step;
  }

  /**
   * Does what an operator decides in the workflow of a conversation. Safe to repeat: a decision that is done is not
   * done again.
   * Rows: conversation, handover, message.
   */
  async function changeHands(by: OperatorsDecision): Promise<HandsChanged> {
    const { conversationId, mode, actor, reason, requestId } = by;
    const conversation = await database.read((queries) => findConversationById(queries, conversationId));
    if (!conversation) throw notFound('conversation');
    const { agencyId, tenantId } = conversation;
    const cause = mode === 'bot_active' ? 'release' : 'assign';
    const to = { mode, cause, actor, reason, requestId } as const;
    const changed = await changeHandsOnce(database, { agencyId, tenantId, sessionId: null }, conversationId, to);
    if (!changed) throw notFound('conversation');
    return changed;
  }

  return {
    beginTurn,
    answerTurn: createAnswerTurn(deps, calls, readAhead),
    stepDown: createStepDown(deps),
    changeHands,
  };
}
