import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { TASK_QUEUES } from '../domain/names.ts';
import type { EndpointDecision, WebhookActivities } from '../activities/webhooks/webhooks.ts';
import { requestId } from './request-id.ts';
import { changed, due } from './signals.ts';
import type { Decision } from './updates.ts';
import { endpointState, pause, replaySince, requireDecision, requireReplay, resume, retryNow } from './updates.ts';

type Progress = Awaited<ReturnType<WebhookActivities['lookAtEndpoint']>>;

/** One drain returns after at most a minute; a lost heartbeat hands its lease to the next. */
const { drainEndpoint } = proxyActivities<WebhookActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '2 m',
  heartbeatTimeout: '15 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'drain what is due',
});

const { lookAtEndpoint, pauseEndpoint, resumeEndpoint, retryEndpointNow } = proxyActivities<WebhookActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

/** Some ten thousand events take a while. */
const { replayEndpoint } = proxyActivities<WebhookActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '10 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'replay events',
});

/**
 * An endpoint as long as it exists. While it does well nothing happens here: workers post by themselves what they are woken
 * for. It is told when something has changed, drains what nobody has drained, and sleeps until the next attempt is due.
 */
export async function deliverWebhooks(endpointId: string): Promise<void> {
  let isDue = false;
  let isChanged = true;
  let progress: Progress | null = null;
  setHandler(due, () => void (isDue = true), { description: 'Deliveries have become due that nobody drains.' });
  setHandler(changed, () => void (isChanged = true), {
    description: 'The endpoint has changed: look at it again. Send it to see how it is now.',
  });
  setHandler(endpointState, () => progress, {
    description:
      'How its deliveries went at `asOf`, the last look: status, pending, lanes, breaker, last error and next attempt; null at the very start. Send `changed` for a new look.',
  });
  const show = (found: Progress): void => {
    progress = found;
    setCurrentDetails(detailsOf(found));
  };
  const decisionOf = ({ actor, reason }: Decision): EndpointDecision => {
    return { endpointId, actor, reason, requestId: requestId() };
  };
  const decided = (decide: (decision: EndpointDecision) => Promise<Progress>) => {
    return async (decision: Decision): Promise<Progress> => {
      const found = await decide(decisionOf(decision));
      show(found);
      isChanged = true;
      return found;
    };
  };
  setHandler(pause, decided(pauseEndpoint), {
    description: 'Post nothing until it is resumed: { actor, reason }. Its events are kept.',
    validator: requireDecision,
  });
  setHandler(resume, decided(resumeEndpoint), {
    description: 'Post again, from the first event kept, as if it had never failed: { actor, reason }.',
    validator: requireDecision,
  });
  setHandler(retryNow, decided(retryEndpointNow), {
    description: 'Do not wait for the next attempts, nor for the next probe: { actor, reason }.',
    validator: requireDecision,
  });
  setHandler(
    replaySince,
    async ({ since, ...decision }) => {
      const replayed = await replayEndpoint({ ...decisionOf(decision), since: since ?? null });
      isChanged = true;
      return replayed;
    },
    {
      description:
        'Post all events since a time once more: { actor, reason, since: "2026-01-31T00:00:00Z" }. Without `since` those that have used up their attempts.',
      validator: requireReplay,
    },
  );

  const mayEnd = () => workflowInfo().continueAsNewSuggested && allHandlersFinished();
  for (;;) {
    const drains = isDue;
    isDue = isChanged = false;
    const found = drains ? await drainEndpoint({ endpointId }) : await lookAtEndpoint({ endpointId });
    show(found);
    if (found.status === 'deleted') break;
    // A decision may take minutes, in which the endpoint goes on.
    if (mayEnd()) await continueAsNew<typeof deliverWebhooks>(endpointId);
    const isWoken = () => isDue || isChanged || mayEnd();
    if (found.nextInMs === null) await condition(isWoken);
    else if (found.nextInMs === 0) isDue = true;
    else {
      const timeout = { summary: 'until the next attempt is due' };
      if (!(await condition(isWoken, found.nextInMs, timeout))) isDue = true;
    }
  }
  await condition(allHandlersFinished);
}

function detailsOf({ asOf, status, disabledReason, pending, lanes, breaker, lastError, ...times }: Progress): string {
  const { failingSince, nextAttemptAt } = times;
  const because = disabledReason === null ? '' : ` (${disabledReason})`;
  return [
    `**${status}**${because} · ${pending} pending in ${lanes} lanes · breaker ${breaker.replace('_', ' ')}`,
    ...(lastError === null
      ? []
      : [`Last error: \`${lastError}\`${failingSince === null ? '' : `, failing since ${failingSince}`}`]),
    ...(nextAttemptAt === null ? [] : [`Next attempt: ${nextAttemptAt}`]),
    `As of ${asOf}; the signal \`changed\` makes it look again.`,
  ].join('\n\n');
}
