import { setTimeout as pause } from 'node:timers/promises';
import { pullEvents } from '../../db/webhooks/event-list.ts';
import type { EventPlace, LostCursor, PullFilter, Pulled } from '../../db/webhooks/event-list.ts';
import { EngineError } from '../../domain/error.ts';
import type { Reach } from '../../domain/scope.ts';
import type { ApiDeps } from '../deps.ts';

/** A wake-up may be lost. */
const LOOK_EVERY_MS = 2_000;
/**
 * Everything that happens in an agency wakes all who wait there, so none looks again sooner. What is held back by an open
 * transaction is there as soon as that ends, which nobody tells: it is looked for after so long, then ever more rarely.
 */
const QUIET_MS = 200;
const RETRY_AFTER_SECONDS = 5;

const LOST_CURSOR: Readonly<Record<LostCursor, string>> = {
  cursor_invalid:
    'The database was restored from an earlier time. Begin again with after=start; what you have seen, you know by its event id.',
  cursor_expired:
    'Events after this cursor were deleted when they were 30 days old. Begin again with after=start, which gives all that are kept, and read in the inbox what happened before them.',
};

/**
 * One page, which is waited for while it would be empty, unless too many wait. Nothing but the request is held meanwhile.
 */
export async function pullFor(
  { database, eventWatch }: Pick<ApiDeps, 'database' | 'eventWatch'>,
  reach: Reach,
  filter: PullFilter,
  page: { after: EventPlace | null; limit: number },
  waitSeconds: number,
  signal: AbortSignal,
): Promise<Pulled> {
  const look = async (): Promise<Pulled> => {
    const pulled = await database.read((queries) => pullEvents(queries, reach, filter, page));
    if (typeof pulled === 'string') throw new EngineError(pulled, LOST_CURSOR[pulled]);
    return pulled;
  };
  if (waitSeconds === 0) return look();
  const until = performance.now() + waitSeconds * 1_000;
  const waited = await eventWatch.hold(async () => {
    for (let again = QUIET_MS / 2; ;) {
      const lookedAt = performance.now();
      // Listening begins before the look, so that nothing happens in between.
      const listening = eventWatch.listen([reach.agencyId], signal);
      try {
        const pulled = await look();
        const restMs = until - performance.now();
        if (pulled.events.length > 0 || restMs <= 0 || signal.aborted || eventWatch.isClosed) return pulled;
        again = pulled.isHeldBack ? Math.min(again * 2, LOOK_EVERY_MS) : QUIET_MS / 2;
        await listening.next(Math.min(restMs, pulled.isHeldBack ? again : LOOK_EVERY_MS));
        const quietMs = lookedAt + QUIET_MS - performance.now();
        if (quietMs > 0 && !eventWatch.isClosed) await pause(quietMs, undefined, { signal }).catch(() => undefined);
      } finally {
        listening.end();
      }
    }
  }, reach.agencyId);
  if (waited !== undefined || eventWatch.isClosed) return waited ?? look();
  throw new EngineError('too_many_waiting', 'Ask again later, without `wait`, or let fewer requests wait at a time.', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
}
