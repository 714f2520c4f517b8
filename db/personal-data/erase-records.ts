import { z } from 'zod';
import type { ErasureCounts, ErasureWait } from '../../domain/personal-data/erasure.ts';
import { KEPT_BODY_MS } from '../../domain/webhooks/kept-body.ts';
import { one, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';
import { eraseEventPage, EventCursor } from './erase-events.ts';
import { eraseRawEvents, FIRST_RAW_PLACE, RawPlace } from './erase-raw-events.ts';
import { mendLastLines } from './delete-messages.ts';
import { endErasure, recordErasure } from './erasure.ts';
import type { Erasure } from './erasure.ts';
import { countLeft, patternsOf } from './subject.ts';
import type { Subject } from './subject.ts';

/** Position of a table's sweep; each kind has its own. */
const Cursor = z.discriminatedUnion('at', [
  z.object({ at: z.literal('begin') }),
  z.object({ at: z.literal('events'), after: EventCursor, until: z.string() }),
  z.object({ at: z.literal('answers'), after: z.tuple([z.string(), z.string()]) }),
  RawPlace.extend({ at: z.literal('raw_events') }),
  z.object({ at: z.literal('rest') }),
  z.object({ at: z.literal('end'), restAt: z.string() }),
]);
type Cursor = z.output<typeof Cursor>;

interface Swept {
  counts?: ErasureCounts;
  /** Null after the last page of all. */
  next: Cursor | null;
  waitsFor?: ErasureWait;
}

/** One page of the tables that are read through: rows that tell of a person without being theirs. */
const PAGE = 2_000;
const FIRST = ['-infinity', ''] as const;

/**
 * Looks through one page of what was recorded of the person elsewhere, and deletes or blanks what names them; ends the
 * erasure after the last. Every transaction that began before the person was forgotten has ended when it begins.
 */
export async function eraseRecords(tx: Tx, erasure: Erasure): Promise<void> {
  const subject = erasure.subject;
  if (subject === null) return endErasure(tx, erasure);
  const cursor = Cursor.parse(erasure.cursor ?? { at: 'begin' });
  const { counts, next, waitsFor } = await sweep(tx, erasure, subject, cursor);
  if (next === null && (await countLeft(tx, erasure, subject)) > 0) {
    return recordErasure(tx, erasure, {
      step: 'messages',
      cursor: null,
      waitsFor: 'rows_left',
      ...(counts ? { counts } : {}),
    });
  }
  await recordErasure(tx, erasure, {
    cursor: next,
    ...(counts ? { counts } : {}),
    ...(waitsFor ? { waitsFor } : {}),
  });
  if (next === null) await endErasure(tx, erasure);
}

async function sweep(tx: Tx, erasure: Erasure, subject: Subject, cursor: Cursor): Promise<Swept> {
  switch (cursor.at) {
    case 'begin':
      return beginSweep(tx, cursor, erasure);
    case 'events': {
      const { counts, after } = await eraseEventPage(tx, { erasure, subject, ...cursor });
      return { counts, next: after ? { ...cursor, after } : { at: 'answers', after: [...FIRST] } };
    }
    case 'answers':
      return eraseAnswers(tx, { erasure, subject, after: cursor.after });
    case 'raw_events':
      return eraseRaw(tx, erasure, subject, cursor);
    case 'rest': {
      const { at } = await one(tx, Moment)`select clock_timestamp()::text as at`;
      return { counts: await eraseRest(tx, erasure, subject), next: { at: 'end', restAt: at } };
    }
    case 'end': {
      // Whoever posts events may have read the body of one just before it was blanked.
      const { isOver } = await one(tx, Over)`
        select clock_timestamp() > ${cursor.restAt}::timestamptz + ${KEPT_BODY_MS} * interval '1 millisecond'
          as "isOver"`;
      return isOver ? { next: null } : { next: cursor, waitsFor: 'transaction_under_way' };
    }
  }
}

const Moment = z.object({ at: z.string() });
const Over = z.object({ isOver: z.boolean() });
const Horizon = z.object({ until: z.string(), isSettled: z.boolean() });

/** Events are written last in a transaction: one that is still open may write one that belongs before the erasure. */
async function beginSweep(tx: Tx, cursor: Cursor, { eventId }: Erasure): Promise<Swept> {
  const { until, isSettled } = await one(tx, Horizon)`
    select pg_snapshot_xmax(pg_current_snapshot())::text as until,
      coalesce((select e.txid < pg_snapshot_xmin(pg_current_snapshot()) from event e where e.id = ${eventId}), true)
        as "isSettled"`;
  if (!isSettled) return { next: cursor, waitsFor: 'transaction_under_way' };
  return { next: { at: 'events', after: { txid: '0', place: '-9223372036854775808' }, until } };
}

const AnswerRow = z.object({ key: z.string(), at: z.string(), names: z.boolean() });

/**
 * Stored answers say then that the person was erased. The rows stay until their time is over, so that a repeated
 * request still sends nothing again.
 */
async function eraseAnswers(
  tx: Tx,
  { erasure, subject, after }: { erasure: Erasure; subject: Subject; after: [string, string] },
): Promise<Swept> {
  const { agencyId, tenantId, erasedAt } = erasure;
  const page = await rows(tx, AnswerRow)`
    select i.key, i.created_at::text as at, coalesce(i.body like any(${patternsOf(subject)}::text[]), false) as names
    from idempotency i
    where i.agency_id = ${agencyId} and i.tenant_id in (${tenantId}, '') and i.created_at <= ${erasedAt}
      and (i.created_at, i.key) > (${after[0]}::timestamptz, ${after[1]})
    order by i.created_at, i.key limit ${PAGE}`;
  const named = page.filter(({ names }) => names).map(({ key }) => key);
  const blanked = await run(tx)`
    update idempotency set status = 410, body = null, sealed_body = null, headers = '{}'
    where agency_id = ${agencyId} and tenant_id in (${tenantId}, '') and created_at <= ${erasedAt}
      and key = any(${named}::text[]) and body like any(${patternsOf(subject)}::text[])`;
  const last = page.at(-1);
  const next: Cursor =
    page.length === PAGE && last
      ? { at: 'answers', after: [last.at, last.key] }
      : { at: 'raw_events', ...FIRST_RAW_PLACE };
  return { counts: { idempotency: blanked }, next };
}

async function eraseRaw(tx: Tx, erasure: Erasure, subject: Subject, after: RawPlace): Promise<Swept> {
  const { deleted, next } = await eraseRawEvents(tx, { erasure, subject, after });
  return { counts: { backend_event: deleted }, next: next ? { at: 'raw_events', ...next } : { at: 'rest' } };
}

/** Small tables that need no pages. */
async function eraseRest(tx: Tx, erasure: Erasure, subject: Subject): Promise<ErasureCounts> {
  const { agencyId, tenantId, erasedAt } = erasure;
  const parked = await run(tx)`
    delete from parked_event p using session s
    where s.name = p.session_name and s.agency_id = ${agencyId} and s.tenant_id = ${tenantId}
      and p.received_at <= ${erasedAt} and p.body like any(${patternsOf(subject)}::text[])`;
  const lines = await mendLastLines(tx, erasure);
  return { parked_event: parked, conversation: lines };
}
