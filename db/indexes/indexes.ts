import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { ListedIndex } from './list.ts';
import { buildConcurrently, dropIndex, findIndex, inAMoment } from './build.ts';
import type { IndexToBuild } from './build.ts';

/** The advisory lock of index builds; any fixed number would do if all processes that build indexes here use it. */
const INDEX_LOCK = 7_215_004;
const LOOK_EVERY_MS = 250;

/**
 * Brings the indexes to the state of the list. A build outside a transaction lets writers through. A build that was
 * interrupted leaves an invalid index, which is dropped and built again.
 *
 * A process that waits for the lock asks for it again and again. A statement that waited would keep a snapshot, and the
 * build waits for all snapshots, so the two would wait for each other. For the same reason the caller holds no lock
 * that others wait for. The lock ends with the client's connection, which the caller closes.
 */
export async function buildIndexes(client: Client, list: readonly ListedIndex[]): Promise<void> {
  if ((await missing(client, list)).length === 0) return;
  while (!(await tryLock(client))) await pause(LOOK_EVERY_MS);
  for (const index of await missing(client, list)) await bring(client, index);
}

async function missing(client: Client, list: readonly ListedIndex[]): Promise<ListedIndex[]> {
  const found: ListedIndex[] = [];
  for (const index of list) {
    const state = await findIndex(client, index.name);
    if ('dropped' in index ? state !== null : state?.valid !== true) found.push(index);
  }
  return found;
}

async function bring(client: Client, index: ListedIndex): Promise<void> {
  if ('dropped' in index) return dropIndex(client, index.name);
  const { rows } = await client.query<{ partitioned: boolean }>(
    `select relkind = 'p' as partitioned from pg_class where oid = $1::regclass`,
    [index.table],
  );
  await (rows[0]?.partitioned === true ? buildPartitioned(client, index) : buildConcurrently(client, index));
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [INDEX_LOCK]);
  return rows[0]?.got === true;
}

/**
 * Builds an index of a partitioned table. PostgreSQL cannot build that concurrently, but it can build one of each
 * partition. The table's own index stays empty and invalid until each partition's is attached to it. A partition that
 * is made meanwhile gets its index at once.
 */
async function buildPartitioned(client: Client, index: IndexToBuild): Promise<void> {
  const { name, unique, table, on } = index;
  if ((await findIndex(client, name)) === null) {
    await inAMoment(client, `create ${unique ? 'unique ' : ''}index ${name} on only ${table} ${on}`);
  }
  for (const partition of await partitionsWithout(client, index)) {
    const part = `${name}${partition.slice(table.length)}`;
    await buildConcurrently(client, { name: part, unique, table: partition, on });
    await inAMoment(client, `alter index ${name} attach partition ${part}`);
  }
}

async function partitionsWithout(client: Client, { name, table }: IndexToBuild): Promise<string[]> {
  const { rows } = await client.query<{ partition: string }>(
    `select p.inhrelid::regclass::text as partition from pg_inherits p
     where p.inhparent = $1::regclass and not exists (
       select from pg_inherits a join pg_index i on i.indexrelid = a.inhrelid
       where a.inhparent = $2::regclass and i.indrelid = p.inhrelid)
     order by 1`,
    [table, name],
  );
  return rows.map(({ partition }) => partition);
}
