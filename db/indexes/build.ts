import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';

export interface IndexToBuild {
  name: string;
  unique: boolean;
  table: string;
  /** The rest of the definition, after the table's name. */
  on: string;
}

interface IndexState {
  /**
   * The index is usable. This is false for the remains of an interrupted build, and for a partitioned table's index
   * until each partition has its own.
   */
  valid: boolean;
  partitioned: boolean;
}

const TRIES = 20;
const PAUSE_MS = 500;
/** A statement waits at most this long for its lock, because writers queue behind the waiting statement. */
const LOCK_WITHIN = '1s';

/** Reads the state of an index; null when there is no index of that name. */
export async function findIndex(client: Client, name: string): Promise<IndexState | null> {
  const { rows } = await client.query<IndexState>(
    `select i.indisvalid as valid, c.relkind = 'I' as partitioned
     from pg_index i join pg_class c on c.oid = i.indexrelid where c.oid = to_regclass($1)`,
    [name],
  );
  return rows[0] ?? null;
}

/** Builds an index while writers go on; the build waits for transactions that are older than it. */
export async function buildConcurrently(client: Client, { name, unique, table, on }: IndexToBuild): Promise<void> {
  if ((await findIndex(client, name))?.valid === false) await dropIndex(client, name);
  await client.query(`create ${unique ? 'unique ' : ''}index concurrently if not exists ${name} on ${table} ${on}`);
}

/**
 * Drops an index. The index of a partitioned table cannot be dropped concurrently, so that waits for a moment without
 * writers.
 */
export async function dropIndex(client: Client, name: string): Promise<void> {
  const state = await findIndex(client, name);
  if (state?.partitioned === true) await inAMoment(client, `drop index if exists ${name}`);
  else await client.query(`drop index concurrently if exists ${name}`);
}

/**
 * Runs a statement that is quick but needs a lock that holds up writers, in a moment in which it gets the lock soon.
 */
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
