import { z } from 'zod';
import { rows, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { recordErasure } from './erasure.ts';
import type { Erasure } from './erasure.ts';

const FileRow = z.object({ id: z.string(), key: z.string(), isShared: z.boolean() });
/** A file of an erased person that may still be in the store; `isShared` when somebody else has the same bytes. */
export type ErasedFile = z.output<typeof FileRow>;

/**
 * Takes files that are yet to be deleted. A file is stored once however many messages of the agency have its bytes.
 * Nobody puts a file of the same bytes until it is deleted; one that was put a moment ago, and that no row names yet,
 * is fetched again when somebody asks for it. A client's uploads stay until no caller may name them any more, and the
 * clean-up then deletes them.
 */
export async function takeErasedFiles(tx: Tx, erasure: Erasure, limit: number): Promise<ErasedFile[]> {
  return rows(tx, FileRow)`
    with open as materialized (
      select f.id, f.key from erased_file f
      where f.erasure_id = ${erasure.id} and f.key is not null order by f.id limit ${limit}
    ), taken as materialized (
      select k.key, take_erased_file(k.key) as is_taken
      from (select key from open group by key order by key) k
    )
    select l.id, l.key, not t.is_taken as "isShared" from open l join taken t on t.key = l.key order by l.id`;
}

/** Records that these files are deleted, or another's. The next step follows when none is left. */
export async function recordFiles(tx: Tx, erasure: Erasure, files: readonly ErasedFile[]): Promise<void> {
  if (files.length === 0) return recordErasure(tx, erasure, { step: 'records', cursor: null });
  await run(tx)`delete from media_key where key = any(${keysOf(files)}::text[]) and deleting_until is not null`;
  const left = await run(tx)`
    update erased_file set key = null
    where id = any(${files.map(({ id }) => id)}::text[]) and erasure_id = ${erasure.id} and key is not null
    returning 1`;
  const shared = files.filter(({ isShared }) => isShared).length;
  await recordErasure(tx, erasure, { counts: { files: left - shared } });
}

function keysOf(files: readonly ErasedFile[]): string[] {
  return files.flatMap(({ key, isShared }) => (isShared ? [] : key));
}

/** True for the id of a message or a contact that had a file and was erased. */
export async function isErasedFile(queries: Queries, id: string): Promise<boolean> {
  return (await run(queries)`select 1 from erased_file where id = ${id}`) > 0;
}
