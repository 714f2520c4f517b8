import type { EventPlace } from '../../db/webhooks/event-list.ts';

/** Numbers of transactions have up to twenty digits; a longer one, or none, is not one of ours. */
const NUMBER = /^\d{1,19}$/;
const PLACE = /^-?\d{1,18}$/;

/** The two words of a cursor that say where an event is. */
export function readEventPlace(txid: string | undefined, place: string | undefined): EventPlace | undefined {
  if (txid === undefined || place === undefined || !NUMBER.test(txid) || !PLACE.test(place)) return undefined;
  return { txid, place };
}

export function writeEventPlace({ txid, place }: EventPlace): string {
  return `${txid} ${place}`;
}
