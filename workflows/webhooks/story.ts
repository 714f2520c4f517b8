import { defineQuery, setHandler } from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/webhooks/webhooks.ts';
import { STATE_QUERY } from '../../domain/names.ts';
import { toPaste } from '../decision.ts';
import { createStory } from '../story.ts';

export type Progress = Awaited<ReturnType<WebhookActivities['lookAtEndpoint']>>;

/** Tells how the deliveries of an endpoint go; null before the first look. */
const endpointState = defineQuery<Progress | null>(STATE_QUERY);

/** Creates the story of an endpoint, which shows the findings of the last look. */
export function endpointStory() {
  const story = createStory<Progress | null>(null, (found) => (found === null ? [] : detailsOf(found)));
  setHandler(endpointState, story.view, {
    description:
      'How its deliveries went at `asOf`, the last look: status, pending, lanes, breaker, last error and next attempt; null at the very start. Send `changed` for a new look.',
  });
  return story;
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
    `As of ${asOf}; the signal \`changed\` makes it look again.`,
  ];
}

/** What a person may do now, with the input to paste. */
function deedsOf(status: Progress['status'], pending: number): string[] {
  if (status === 'deleted') return [];
  const updates = status === 'active' ? ['pause', ...(pending > 0 ? ['retryNow'] : [])] : ['resume'];
  const since = toPaste({ since: '2026-01-31T00:00:00Z' });
  return [
    `Updates ${updates.map((name) => `\`${name}\``).join(', ')}: ${toPaste()}`,
    `Update \`replaySince\`: ${since}; without \`since\` what has used up its attempts.`,
  ];
}
