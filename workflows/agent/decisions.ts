import { defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { SalesAgentActivities } from '../../activities/agent/sales-agent.ts';
import { UPDATES } from '../../domain/names.ts';
import { reasonOf, requireDecision } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { requestId } from '../request-id.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';
import type { AgentStory } from './agent-story.ts';

type HandsChanged = Awaited<ReturnType<SalesAgentActivities['changeHands']>>;

/** Takes the conversation from the agent for a person. */
const takeOver = defineUpdate<HandsChanged, [Decision]>(UPDATES.takeOver);
/** Gives the agent the conversation back. */
const release = defineUpdate<HandsChanged, [Decision]>(UPDATES.release);

const { changeHands } = proxyLocalActivities<SalesAgentActivities>({
  startToCloseTimeout: LOCAL_WITHIN,
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

/** Takes a person's decisions about who has the conversation. */
export function handleDecisions(conversationId: string, story: AgentStory): void {
  setHandler(takeOver, (decision) => changeTo('human_takeover', decision), {
    description: 'Give the conversation to a person: { actor, reason }. Returns messages that may still be sent.',
    validator: requireDecision,
  });
  setHandler(release, (decision) => changeTo('bot_active', decision), {
    description: 'Return the conversation to the agent: { actor, reason }.',
    validator: requireDecision,
  });

  async function changeTo(mode: 'human_takeover' | 'bot_active', { actor, reason }: Decision): Promise<HandsChanged> {
    try {
      const changed = await changeHands({ conversationId, mode, actor, reason, requestId: requestId() });
      story.decided(mode);
      return changed;
    } catch (error) {
      throw reasonOf(error);
    }
  }
}
