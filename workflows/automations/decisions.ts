import { defineUpdate, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import type { Decided, ExecutionDecisionActivities } from '../../activities/automations/decisions.ts';
import { UPDATES } from '../../domain/names.ts';
import { fieldOf, reasonOf, refusal, requireDecision, requireText } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { requestId } from '../request-id.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';
import type { ExecutionStory } from './execution-story.ts';

/** Ends the run. */
const cancel = defineUpdate<Decided, [Decision]>(UPDATES.cancel);
/** Ends what the run waits for, as if its time were over. */
const skipWait = defineUpdate<Decided, [Decision]>(UPDATES.skipWait);
/** Gives the conversation to a person, and ends the run. */
const handOver = defineUpdate<Decided, [Decision & { assignee?: string }]>(UPDATES.handOver);

const { cancelExecution, skipExecutionWait, handExecutionOver } = proxyLocalActivities<ExecutionDecisionActivities>({
  startToCloseTimeout: LOCAL_WITHIN,
  retry: { initialInterval: '500 ms', maximumInterval: '5 s' },
});

/** Takes a person's decisions about the run. `onDecided` is called after each, so that the code looks at its rows. */
export function handleDecisions(executionId: string, story: ExecutionStory, onDecided: () => void): void {
  const decided = async (decide: () => Promise<Decided>): Promise<Decided> => {
    try {
      const done = await decide();
      onDecided();
      return done;
    } catch (error) {
      throw reasonOf(error);
    }
  };
  setHandler(cancel, ({ actor, reason }) => decided(() => cancelExecution({ executionId, actor, reason })), {
    description: 'Cancel the run: { actor, reason }. Sent messages stay.',
    validator: requireDecision,
  });
  setHandler(skipWait, ({ actor, reason }) => decided(() => skipExecutionWait({ executionId, actor, reason })), {
    description: 'Skip the current wait: { actor, reason }.',
    validator: (decision) => {
      requireDecision(decision);
      if (story.view().waits === null)
        throw refusal('invalid_request', 'It waits for nothing: there is nothing to skip.');
    },
  });
  setHandler(
    handOver,
    ({ actor, reason, assignee }) =>
      decided(() =>
        handExecutionOver({
          executionId,
          assignee: assignee ?? null,
          actor,
          reason,
          requestId: requestId(),
        }),
      ),
    {
      description:
        'A person takes the conversation over, and the run ends: { actor, reason } and, where it is known, assignee.',
      validator: (decision) => {
        requireDecision(decision);
        if (fieldOf(decision, 'assignee') !== undefined) requireText(decision, 'assignee');
      },
    },
  );
}
