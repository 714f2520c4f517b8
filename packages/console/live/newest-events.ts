import type { Engine, WebhookEvent } from '../../typescript/src/index.ts';

const MAX_EVENTS = 100;
/** Besides those that are wanted: what shares a moment with the oldest of them, and what comes meanwhile. */
const MAX_PULLS = 3;

export type EventReader = Pick<Engine, 'webhookEvents'>;
type Query = NonNullable<Parameters<Engine['webhookEvents']['list']>[0]>;
/** Which events are wanted. */
export type EventFilter = Pick<Query, 'type' | 'sessionId' | 'conversationId'>;

/**
 * The newest events with their bodies, oldest first. The list of the newest has no bodies, and a pull, which has them,
 * begins at the oldest: so the list says where to begin.
 */
export const newestEvents = async (
  { webhookEvents }: EventReader,
  of: EventFilter & { since: string },
  signal?: AbortSignal,
): Promise<WebhookEvent[]> => {
  const newest = await webhookEvents.list({ ...of, limit: MAX_EVENTS }, { signal });
  const oldest = newest.events.at(-1);
  if (oldest === undefined) return [];
  const pulled: WebhookEvent[] = [];
  let after = 'start';
  for (let pull = 0; pull < MAX_PULLS; pull += 1) {
    const page = await webhookEvents.list({ ...of, since: oldest.createdAt, after, limit: MAX_EVENTS }, { signal });
    pulled.push(...page.events);
    if (!page.hasMore || page.nextCursor === null) break;
    after = page.nextCursor;
  }
  return pulled.slice(-MAX_EVENTS);
};
