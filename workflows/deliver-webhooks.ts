import {
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { TASK_QUEUES } from '../domain/names.ts';
import type { WebhookActivities } from '../activities/webhooks.ts';
import { due } from './signals.ts';

/** One drain returns after at most a minute; a lost heartbeat hands its lease to the next. */
const { drainEndpoint } = proxyActivities<WebhookActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '2 m',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'drain what is due',
});

/** Drains the deliveries of one endpoint and sleeps until the next is due. Closes when nothing is pending. */
export async function deliverWebhooks(endpointId: string): Promise<void> {
  let woken = false;
  setHandler(due, () => void (woken = true), { description: 'Deliveries have become due.' });
  for (;;) {
    woken = false;
    const drained = await drainEndpoint({ endpointId });
    setCurrentDetails(
      `**${drained.nextInMs === null ? 'idle' : 'waiting'}** · last drain: ${drained.delivered} delivered, ${drained.failed} failed` +
        (drained.lastError === null ? '' : ` · last error: ${drained.lastError}`),
    );
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deliverWebhooks>(endpointId);
    if (woken) continue;
    if (drained.nextInMs === null) return;
    await condition(() => woken, Math.max(drained.nextInMs, 1), { summary: 'until the next attempt is due' });
  }
}
