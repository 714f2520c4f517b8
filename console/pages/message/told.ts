import type { Engine } from '../../../sdk/typescript/src/index.ts';
import type { Told } from './story.ts';

const EVENTS_AT_MOST = 100;
/** An event that names the message stands this long before it, where clocks differ. */
const BEFORE_MS = 5_000;

const isAbout = (body: string | undefined, id: string): boolean => body?.includes(id) ?? false;

/** Which events told of the message, and what their endpoints answered. */
export const tellingsOf = async (
  engine: Engine,
  { id, conversationId, since }: { id: string; conversationId: string; since: string },
  signal: AbortSignal,
): Promise<Told[]> => {
  const from = new Date(Date.parse(since) - BEFORE_MS).toISOString();
  const { events } = await engine.webhookEvents.list(
    { conversationId, after: 'start', since: from, limit: EVENTS_AT_MOST },
    { signal },
  );
  const about = events.filter((event) => isAbout(event.body, id));
  return Promise.all(
    about.map(async ({ id: eventId, type, createdAt }) => {
      const { deliveries } = await engine.webhookDeliveries.list({ eventId }, { signal });
      return { id: eventId, type, createdAt, deliveries };
    }),
  );
};
