import type { ReplayPlace } from '../../db/webhooks/replay.ts';
import { invalid } from '../../domain/error.ts';
import { cursorOf } from '../wire/page.ts';

/** A `continueFrom` holds the place at which the part before ended, and what the replay was asked for. */
interface Continuation {
  only: 'failed' | 'all';
  place: ReplayPlace;
  endedSince: Date | null;
}

const Cursor = cursorOf<Continuation>({
  read(text) {
    const [only, order = '', id = '', asOf = '', endedSince = ''] = text.split(' ');
    if ((only !== 'failed' && only !== 'all') || !/^\d{1,18}$/.test(order)) return undefined;
    if (!/^-?\d{1,18}$/.test(id)) return undefined;
    if (!isTime(asOf) || (endedSince !== '' && !isTime(endedSince))) return undefined;
    const place = { order, id, asOf: new Date(asOf) };
    return { only, place, endedSince: endedSince === '' ? null : new Date(endedSince) };
  },
  write: ({ only, place: { order, id, asOf }, endedSince }) =>
    `${only} ${order} ${id} ${asOf.toISOString()} ${endedSince?.toISOString() ?? ''}`,
});

function isTime(text: string): boolean {
  return !Number.isNaN(Date.parse(text));
}

export function continuationOf(text: string | undefined, only: Continuation['only']): Continuation | null {
  if (text === undefined) return null;
  const parsed = Cursor.safeParse(text);
  if (parsed.success && parsed.data.only === only) return parsed.data;
  throw invalid({ pointer: '/continueFrom', message: 'is not a continueFrom returned by such a request' });
}

export function toContinueFrom(
  place: ReplayPlace | null,
  only: Continuation['only'],
  endedSince: Date | null = null,
): string | null {
  return place === null ? null : Cursor.encode({ only, place, endedSince });
}
