import { pullEvents } from '../db/event-list.ts';
import type { EventFilter, EventPlace, Pulled } from '../db/event-list.ts';
import type { Reach } from '../domain/scope.ts';
import type { ApiDeps } from './deps.ts';

/** A wake-up may be lost. */
const LOOK_EVERY_MS = 2_000;
/** What is held back by an open transaction is there as soon as that ends, which nobody tells. */
const LOOK_AGAIN_MS = 20;

/** One page, which is waited for while it would be empty. Nothing but the request is held meanwhile. */
export async function pullFor(
  { database, eventWatch }: Pick<ApiDeps, 'database' | 'eventWatch'>,
  reach: Reach,
  filter: EventFilter,
  page: { after: EventPlace | null; limit: number },
  waitSeconds: number,
  signal: AbortSignal,
): Promise<Pulled> {
  const look = () => database.read((queries) => pullEvents(queries, reach, filter, page));
  if (waitSeconds === 0) return look();
  const until = performance.now() + waitSeconds * 1_000;
  const waited = await eventWatch.hold(async () => {
    for (let again = LOOK_AGAIN_MS; ;) {
      // Listening begins before the look, so that nothing happens in between.
      const listening = eventWatch.listen([reach.agencyId], signal);
      try {
        const pulled = await look();
        const restMs = until - performance.now();
        if (pulled.events.length > 0 || restMs <= 0 || signal.aborted || eventWatch.isClosed) return pulled;
        again = pulled.isHeldBack ? Math.min(again * 2, LOOK_EVERY_MS) : LOOK_AGAIN_MS;
        await listening.next(Math.min(restMs, pulled.isHeldBack ? again : LOOK_EVERY_MS));
      } finally {
        listening.end();
      }
    }
  });
  return waited ?? look();
}
