import { pullEvents } from '../../db/webhooks/events/event-list.ts';
import type { EventPlace, LostCursor, PullFilter, Pulled } from '../../db/webhooks/events/event-list.ts';
import { EngineError } from '../../domain/error.ts';
import type { Reach } from '../../domain/scope.ts';
import type { ApiDeps } from '../deps.ts';

/** A wake-up may be lost, so a waiting pull looks by itself after this time. */
const LOOK_EVERY_MS = 2_000;
/** Every event of an agency wakes all of its waiting pulls, so a pull looks again no sooner than this. */
const QUIET_MS = 200;
const RETRY_AFTER_SECONDS = 5;

const LOST_CURSOR: Readonly<Record<LostCursor, string>> = {
  cursor_invalid:
    'The database was restored from an earlier time. Begin again with after=start; recognize by their event ids the events that you already have.',
  cursor_expired:
    'Events after this cursor were deleted when they were 30 days old. Begin again with after=start, which returns all events that are kept, and read in the inbox what happened before them.',
};

interface Pull {
  reach: Reach;
  filter: PullFilter;
  page: { after: EventPlace | null; limit: number };
  waitSeconds: number;
  signal: AbortSignal;
}

/**
 * Answers one page. When the page would be empty, the request waits for events, unless too many requests wait already.
 */
export async function pullPage(
  { database, eventWatch }: Pick<ApiDeps, 'database' | 'eventWatch'>,
  { reach, filter, page, waitSeconds, signal }: Pull,
): Promise<Pulled> {
  const look = async (): Promise<Pulled> => {
    const pulled = await database.read((queries) => pullEvents(queries, reach, filter, page));
    if (typeof pulled === 'string') throw lostCursor(pulled);
    return pulled;
  };
  if (waitSeconds === 0) return look();
  let latest: Pulled | undefined;
  let pauseMs = QUIET_MS / 2;
  const waited = await eventWatch.until(
    [reach.agencyId],
    async () => {
      latest = await look();
      return latest.events.length > 0 ? latest : undefined;
    },
    {
      waitMs: waitSeconds * 1_000,
      signal,
      group: reach.agencyId,
      quietMs: QUIET_MS,
      // An open transaction that holds events back gives no signal when it ends, so the pull looks again after ever
      // longer pauses.
      lookAgainMs() {
        const isHeldBack = latest?.isHeldBack ?? false;
        pauseMs = isHeldBack ? Math.min(pauseMs * 2, LOOK_EVERY_MS) : QUIET_MS / 2;
        return isHeldBack ? pauseMs : LOOK_EVERY_MS;
      },
    },
  );
  if (waited.outcome !== 'full') return latest ?? look();
  throw tooManyWaiting('Retry later, without `wait`, or let fewer requests wait at a time.');
}

export function lostCursor(lost: LostCursor): EngineError {
  return new EngineError(lost, LOST_CURSOR[lost]);
}

export function tooManyWaiting(detail: string): EngineError {
  return new EngineError('too_many_waiting', detail, { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } });
}
