import { sql } from 'kysely';
import { z } from 'zod';
import { BLOCK_BYTES, bytesOf } from '../../../domain/personal-data/archive.ts';
import { one, rows, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import type { TenantExport } from './export.ts';
import type { ExportPlace } from './walk.ts';

/** A part of an export's file, which is in the store. */
export interface NewPart {
  name: string;
  key: string;
  sha256: string;
  sizeBytes: number;
}

export interface ExportProgress {
  parts: readonly NewPart[];
  /** The digest over all parts up to the last of these. */
  chain: string;
  counts: Readonly<Record<string, number>>;
  files: number;
  missingFiles: number;
  next: ExportPlace | null;
}

/** Writes the parts of a page with the place behind it. The caller holds the lock of the export. */
export async function recordParts(tx: Tx, known: TenantExport, progress: ExportProgress): Promise<void> {
  let position = known.sizeBytes;
  const added = progress.parts.map((part, index) => {
    const place = { ...part, number: known.parts + index, position };
    position += bytesOf(part.sizeBytes);
    return place;
  });
  const counts = { ...known.counts };
  for (const [what, count] of Object.entries(progress.counts))
    if (count > 0) counts[what] = (counts[what] ?? 0) + count;
  await run(tx)`
    insert into tenant_export_part (export_id, number, name, key, sha256, size_bytes, position)
    select ${known.id}, p.number, p.name, p.key, p.sha256, p."sizeBytes", p.position
    from jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
      as p(number integer, name text, key text, sha256 text, "sizeBytes" bigint, position bigint)`;
  await run(tx)`
    update tenant_export set cursor = ${progress.next === null ? null : JSON.stringify(progress.next)}::jsonb,
      counts = ${JSON.stringify(counts)}::jsonb, parts = parts + ${added.length}, size_bytes = ${position},
      chain = ${progress.chain}, files = files + ${progress.files},
      missing_files = missing_files + ${progress.missingFiles}
    where id = ${known.id}`;
}

const Name = z.object({ name: z.string() });

/** Tells which of these names the file has already: a file of the store is in it once, however many rows name it. */
export async function listKnownNames(
  queries: Queries,
  exportId: string,
  names: readonly string[],
): Promise<Set<string>> {
  const known = await rows(queries, Name)`
    select name from tenant_export_part where export_id = ${exportId} and name = any(${[...names]}::text[])`;
  return new Set(known.map(({ name }) => name));
}

const Part = z.object({
  name: z.string(),
  key: z.string(),
  sizeBytes: z.float64(),
  position: z.float64(),
});
export type ExportPart = z.output<typeof Part>;

/** Lists the parts that hold the bytes from `first` to `last`, the next `limit` of them. */
export async function listParts(
  queries: Queries,
  exportId: string,
  { first, last, limit }: { first: number; last: number; limit: number },
): Promise<ExportPart[]> {
  return rows(queries, Part)`
    select name, key, size_bytes::float8 as "sizeBytes", position::float8 as position from tenant_export_part
    where export_id = ${exportId} and position <= ${last} and position >= coalesce((
      select max(position) from tenant_export_part where export_id = ${exportId} and position <= ${first}), 0)
    order by position limit ${limit}`;
}

const RowPart = z.object({ number: z.int(), name: z.string(), key: z.string() });
export type RowPart = z.output<typeof RowPart>;

/** Lists the parts with rows behind this one, in their order. */
export async function listRowParts(
  queries: Queries,
  exportId: string,
  { after, limit }: { after: number; limit: number },
): Promise<RowPart[]> {
  return rows(queries, RowPart)`
    select number, name, key from tenant_export_part
    where export_id = ${exportId} and number > ${after} and name like 'rows/%' order by number limit ${limit}`;
}

/** A part with other rows than before; null where none is left. */
export interface ChangedPart {
  number: number;
  part: NewPart | null;
}

/**
 * Replaces parts that have other rows now, adds parts, and counts again. The positions hold again once `placeParts` was
 * called. The caller holds the lock of the export.
 */
export async function changeParts(
  tx: Tx,
  known: TenantExport,
  change: {
    changed: readonly ChangedPart[];
    added: readonly NewPart[];
    counts: Readonly<Record<string, number>>;
    files: number;
    missingFiles: number;
    next: ExportPlace | null;
  },
): Promise<void> {
  // A part that ends lets go of its file, and gives back the bytes that it counts for.
  await run(tx)`
    delete from tenant_export_part
    where export_id = ${known.id} and number = any(${change.changed.map(({ number }) => number)}::integer[])`;
  const kept = change.changed.flatMap(({ number, part }) => (part === null ? [] : [{ ...part, number }]));
  const added = change.added.map((part, index) => ({ ...part, number: known.parts + index }));
  await run(tx)`
    insert into tenant_export_part (export_id, number, name, key, sha256, size_bytes, position)
    select ${known.id}, p.number, p.name, p.key, p.sha256, p."sizeBytes", 0
    from jsonb_to_recordset(${JSON.stringify([...kept, ...added])}::jsonb)
      as p(number integer, name text, key text, sha256 text, "sizeBytes" bigint)`;
  const counts = { ...known.counts };
  for (const [what, count] of Object.entries(change.counts)) counts[what] = (counts[what] ?? 0) + count;
  const counted = Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
  await run(tx)`
    update tenant_export set cursor = ${change.next === null ? null : JSON.stringify(change.next)}::jsonb,
      counts = ${JSON.stringify(counted)}::jsonb, parts = parts + ${added.length}, files = files + ${change.files},
      missing_files = missing_files + ${change.missingFiles}
    where id = ${known.id}`;
}

/** The bytes of a part with its head and its padding, as `bytesOf` says. */
const BYTES = sql`${BLOCK_BYTES}::bigint * (1 + ceil(e.size_bytes::numeric / ${BLOCK_BYTES}::int))`;

const PlacedPart = z.object({ name: z.string(), sha256: z.string(), sizeBytes: z.float64() });

/**
 * Numbers the parts again and places one behind the other, because some have become longer or shorter. `chain`
 * continues the digest over all of them. The caller holds the lock of the export.
 */
export async function placeParts(
  tx: Tx,
  exportId: string,
  chain: (before: string, part: z.output<typeof PlacedPart>) => string,
): Promise<void> {
  // Two steps, because each row must have another number than all others at each moment.
  await run(tx)`update tenant_export_part set number = -1 - number where export_id = ${exportId}`;
  await run(tx)`
    update tenant_export_part p set number = n.number, position = n.position
    from (select e.number as former, row_number() over w - 1 as number, coalesce(sum(${BYTES}) over (w
        rows between unbounded preceding and 1 preceding), 0) as position
      from tenant_export_part e where e.export_id = ${exportId} window w as (order by e.number desc)) n
    where p.export_id = ${exportId} and p.number = n.former`;
  const parts = await rows(tx, PlacedPart)`
    select name, sha256, size_bytes::float8 as "sizeBytes" from tenant_export_part
    where export_id = ${exportId} order by number`;
  await run(tx)`
    update tenant_export set chain = ${parts.reduce(chain, '')}, parts = ${parts.length},
      size_bytes = ${parts.reduce((sum, part) => sum + bytesOf(part.sizeBytes), 0)}
    where id = ${exportId}`;
}

const Deleted = z.object({ parts: z.int(), taken: z.int() });

/** Lets go of exports whose time is over, and of the parts of those that are not kept, `limit` of each. */
export async function forgetExports(tx: Tx, limit: number): Promise<number> {
  const { parts, taken } = await one(tx, Deleted)`
    with expired as (
      update tenant_export set gone_reason = 'expired'
      where id in (select id from tenant_export
        where gone_reason is null and expires_at < ${tx.now} order by expires_at limit ${limit})
      returning 1
    ), gone as (
      delete from tenant_export_part where ctid = any(array(
        select p.ctid from tenant_export x join tenant_export_part p on p.export_id = x.id
        where x.gone_reason is not null limit ${limit}))
      returning 1
    )
    select (select count(*)::int from gone) as parts, (select count(*)::int from expired) as taken`;
  return Math.max(parts, taken);
}
