import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

export interface IndexToBuild {
  name: string;
  unique: boolean;
  table: string;
  /** What stands after the table's name. */
  on: string;
}

interface IndexState {
  /**
   * False for what an interrupted build has left, and for that of a partitioned table until each partition has its own.
   */
  valid: boolean;
  partitioned: boolean;
}

const TRIES = 20;
const PAUSE_MS = 500;
/** Writers queue behind whoever waits for a lock that they are in the way of: so never for long. */
const LOCK_WITHIN = '1s';

/** Null when there is none of that name. */
export async function findIndex(client: Client, name: string): Promise<IndexState | null> {
  const { rows } = await client.query<IndexState>(
    `select i.indisvalid as valid, c.relkind = 'I' as partitioned
     from pg_index i join pg_class c on c.oid = i.indexrelid where c.oid = to_regclass($1)`,
    [name],
  );
  return rows[0] ?? null;
}

/** Writers go on meanwhile; it waits for transactions that are older than it. */
export async function buildConcurrently(client: Client, { name, unique, table, on }: IndexToBuild): Promise<void> {
  if ((await findIndex(client, name))?.valid === false) await dropIndex(client, name);
  await client.query(`create ${unique ? 'unique ' : ''}index concurrently if not exists ${name} on ${table} ${on}`);
}

/** That of a partitioned table cannot be dropped beside its writers, so it is dropped in a moment without any. */
export async function dropIndex(client: Client, name: string): Promise<void> {
  const state = await findIndex(client, name);
  if (state?.partitioned === true) await inAMoment(client, `drop index if exists ${name}`);
  else await client.query(`drop index concurrently if exists ${name}`);
}

/** Runs a statement that takes no time but needs a lock for it, in a moment in which the lock can be had. */
export async function inAMoment(client: Client, statement: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query('begin');
      await client.query(`set local lock_timeout = '${LOCK_WITHIN}'`);
      await client.query(statement);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (tries === TRIES || !isLockTimeout(error)) throw error;
      await pause(PAUSE_MS);
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === '55P03';
}
