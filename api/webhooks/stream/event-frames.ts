import type { EventRecord } from '../../../db/webhooks/events/event-list.ts';
import { writeFrame } from '../../../domain/webhooks/stream/frames.ts';
import { PullCursor } from '../pull-cursor.ts';
import { toEventView } from '../view.ts';

/** The frames of events, in their order; undefined for none. The `id` of each is the cursor of a pull after it. */
export function framesOf(events: readonly EventRecord[]): Buffer | undefined {
  if (events.length === 0) return undefined;
  const frames = events.map((event) =>
    writeFrame({
      id: PullCursor.encode({ txid: event.txid, place: event.place }),
      event: event.type,
      data: toEventView(event),
    }),
  );
  return Buffer.from(frames.join(''));
}
