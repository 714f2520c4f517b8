import type { DeliveryStatus, Engine, MessageAction, WebhookEvent } from '../../../typescript/src/index.ts';
import { newestEvents } from '../../live/newest-events.ts';
import type { Told } from './message-history.ts';

const MAX_EVENTS = 100;
/** An event that names the message stands this long before the moment it tells of, where clocks differ. */
const BEFORE_MS = 5_000;
/** And it is written this long after it at most, but for an engine that was down. */
const AFTER_MS = 60_000;
/** Reads at most this number of later events of one message, the latest first. */
const MAX_MOMENTS = 6;

const isAbout = (body: string | undefined, id: string): boolean => body?.includes(id) ?? false;
const iso = (ms: number): string => new Date(ms).toISOString();

export interface Sought {
  id: string;
  conversationId: string;
  /** When something happened to the message, in order. */
  moments: readonly string[];
}

/** When something happened to a message: each time once, in order. */
export const momentsOf = (
  { timestamps, history }: Pick<DeliveryStatus, 'timestamps' | 'history'>,
  actions: readonly Pick<MessageAction, 'createdAt' | 'endedAt'>[],
): string[] => {
  const all = [
    ...Object.values(timestamps),
    ...history.map(({ at }) => at),
    ...actions.flatMap(({ createdAt, endedAt }) => [createdAt, endedAt]),
  ];
  return [...new Set(all.filter((at) => at !== null))].toSorted();
};

/** Times of which each is further from the one before than what one look covers. */
const apart = (times: readonly number[]): number[] =>
  times.reduce<number[]>((kept, time) => (time > (kept.at(-1) ?? 0) + AFTER_MS ? [...kept, time] : kept), []);

/**
 * The events of a conversation among which those of a message are. No list is of one message, and a busy conversation
 * has too many events to read them all: so these are the first ones after the message, those around each later moment
 * of it, and the newest, which tell of what has no moment of its own, such as a customer's reaction.
 */
const eventsNear = async (
  engine: Pick<Engine, 'webhookEvents'>,
  { conversationId, moments }: Omit<Sought, 'id'>,
  signal: AbortSignal,
): Promise<WebhookEvent[]> => {
  const times = moments.map((moment) => Date.parse(moment));
  const began = times.at(0);
  if (began === undefined) return [];
  const since = iso(began - BEFORE_MS);
  const pull = (range: { since: string; until?: string }) =>
    engine.webhookEvents.list({ conversationId, after: 'start', limit: MAX_EVENTS, ...range }, { signal });
  const first = await pull({ since });
  if (!first.hasMore) return first.events;
  const read = Date.parse(first.events.at(-1)?.createdAt ?? since);
  const later = apart(times.filter((time) => time + BEFORE_MS > read)).slice(-MAX_MOMENTS);
  const [newest, ...around] = await Promise.all([
    newestEvents(engine, { conversationId, since }, signal),
    ...later.map(async (time) => {
      // A moment that was left out for the one before it is within its time.
      const page = await pull({ since: iso(time - BEFORE_MS), until: iso(time + 2 * AFTER_MS) });
      return page.events;
    }),
  ]);
  const all = [...first.events, ...around.flat(), ...newest];
  return [...new Map(all.map((event) => [event.id, event])).values()];
};

/** Which events told of the message, and what their endpoints answered. */
export const tellingsOf = async (engine: Engine, sought: Sought, signal: AbortSignal): Promise<Told[]> => {
  const events = await eventsNear(engine, sought, signal);
  const about = events.filter((event) => isAbout(event.body, sought.id));
  return Promise.all(
    about.map(async ({ id: eventId, type, createdAt }) => {
      const { deliveries } = await engine.webhookDeliveries.list({ eventId }, { signal });
      return { id: eventId, type, createdAt, deliveries };
    }),
  );
};
