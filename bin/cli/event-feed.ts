import { EngineError } from '../../packages/typescript/src/index.ts';
import type { Engine, FeedState, WebhookEvent } from '../../packages/typescript/src/index.ts';

/** Says why the engine no longer takes a cursor, and where the feed goes on then. */
const LOST_CURSOR: Partial<Record<EngineError['code'], { said: string; fromNow: boolean }>> = {
  cursor_invalid: {
    said: "The engine's database was restored: showing events from now on.",
    fromNow: true,
  },
  cursor_expired: {
    said: 'Events older than 30 days were deleted: continuing with the oldest that exist. The inbox has the missing messages.',
    fromNow: false,
  },
};

interface Feed {
  client: Engine;
  since: Date;
  stopping: AbortSignal;
  say: (line: string) => void;
}

/**
 * Yields each event from `since` on once, even across restarts of the engine, because the listener keeps the cursor.
 * Ends when it is told to stop.
 */
export async function* eventFeed({ client, since, stopping, say }: Feed): AsyncGenerator<WebhookEvent> {
  let from = since;
  let isAway = false;
  const onState = ({ state, error }: FeedState): void => {
    if (state === 'offline' && !isAway) say(`${error?.detail ?? ''} Trying again.`);
    if (state !== 'offline' && isAway) say('The engine answers again.');
    isAway = state === 'offline';
  };
  while (!stopping.aborted) {
    try {
      const wanted = { after: 'start', since: from.toISOString(), tests: true };
      for await (const { events } of client.events.pull({ ...wanted, signal: stopping, onState })) yield* events;
    } catch (error) {
      const lost = error instanceof EngineError ? LOST_CURSOR[error.code] : undefined;
      if (!lost) throw error;
      say(lost.said);
      if (lost.fromNow) from = new Date();
    }
  }
}
