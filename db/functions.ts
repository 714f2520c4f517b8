import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Client } from 'pg';

/** In the order of their making: a function of SQL is checked against what it calls. */
const FILES = [
  'partitions',
  'contact',
  'conversation',
  'merge',
  'dispatch',
  'pace',
  'promote',
  'release',
  'schedule',
  'accept',
  'endpoint-health',
  'delivery',
  'budget',
  'agent',
] as const;

/** One more with each release that changes a file: a process that is older than the database's functions keeps them. */
const VERSION = 5;

/**
 * Brings the functions of the database to this version (`functions/README.md`): all in one transaction, and only when a
 * file has changed. The caller holds the migration lock.
 */
export async function defineFunctions(client: Client): Promise<void> {
  const source = FILES.map((name) => readFileSync(new URL(`./functions/${name}.sql`, import.meta.url), 'utf8')).join(
    '\n',
  );
  const digest = createHash('sha256').update(source).digest('hex');
  const { rows } = await client.query<{ digest: string; version: number }>(
    'select digest, version from function_version',
  );
  const [known] = rows;
  if (known && (known.digest === digest || known.version > VERSION)) return;
  await client.query('begin');
  try {
    await client.query(source);
    await client.query('delete from function_version');
    await client.query('insert into function_version (digest, version) values ($1, $2)', [digest, VERSION]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
