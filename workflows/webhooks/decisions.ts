import { defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';
import type { EndpointDecision, WebhookActivities } from '../../activities/webhooks/webhooks.ts';
import { TASK_QUEUES, UPDATES } from '../../domain/names.ts';
import { fieldOf, reasonOf, refusal, requireDecision } from '../decision.ts';
import type { Decision } from '../decision.ts';
import { requestId } from '../request-id.ts';
import type { Progress } from './endpoint-story.ts';

type Replayed = Awaited<ReturnType<WebhookActivities['replayEndpoint']>>;

/** Stops posting until the endpoint is resumed. */
const pause = defineUpdate<Progress, [Decision]>(UPDATES.pause);
const resume = defineUpdate<Progress, [Decision]>(UPDATES.resume);
/** Makes all deliveries due now that wait for their next attempt. */
const retryNow = defineUpdate<Progress, [Decision]>(UPDATES.retryNow);
const replaySince = defineUpdate<Replayed, [Decision & { since?: string }]>(UPDATES.replaySince);

const { pauseEndpoint, resumeEndpoint, retryEndpointNow } = proxyActivities<WebhookActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

/** A replay of some ten thousand events takes a while. */
const { replayEndpoint } = proxyActivities<WebhookActivities>({
  taskQueue: TASK_QUEUES.webhooks,
  startToCloseTimeout: '10 m',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '30 s' },
  summary: 'replay events',
});

/**
 * Takes a person's decisions about the endpoint. `onDecided` is called after each decision, with the progress that it
 * found, or with null when it did not look.
 */
export function handleDecisions(endpointId: string, onDecided: (found: Progress | null) => void): void {
  const decided = (decide: (decision: EndpointDecision) => Promise<Progress>) => {
    return async (decision: Decision): Promise<Progress> => {
      try {
        const found = await decide(decisionOf(decision));
        onDecided(found);
        return found;
      } catch (error) {
        throw reasonOf(error);
      }
    };
  };
  setHandler(pause, decided(pauseEndpoint), {
    description: 'Pause the endpoint: { actor, reason }. Its events are kept.',
    validator: requireDecision,
  });
  setHandler(resume, decided(resumeEndpoint), {
    description: 'Resume the endpoint from its first kept event: { actor, reason }.',
    validator: requireDecision,
  });
  setHandler(retryNow, decided(retryEndpointNow), {
    description: 'Retry all pending deliveries now: { actor, reason }.',
    validator: requireDecision,
  });
  setHandler(
    replaySince,
    async ({ since, ...decision }) => {
      try {
        const replayed = await replayEndpoint({ ...decisionOf(decision), since: since ?? null });
        onDecided(null);
        return replayed;
      } catch (error) {
        throw reasonOf(error);
      }
    },
    {
      description:
        'Replay all events since a time: { actor, reason, since: "2026-01-31T00:00:00Z" }. Without `since`, those that used up their attempts.',
      validator: requireReplay,
    },
  );

  function decisionOf({ actor, reason }: Decision): EndpointDecision {
    return { endpointId, actor, reason, requestId: requestId() };
  }
}

/** A time without a zone would be read in the worker's zone. */
const ZONED = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/;

function requireReplay(given: unknown): void {
  requireDecision(given);
  const since = fieldOf(given, 'since');
  if (since !== undefined && (typeof since !== 'string' || !ZONED.test(since) || Number.isNaN(Date.parse(since)))) {
    throw refusal('invalid_request', '"since" must be a time with its zone, such as "2026-01-31T00:00:00Z".');
  }
}
