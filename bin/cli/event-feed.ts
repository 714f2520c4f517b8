import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { Refused, Unreachable } from './engine-client.ts';
import type { EngineClient } from './engine-client.ts';

/** An event as the feed returns it. The body is there as long as the event is kept. */
export const FeedEvent = z.object({
  id: z.string(),
  type: z.string(),
  tenantId: z.string().nullable(),
  sessionId: z.string().nullable(),
  conversationId: z.string().nullable(),
  sequence: z.number(),
  createdAt: z.string(),
  test: z.boolean(),
  body: z.string().optional(),
});
export type FeedEvent = z.infer<typeof FeedEvent>;

const Page = z.object({ events: z.array(FeedEvent), hasMore: z.boolean(), nextCursor: z.string() });

const WAIT_SECONDS = 20;
/** The engine waits up to `WAIT_SECONDS` before it answers, so the client's timeout is longer than that. */
const ANSWER_WITHIN_MS = (WAIT_SECONDS + 15) * 1_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

/** Says why the engine no longer takes a cursor, and where the feed goes on then. */
const LOST_CURSOR: Record<string, { said: string; fromNow: boolean }> = {
  cursor_invalid: {
    said: 'The database of the engine was restored: going on with what happens from now on.',
    fromNow: true,
  },
  cursor_expired: {
    said: 'Events were deleted before they were shown here, after 30 days: going on with the oldest that are kept. The inbox has the messages that are missing.',
    fromNow: false,
  },
};

interface Feed {
  client: EngineClient;
  since: Date;
  stopping: AbortSignal;
  say: (line: string) => void;
}

/**
 * Yields each event from `since` on once, even across restarts of the engine, because the listener keeps the cursor.
 * Ends when it is told to stop.
 */
export async function* eventFeed({ client, since, stopping, say }: Feed): AsyncGenerator<FeedEvent> {
  let cursor: string | null = null;
  let from = since;
  let pauseMs = FIRST_PAUSE_MS;
  while (!stopping.aborted) {
    try {
      const page: z.infer<typeof Page> = await pull(client, cursor, from, stopping);
      if (pauseMs !== FIRST_PAUSE_MS) say('The engine answers again.');
      pauseMs = FIRST_PAUSE_MS;
      yield* page.events;
      cursor = page.nextCursor;
    } catch (error) {
      if (stopping.aborted) return;
      const lost = error instanceof Refused && error.code !== null ? LOST_CURSOR[error.code] : undefined;
      if (lost) {
        say(lost.said);
        cursor = null;
        if (lost.fromNow) from = new Date();
        continue;
      }
      if (!mayHeal(error)) throw error;
      if (pauseMs === FIRST_PAUSE_MS) say(`${messageOf(error)} Trying again.`);
      await pause(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  }
}

function pull(client: EngineClient, cursor: string | null, since: Date, signal: AbortSignal) {
  const start = { after: 'start', since: since.toISOString(), tests: 'true' };
  return client.get('/api/v1/webhooks/events', Page, {
    // The first request does not wait for events, because its answer gives the cursor.
    query: cursor === null ? start : { after: cursor, wait: String(WAIT_SECONDS), tests: 'true' },
    timeoutMs: ANSWER_WITHIN_MS,
    signal,
  });
}

function mayHeal(error: unknown): boolean {
  if (error instanceof Refused) return error.status >= 500 || error.status === 429 || error.status === 408;
  return error instanceof Unreachable;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
