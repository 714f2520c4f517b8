import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { TASK_QUEUES } from '../../domain/names.ts';
import type { WebhookActivities } from '../../activities/webhooks/webhooks.ts';
import { changed, due } from '../signals.ts';
import { handleDecisions } from './decisions.ts';
import { endpointStory } from './endpoint-story.ts';

/** It hints at the endpoint's shard. The limits are those of former releases, in which it posted by itself. */
const { drainEndpoint } = proxyActivities<WebhookActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '2 m',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'send due events',
});

const { lookAtEndpoint } = proxyActivities<WebhookActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

/**
 * Follows an endpoint for as long as it exists. While the endpoint does well nothing happens here, because the owner of
 * its shard posts by itself. The workflow is told of changes. While no worker has the shard, it hints at it again when
 * the next attempt is due.
 * Rows: endpoint, endpoint_health, delivery.
 */
export async function deliverWebhooks(endpointId: string): Promise<void> {
  const hints = handleHints();
  const story = endpointStory();
  handleDecisions(endpointId, (found) => {
    if (found) story.tell(found);
    hints.isChanged = true;
  });

  for (;;) {
    const drains = hints.isDue;
    hints.isDue = hints.isChanged = false;
    const found = drains ? await drainEndpoint({ endpointId }) : await lookAtEndpoint({ endpointId });
    story.tell(found);
    if (found.status === 'deleted') break;
    // The run does not end while a decision is handled. That may take minutes, in which the endpoint goes on.
    if (mayEnd()) await continueAsNew<typeof deliverWebhooks>(endpointId);
    const isWoken = () => hints.isDue || hints.isChanged || mayEnd();
    if (found.nextInMs === null) await condition(isWoken);
    else if (found.nextInMs === 0) hints.isDue = true;
    else {
      const timeout = { summary: 'wait for the next attempt' };
      if (!(await condition(isWoken, found.nextInMs, timeout))) hints.isDue = true;
    }
  }
  await condition(allHandlersFinished);
}

/** Collects the hints that signals have given since the last look. A new run looks at once. */
function handleHints(): { isDue: boolean; isChanged: boolean } {
  const hints = { isDue: false, isChanged: true };
  setHandler(due, () => void (hints.isDue = true), { description: 'Deliveries are due.' });
  setHandler(changed, () => void (hints.isChanged = true), {
    description: 'The endpoint has changed. Send it to refresh its state.',
  });
  return hints;
}

function mayEnd(): boolean {
  return workflowInfo().continueAsNewSuggested && allHandlersFinished();
}
