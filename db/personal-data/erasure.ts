import { sql } from 'kysely';
import { z } from 'zod';
import { ERASURE_STEPS, ErasureCounts } from '../../domain/personal-data/erasure.ts';
import type { ErasureStep, ErasureWait } from '../../domain/personal-data/erasure.ts';
import { Timestamp } from '../engine/columns.ts';
import { newId } from '../engine/new-id.ts';
import { promise } from '../promises.ts';
import { row, rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { Subject } from './subject.ts';

const Erasure = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  contactId: z.string(),
  /** The contact that was asked for; null in erasures of the previous release. */
  askedContactId: z.string().nullable(),
  step: z.enum(ERASURE_STEPS),
  subject: Subject.nullable(),
  cursor: z.unknown(),
  report: ErasureCounts,
  waitsFor: z.string().nullable(),
  createdAt: Timestamp,
  erasedAt: Timestamp.nullable(),
  eventId: z.string().nullable(),
  endedAt: Timestamp.nullable(),
});
export type Erasure = z.output<typeof Erasure>;

const COLUMNS = sql`e.id, e.agency_id as "agencyId", e.tenant_id as "tenantId", e.contact_id as "contactId",
  e.asked_contact_id as "askedContactId", e.step, e.subject, e.cursor, e.report, e.waits_for as "waitsFor",
  e.created_at as "createdAt", e.erased_at as "erasedAt", e.event_id as "eventId", e.ended_at as "endedAt"`;

const Owner = z.object({ tenantId: z.string(), contactId: z.string() });

/**
 * Begins the erasure of a contact of the agency and promises its workflow, or answers the one that goes on or has
 * erased the contact: an erased contact does not come back under its id. Null when the agency has no such contact.
 */
export async function beginErasure(
  tx: Tx,
  agencyId: string,
  { contactId, keyId }: { contactId: string; keyId: string },
): Promise<{ erasure: Erasure; isNew: boolean } | null> {
  // The lock of the contact lets one of two requests at the same time begin.
  const owner = await row(tx, Owner)`
    select c.tenant_id as "tenantId", contact_now(c.id) as "contactId" from contact c
    where c.id = ${contactId} and c.agency_id = ${agencyId} for update of c`;
  // The person of an open erasure may be another one by now, because a merge that it has seen may be undone.
  const isThis =
    owner === undefined
      ? sql`${contactId} in (e.contact_id, e.asked_contact_id)`
      : sql`e.ended_at is null and contact_now(coalesce(e.asked_contact_id, e.contact_id)) = ${owner.contactId}`;
  // An erasure that has ended while the contact is there has not erased it.
  const known = await row(tx, Erasure)`
    select ${COLUMNS} from erasure e where e.agency_id = ${agencyId} and ${isThis} order by e.id desc limit 1`;
  if (known) return { erasure: known, isNew: false };
  if (!owner) return null;
  const id = newId('era');
  await run(tx)`
    insert into erasure (id, agency_id, tenant_id, contact_id, asked_contact_id, key_id, created_at)
    values (${id}, ${agencyId}, ${owner.tenantId}, ${owner.contactId}, ${contactId}, ${keyId}, ${tx.now})`;
  await promise(tx, 'eraseContact', { which: sql`r.id = ${id}` });
  const begun = await findErasure(tx, id);
  if (!begun) throw new Error('The erasure that was just begun is not there.');
  return { erasure: begun, isNew: true };
}

export async function findErasure(queries: Queries, id: string): Promise<Erasure | null> {
  return (await row(queries, Erasure)`select ${COLUMNS} from erasure e where e.id = ${id}`) ?? null;
}

export async function findErasureOfAgency(queries: Queries, agencyId: string, id: string): Promise<Erasure | null> {
  const found = await row(queries, Erasure)`
    select ${COLUMNS} from erasure e where e.id = ${id} and e.agency_id = ${agencyId}`;
  return found ?? null;
}

/** Lists the erasures of an agency, or of one tenant of it, the newest first. */
export async function listErasures(
  queries: Queries,
  { agencyId, tenantId }: { agencyId: string; tenantId: string | null },
  { before, limit }: { before: string | null; limit: number },
): Promise<Erasure[]> {
  return rows(queries, Erasure)`
    select ${COLUMNS} from erasure e
    where e.agency_id = ${agencyId} and (${tenantId}::text is null or e.tenant_id = ${tenantId})
      and (${before}::text is null or e.id < ${before})
    order by e.id desc limit ${limit}`;
}

/**
 * Locks an erasure until the commit, so that of two executions one goes on and each row is counted once. Null when it
 * has ended.
 */
export async function lockErasure(tx: Tx, id: string): Promise<Erasure | null> {
  const found = await row(tx, Erasure)`
    select ${COLUMNS} from erasure e where e.id = ${id} and e.ended_at is null for update`;
  return found ?? null;
}

export interface ErasureProgress {
  step?: ErasureStep;
  subject?: Subject;
  cursor?: unknown;
  counts?: ErasureCounts;
  waitsFor?: ErasureWait | null;
}

/** Records how far an erasure is, in the transaction that has come so far. */
export async function recordErasure(tx: Tx, erasure: Erasure, progress: ErasureProgress): Promise<void> {
  const { step = erasure.step, subject = erasure.subject, counts = {}, waitsFor = null } = progress;
  const cursor = 'cursor' in progress ? progress.cursor : erasure.cursor;
  await run(tx)`
    update erasure set step = ${step}, contact_id = ${erasure.contactId},
      subject = ${subject === null ? null : JSON.stringify(subject)}::jsonb,
      cursor = ${cursor === null || cursor === undefined ? null : JSON.stringify(cursor)}::jsonb,
      report = ${JSON.stringify(addCounts(erasure.report, counts))}::jsonb, waits_for = ${waitsFor}
    where id = ${erasure.id}`;
}

/** Ends an erasure: what it knew of the person goes with its end. */
export async function endErasure(tx: Tx, erasure: Erasure): Promise<void> {
  await run(tx)`
    update erasure set step = 'done', subject = null, cursor = null, waits_for = null, ended_at = ${tx.now}
    where id = ${erasure.id} and ended_at is null`;
}

export function addCounts(known: ErasureCounts, more: ErasureCounts): ErasureCounts {
  const sum = { ...known };
  for (const [table, count] of Object.entries(more)) if (count > 0) sum[table] = (sum[table] ?? 0) + count;
  return sum;
}
