import { pullEvents } from '../../db/webhooks/events/event-list.ts';
import type { EventPlace, PullFilter, Pulled } from '../../db/webhooks/events/event-list.ts';
import { pauses } from '../../domain/pauses.ts';
import type { Reach } from '../../domain/scope.ts';
import type { ApiDeps } from '../deps.ts';
import { lostCursor, tooManyWaiting } from './refused-pull.ts';

/** A wake-up may be lost, so a waiting pull looks by itself after this time. */
const LOOK_EVERY_MS = 2_000;
/** Every event of an agency wakes all of its waiting pulls, so a pull looks again no sooner than this. */
const QUIET_MS = 200;
/** The first look after a held back event comes after twice the first of these. */
const PAUSES = pauses({ fromMs: QUIET_MS / 2, toMs: LOOK_EVERY_MS });

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
  let pauseMs = PAUSES.firstMs;
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
        pauseMs = isHeldBack ? PAUSES.next(pauseMs) : PAUSES.firstMs;
        return isHeldBack ? pauseMs : LOOK_EVERY_MS;
      },
    },
  );
  if (waited.outcome !== 'full') return latest ?? look();
  throw tooManyWaiting('Retry later, without `wait`, or let fewer requests wait at a time.');
}
