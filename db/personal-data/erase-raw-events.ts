import { z } from 'zod';
import { row, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import type { Erasure } from './erasure.ts';
import { patternsOf } from './subject.ts';
import type { Subject } from './subject.ts';

/** A raw event by the index of its partition. */
export const RawPlace = z.object({ day: z.string(), session: z.string(), key: z.string() });
export type RawPlace = z.output<typeof RawPlace>;
export const FIRST_RAW_PLACE: RawPlace = { day: '', session: '', key: '' };

/** One transaction looks at this many rows, or through this many days of sessions. */
const PAGE = 2_000;
const MAX_STRETCHES = 100;

const KeyRow = z.object({ key: z.string() });
const Stretch = z.object({ day: z.string(), session: z.string() });

/**
 * Deletes the raw events that name the person: those that are applied are only a record, and one that has failed might
 * be applied at any time. The rows of one session and day after the other are looked through along their index; `next`
 * is null after the last.
 */
export async function eraseRawEvents(
  tx: Tx,
  { erasure, subject, after }: { erasure: Erasure; subject: Subject; after: RawPlace },
): Promise<{ deleted: number; next: RawPlace | null }> {
  const patterns = patternsOf(subject);
  let place = after.day === '' ? await nextStretch(tx, erasure, after) : after;
  let deleted = 0;
  let looked = 0;
  for (let stretches = 0; place !== null && looked < PAGE && stretches < MAX_STRETCHES; stretches += 1) {
    const { day, session, key } = place;
    const page = await rows(tx, KeyRow)`
      select request_key as key from backend_event
      where received_on = ${day}::date and session_name = ${session} and request_key > ${key}
      order by request_key limit ${PAGE}`;
    const last = page.at(-1);
    if (last) {
      deleted += await run(tx)`
        delete from backend_event
        where received_on = ${day}::date and session_name = ${session}
          and request_key > ${key} and request_key <= ${last.key}
          and received_at <= ${erasure.erasedAt} and (applied_at is not null or attempts > 0)
          and body like any(${patterns}::text[])`;
    }
    looked += page.length;
    place = last && page.length === PAGE ? { day, session, key: last.key } : await nextStretch(tx, erasure, place);
  }
  return { deleted, next: place };
}

/** The next session and day of which there may be raw events. */
async function nextStretch(
  tx: Tx,
  { agencyId, tenantId, erasedAt }: Erasure,
  { day, session }: RawPlace,
): Promise<RawPlace | null> {
  const found = await row(tx, Stretch)`
    select d.day, s.name as session from session s cross join lateral (
      select to_char(day, 'YYYY-MM-DD') as day
      from generate_series((select min(received_on) from backend_event), ${erasedAt}::timestamptz + interval '1 day',
        '1 day') day) d
    where s.agency_id = ${agencyId} and s.tenant_id = ${tenantId} and (d.day, s.name) > (${day}, ${session})
    order by d.day, s.name limit 1`;
  return found ? { ...found, key: '' } : null;
}
