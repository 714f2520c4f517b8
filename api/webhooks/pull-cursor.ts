import { z } from 'zod';
import { FIRST_PLACE } from '../../db/webhooks/events/event-list.ts';
import type { EventPlace } from '../../db/webhooks/events/event-list.ts';
import { cursorOf } from '../wire/page.ts';
import { readEventPlace, writeEventPlace } from './event-place.ts';

export function readCursor(text: string): EventPlace | undefined {
  const [txid, place] = text.split(' ');
  return readEventPlace(txid, place);
}

/**
 * A cursor with nothing after the transaction stands before that transaction's first event. The previous release reads
 * this form, too, so a pull that is up to date may ask either release while one replaces the other. Cursors that bear
 * an event's id were given out when pages were in another order: they begin the transaction again, so that some of its
 * events may come twice and none is left out.
 */
export const PullCursor = cursorOf<EventPlace>({
  read: (text) => readCursor(text) ?? readCursor(text.replace(/ (evt_.*)?$/, ` ${FIRST_PLACE}`)),
  write: (at) => (at.place === FIRST_PLACE ? `${at.txid} ` : writeEventPlace(at)),
});

const Start = z.enum(['', 'start']).transform(() => null);

/** The position of a reader of events. Null for the beginning. */
export const After = z.union([Start, PullCursor], { error: 'is neither "start" nor a nextCursor' });
