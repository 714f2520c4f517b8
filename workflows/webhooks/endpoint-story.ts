import type { WebhookActivities } from '../../activities/webhooks/webhooks.ts';
import { toPaste } from '../decision.ts';
import { createStory } from '../operator-story.ts';

export type Progress = Awaited<ReturnType<WebhookActivities['lookAtEndpoint']>>;

/** Creates the story of an endpoint, which shows the findings of the last look; null before that. */
export function endpointStory() {
  return createStory<Progress | null>(null, {
    state:
      'The endpoint at its last check (`asOf`): status, pending, lanes, breaker, last error and next attempt; null at the start. Send `changed` for a new check.',
    details: (found) => (found === null ? [] : detailsOf(found)),
  });
}

function detailsOf({ asOf, status, disabledReason, pending, lanes, breaker, lastError, ...times }: Progress): string[] {
  const { failingSince, nextAttemptAt } = times;
  const because = disabledReason === null ? '' : ` (${disabledReason})`;
  const failing = failingSince === null ? '' : `, failing since ${failingSince}`;
  return [
    `**${status}**${because} · ${pending} pending in ${lanes} ${lanes === 1 ? 'lane' : 'lanes'} · breaker ${breaker.replace('_', ' ')}`,
    ...(lastError === null ? [] : [`Last error: \`${lastError}\`${failing}`]),
    ...(nextAttemptAt === null ? [] : [`Next attempt: ${nextAttemptAt}`]),
    ...deedsOf(status, pending),
    `As of ${asOf}; the signal \`changed\` makes it check again.`,
  ];
}

/** Returns the person's Updates, with the input to paste. */
function deedsOf(status: Progress['status'], pending: number): string[] {
  if (status === 'deleted') return [];
  const updates = status === 'active' ? ['pause', ...(pending > 0 ? ['retryNow'] : [])] : ['resume'];
  const since = toPaste({ since: '2026-01-31T00:00:00Z' });
  return [
    `Updates ${updates.map((name) => `\`${name}\``).join(', ')}: ${toPaste()}`,
    `Update \`replaySince\`: ${since}; without \`since\`, deliveries that used up their attempts.`,
  ];
}
