import type { Client } from 'pg';
import { buildConcurrently, findIndex, inAMoment } from './build.ts';
import type { IndexToBuild } from './build.ts';

/**
 * Builds an index of a partitioned table. PostgreSQL cannot build that concurrently, but it can build one of each
 * partition. The table's own index stays empty and invalid until each partition's is attached to it. A partition that
 * is made meanwhile gets its index at once.
 */
export async function buildPartitioned(client: Client, index: IndexToBuild): Promise<void> {
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
