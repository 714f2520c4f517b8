import { z } from 'zod';
import { one, rows, run } from '../engine/rows.ts';
import type { Tx } from '../engine/tx.ts';

/** A row names a file within this time of its being put; the activities that do so have given up before. */
const HELD_SECONDS = 3_600;
/** A file that no row names may be that of a process of the release before, which holds nothing. */
const ORPHAN_HELD_SECONDS = 86_400;

const Held = z.object({ held: z.boolean() });

/** Keeps a file from being deleted until a row can name it, or as long as is said; false while it is being deleted. */
export async function holdFile(tx: Tx, key: string, heldSeconds = HELD_SECONDS): Promise<boolean> {
  const { held } = await one(tx, Held)`
    select hold_file(${key}, ${heldSeconds} * interval '1 second') as held`;
  return held;
}

/** Keeps a file that a client has uploaded until the client names it, or as long as is said. */
export async function holdUpload(tx: Tx, key: string, heldSeconds = HELD_SECONDS): Promise<boolean> {
  const { held } = await one(tx, Held)`
    select hold_upload(${key}, ${heldSeconds} * interval '1 second') as held`;
  return held;
}

const Key = z.object({ key: z.string() });

/** Takes keys that no row names any more; the caller deletes their files and then says so. */
export async function takeUnusedFiles(tx: Tx, limit: number): Promise<string[]> {
  const taken = await rows(tx, Key)`select key from take_unused_files(${limit}) key`;
  return taken.map(({ key }) => key);
}

/** Records that the file of a key that was taken is deleted. */
export async function recordFileDeleted(tx: Tx, key: string): Promise<void> {
  await run(tx)`delete from media_key where key = ${key} and deleting_until is not null`;
}

const Sweep = z.object({ afterKey: z.string(), isDue: z.boolean() });

/** Says where the comparison of the store with the rows goes on, and whether it is time for it. */
export async function readSweep(tx: Tx, pauseMs: number): Promise<z.output<typeof Sweep>> {
  return one(tx, Sweep)`
    select after_key as "afterKey", after_key <> '' or ended_at is null
      or ended_at < ${tx.now}::timestamptz - ${pauseMs} * interval '1 millisecond' as "isDue"
    from media_sweep`;
}

/** Records how far the comparison has come; null is its end. */
export async function recordSweep(tx: Tx, afterKey: string | null): Promise<void> {
  await run(tx)`
    update media_sweep set after_key = ${afterKey ?? ''},
      ended_at = case when ${afterKey === null}::boolean then ${tx.now} else ended_at end`;
}

const Compared = z.object({ orphans: z.int(), missing: z.array(z.string()) });

/**
 * Compares a stretch of the store's keys with the rows. Files that no row names are looked at again after a day, and
 * then deleted; `missing` are keys that rows name and the store did not list, which may have come meanwhile.
 */
export async function compareFiles(
  tx: Tx,
  { after, keys, last }: { after: string; keys: readonly string[]; last: string | null },
): Promise<z.output<typeof Compared>> {
  return one(tx, Compared)`
    with listed as (
      select key from unnest(${[...keys]}::text[]) key
    ), orphan as (
      insert into media_key (key, held_until)
      select key, clock_timestamp() + ${ORPHAN_HELD_SECONDS} * interval '1 second' from listed
      where not is_file_named(key) order by key
      on conflict do nothing returning key
    ), missing as (
      select distinct (media->'stored'->>'key') collate "C" as key from message
      where media ? 'stored' and (media->'stored'->>'key') collate "C" > ${after}
        and (${last}::text is null or (media->'stored'->>'key') collate "C" <= ${last})
        and (media->'stored'->>'key') not in (select key from listed)
      limit 1000
    )
    select (select count(*)::int from orphan) as orphans,
      coalesce((select array_agg(key) from missing), '{}') as missing`;
}
