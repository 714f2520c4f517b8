import type { EventPlace } from '../../db/webhooks/events/event-list.ts';

/** A transaction's number has at most this many digits; the engine wrote no cursor with a longer one. */
const NUMBER = /^\d{1,19}$/;
const PLACE = /^-?\d{1,18}$/;

/** Reads the two words of a cursor that say where an event is; undefined when the engine cannot have written them. */
export function readEventPlace(txid: string | undefined, place: string | undefined): EventPlace | undefined {
  if (txid === undefined || place === undefined || !NUMBER.test(txid) || !PLACE.test(place)) return undefined;
  return { txid, place };
}

export function writeEventPlace({ txid, place }: EventPlace): string {
  return `${txid} ${place}`;
}
