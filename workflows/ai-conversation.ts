import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { TASK_QUEUES } from '../domain/names.ts';
import type { SalesAgentActivities } from '../activities/agent/sales-agent.ts';
import { startAnswer } from './answer.ts';
import type { Answer } from './answer.ts';
import { createAgentStory } from './agent-story.ts';
import { requestId } from './request-id.ts';
import { messageReceived } from './signals.ts';
import { agentState, release, requireDecision, takeOver } from './updates.ts';
import type { Decision } from './updates.ts';

const { beginTurn, stepDown, changeHands } = proxyLocalActivities<SalesAgentActivities>({
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

/** Failures of the model are counted in the turn's row (`ask-once.ts`); the attempts that are more are for lost workers. */
const { answerTurn } = proxyActivities<SalesAgentActivities>({
  taskQueue: TASK_QUEUES.ai,
  startToCloseTimeout: '4 m',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '10 s', maximumAttempts: 6 },
  cancellationType: 'TRY_CANCEL',
  summary: 'ask the model, answer, note what was said',
});

const IDLE_MS = 30 * 60_000;

/**
 * Answers one conversation: waits until the contact has finished writing, one reply for all of it. The rows say what is
 * owed and when; a signal only says that something is new. Closes when idle.
 */
export async function aiConversation(conversationId: string): Promise<void> {
  const story = createAgentStory();
  let received = 0;
  let waits = 0;
  let answer: Answer | null = null;
  setHandler(messageReceived, () => void (received += 1), { description: 'The contact has written.' });
  setHandler(agentState, () => story.view, { description: 'How far the agent is: phase, turn, decisions.' });
  setHandler(takeOver, (decision) => changeTo('human_takeover', decision), {
    description:
      'A person takes the conversation over from the agent: { actor, reason }. Answers which messages may still go out.',
    validator: requireDecision,
  });
  setHandler(release, (decision) => changeTo('bot_active', decision), {
    description: 'The agent gets the conversation back: { actor, reason }.',
    validator: requireDecision,
  });

  for (;;) {
    // A conversation that never rests must not grow without end: the next run reads the rows.
    if (workflowInfo().continueAsNewSuggested) {
      await rest();
      await continueAsNew<typeof aiConversation>(conversationId);
    }
    const seen = received;
    const running = answer?.isOver() === false ? answer.turnId : null;
    const step = await beginTurn({ conversationId, running, waits });
    waits = step.state === 'wait' ? waits + 1 : 0;
    switch (step.state) {
      case 'none':
        if (step.more === true) continue;
        break;
      case 'wait':
        giveUp(step.gaveUp);
        if (step.retries) {
          story.retrying(step.retries);
          await condition(() => received > seen, step.waitMs, { summary: 'until a model is asked again' });
          continue;
        }
        story.tell('listening', null);
        await sleep(step.waitMs, { summary: 'quiet period' });
        continue;
      case 'begun':
        giveUp(step.gaveUp);
        story.tell('answering', step.turnId);
        answer = startAnswer(step.turnId, { answerTurn, stepDown });
        if (await newsBeforeItsEnd(answer, seen)) continue;
        if (answer.retries()) continue;
        if (step.more === true) continue;
        break;
      case 'busy':
        // What is newer is the next turn.
        if (answer) await answer.over;
        continue;
    }
    story.tell('idle', null);
    if (await condition(() => received > seen, IDLE_MS, { summary: 'idle' })) continue;
    await rest();
    if (received === seen) return;
  }

  async function changeTo(mode: 'human_takeover' | 'bot_active', { actor, reason }: Decision) {
    const changed = await changeHands({ conversationId, mode, actor, reason, requestId: requestId() });
    story.decided(mode);
    return changed;
  }

  function giveUp(turnId: string | null): void {
    if (answer && answer.turnId === turnId) answer.cancel();
  }

  /** True when a message came first: the rows decide whether the turn begins again with it. */
  async function newsBeforeItsEnd(current: Answer, seen: number): Promise<boolean> {
    await condition(() => current.isOver() || received > seen);
    return received > seen;
  }

  async function rest(): Promise<void> {
    await answer?.over;
    await condition(allHandlersFinished);
  }
}
