import type { Database } from '../../db/engine/database.ts';
import { compareFiles, readSweep, recordFileDeleted, recordSweep, takeUnusedFiles } from '../../db/media/keys.ts';
import { thumbnailKey } from '../../domain/sending/media.ts';
import type { MediaStore } from '../../domain/sending/media.ts';

interface Cleaning {
  database: Database;
  store: MediaStore;
  isStopping: () => boolean;
}

const BATCH = 100;
/** One run deletes this many files; the next run takes the rest. */
const MAX_DELETED = 2_000;
const AT_ONCE = 8;
/** The store is compared with the rows as often. */
const SWEEP_EVERY_MS = 24 * 60 * 60_000;
const PAGE = 1_000;
/** One run compares this many pages; the next run goes on behind them. */
const PAGES = 20;
/** Looks for at most this number of seemingly missing files of a page. */
const LOOKS = 20;

/** Deletes files that no row names any more, and returns how many. */
export async function deleteUnusedFiles({ database, store, isStopping }: Cleaning): Promise<number> {
  let deleted = 0;
  while (deleted < MAX_DELETED && !isStopping()) {
    const keys = await database.transaction((tx) => takeUnusedFiles(tx, BATCH));
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      await Promise.all(keys.slice(at, at + AT_ONCE).map((key) => deleteFile({ database, store }, key)));
    }
    deleted += keys.length;
    if (keys.length < BATCH) break;
  }
  return deleted;
}

async function deleteFile({ database, store }: Pick<Cleaning, 'database' | 'store'>, key: string): Promise<void> {
  // The file goes last: while it is there, its thumbnail is found with it.
  await store.delete(thumbnailKey(key));
  await store.delete(key);
  await database.statement((tx) => recordFileDeleted(tx, key));
}

/**
 * Once a day, and over as many runs as that takes, compares all files of the store with the rows. Files without a row
 * are deleted a day later, unless a row names them by then. Returns how many files are missing that rows name, as far
 * as this run has looked: each is fetched again when somebody asks for it.
 */
export async function sweepFiles({ database, store, isStopping }: Cleaning): Promise<number> {
  const { afterKey, isDue } = await database.statement((tx) => readSweep(tx, SWEEP_EVERY_MS));
  if (!isDue) return 0;
  let missing = 0;
  let after = afterKey;
  const keys = store.keys(afterKey)[Symbol.asyncIterator]();
  for (let page = 0; page < PAGES && !isStopping(); page += 1) {
    const listed = await take(keys, PAGE);
    const last = listed.length < PAGE ? null : (listed.at(-1) ?? null);
    const stretch = { after, keys: listed, last };
    const compared = await database.transaction((tx) => compareFiles(tx, stretch));
    for (const key of compared.missing.slice(0, LOOKS)) missing += Number(await isMissing(store, key));
    await database.statement((tx) => recordSweep(tx, last));
    if (last === null) return missing;
    after = last;
  }
  await keys.return?.();
  return missing;
}

async function take(keys: AsyncIterator<string>, limit: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < limit) {
    const next = await keys.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

/** Looks in the store itself, because the file may have come after its place in the list was read. */
async function isMissing(store: MediaStore, key: string): Promise<boolean> {
  const bytes = await store.get(key, { first: 0, last: 0 });
  if (bytes === null) return true;
  for await (const _ of bytes) break;
  return false;
}
