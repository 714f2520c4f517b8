import { z } from 'zod';
import type { ErasureCounts } from '../../domain/personal-data/erasure.ts';
import { one, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import type { Erasure } from './erasure.ts';
import { patternsOf } from './subject.ts';
import type { Subject } from './subject.ts';

/** A place in the order in which a tenant's events are pulled. */
export const EventCursor = z.object({ txid: z.string(), place: z.string() });
export type EventCursor = z.output<typeof EventCursor>;

const PAGE = 2_000;

const Page = z.object({ id: z.string(), txid: z.string(), place: z.string(), names: z.boolean() });

/**
 * Blanks the events of one page that tell of the person, and forgets what receivers have answered to them. The events
 * stay in their places with the ids of what they were about, so that no sequence has a hole; what is yet to be posted
 * of them is posted so. Events that came after the erasure are left alone.
 */
export async function eraseEventPage(
  tx: Tx,
  { erasure, subject, after, until }: { erasure: Erasure; subject: Subject; after: EventCursor; until: string },
): Promise<{ counts: ErasureCounts; after: EventCursor | null }> {
  const { agencyId, tenantId, eventId } = erasure;
  const patterns = patternsOf(subject);
  const page = await rows(tx, Page)`
    select e.id, e.txid::text as txid, e.place::text as place,
      e.place < coalesce(told.place, e.place + 1) and (
        coalesce(e.conversation_id = any(${subject.conversationIds}::text[]), false)
        or e.body like any(${patterns}::text[])
        or coalesce(e.full_body like any(${patterns}::text[]), false)) as names
    from event e left join (select place from event where id = ${eventId}) told on true
    where e.agency_id = ${agencyId} and e.tenant_id = ${tenantId}
      and (e.txid, e.place) > (${after.txid}::xid8, ${after.place}::bigint) and e.txid < ${until}::xid8
    order by e.txid, e.place limit ${PAGE}`;
  const named = page.filter(({ names }) => names).map(({ id }) => id);
  const counts = named.length === 0 ? {} : await blankEvents(tx, named);
  const last = page.at(-1);
  return { counts, after: page.length === PAGE && last ? { txid: last.txid, place: last.place } : null };
}

const Counted = z.object({ event: z.int() });

/**
 * Takes away what events say, and what receivers have answered to them. They stay in their places with the ids of what
 * they were about. The times between which they were written spare the search in all partitions.
 */
export async function blankEvents(
  tx: Tx,
  eventIds: readonly string[],
  { since, until }: { since: Date | '-infinity'; until: Date | 'infinity' } = { since: '-infinity', until: 'infinity' },
): Promise<ErasureCounts> {
  const { event } = await one(tx, Counted)`
    with blanked as (
      update event e set full_body = null, body = jsonb_build_object(
        'event', e.body::jsonb->'event',
        'payload', jsonb_build_object('erased', true) || (
          select coalesce(jsonb_object_agg(k.key, k.value), '{}') from jsonb_each(e.body::jsonb->'payload') k
          where k.key in ('messageId', 'conversationId', 'contactId', 'sessionId', 'timestamp')),
        'metadata', e.body::jsonb->'metadata')::text
      where e.id = any(${eventIds}::text[]) and e.created_at between ${since} and ${until} returning 1
    )
    select count(*)::int as event from blanked`;
  const answers = await run(tx)`
    update delivery_attempt a set response_excerpt = null, location = null
    from delivery d
    where d.event_id = any(${eventIds}::text[]) and a.delivery_id = d.id
      and (a.response_excerpt is not null or a.location is not null)`;
  return { event, delivery_attempt: answers };
}
