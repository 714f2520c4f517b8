import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyLocalActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { SalesAgentActivities } from '../../activities/agent/sales-agent.ts';
import { messageReceived } from '../signals.ts';
import { startAnswer } from './answer.ts';
import type { Answer } from './answer.ts';
import { handleDecisions } from './decisions.ts';
import { agentStory } from './agent-story.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';

const { beginTurn } = proxyLocalActivities<SalesAgentActivities>({
  startToCloseTimeout: LOCAL_WITHIN,
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

const IDLE_MS = 30 * 60_000;

/**
 * Answers one conversation: waits until the contact has finished writing, then gives one reply for all of it. The rows
 * say which messages are owed an answer and when; a signal only says that something is new. The workflow closes when
 * the conversation is idle.
 * Rows: conversation, ai_turn, message.
 */
export async function aiConversation(conversationId: string): Promise<void> {
  const received = handleHints();
  const story = agentStory(conversationId);
  handleDecisions(conversationId, story);

  let waits = 0;
  let answer: Answer | null = null;
  for (;;) {
    // A conversation that never rests must not grow without end, so another run begins and reads the rows.
    if (workflowInfo().continueAsNewSuggested) {
      await finish(answer);
      await continueAsNew<typeof aiConversation>(conversationId);
    }
    const seen = received();
    const running = answer?.isOver() === false ? answer.turnId : null;
    const step = await beginTurn({ conversationId, running, waits });
    story.looked(step);
    waits = step.state === 'wait' ? waits + 1 : 0;
    switch (step.state) {
      case 'none':
        if (step.silent !== undefined) story.silent(step.silent);
        if (step.more === true) continue;
        break;
      case 'wait':
        giveUp(answer, step.gaveUp);
        if (step.retries) {
          story.retrying(step.retries);
          await condition(() => received() > seen, step.waitMs, { summary: 'wait before the model is asked again' });
        } else {
          story.tell('listening', null);
          await sleep(step.waitMs, { summary: 'wait until the contact stops writing' });
        }
        continue;
      case 'begun':
        giveUp(answer, step.gaveUp);
        story.tell('answering', step.turnId);
        answer = startAnswer(step.turnId);
        if (await hasNewsFirst(answer, () => received() > seen)) continue;
        if (answer.retries() || step.more === true) continue;
        break;
      case 'busy':
        // The newer messages belong to the next turn, so this one is waited for.
        if (answer) await answer.over;
        continue;
    }
    story.tell('idle', null);
    if (await condition(() => received() > seen, IDLE_MS, { summary: 'idle' })) continue;
    await finish(answer);
    if (received() === seen) return;
  }
}

/** Returns a function that tells how often there was news of the conversation since the run began. */
function handleHints(): () => number {
  let received = 0;
  setHandler(messageReceived, () => void (received += 1), {
    description: 'The contact wrote, or the conversation has another owner.',
  });
  return () => received;
}

/** True when a message came before the turn's end. The rows decide whether the turn begins again with that message. */
async function hasNewsFirst(answer: Answer, isNews: () => boolean): Promise<boolean> {
  await condition(() => answer.isOver() || isNews());
  return isNews();
}

/** Stops the answer to a turn that the rows have given up. */
function giveUp(answer: Answer | null, turnId: string | null): void {
  if (answer && answer.turnId === turnId) answer.cancel();
}

async function finish(answer: Answer | null): Promise<void> {
  await answer?.over;
  await condition(allHandlersFinished);
}
