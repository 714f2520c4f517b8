import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { workflowFunctions } from './workflow-functions.ts';

/**
 * Every send or every inbound message pays for these, so each must be one round trip. A file lies beside the TypeScript of
 * its subject and holds the one definition of its functions. The list is in the order of their making, because PostgreSQL
 * checks a function of SQL against what it calls. In a file `p_` begins the name of a parameter, and `v_` that of a local
 * which a column would otherwise be taken for.
 *
 * A statement of a function sees what was committed before it began, so a lock that one statement waited for is respected by
 * the next, which one large statement would not do. Their plans are kept, also those made while the tables were empty: hence
 * `enable_seqscan = off`.
 */
const FILES = [
  'partitions',
  'states',
  'conversations/contact',
  'conversations/conversation',
  'conversations/merge',
  'conversations/merge-contacts',
  'dispatch',
  'sending/pace',
  'sending/promote',
  'sending/release',
  'sending/schedule',
  'sending/accept',
  'webhooks/endpoint-health',
  'webhooks/lanes',
  'webhooks/delivery',
  'agent/budget',
  'agent/agent',
  'former',
] as const;

/**
 * One more with each release that changes a file, which `test/toolchain/functions-version.test.ts` demands: a process
 * that is older than the database's functions keeps them.
 */
export const FUNCTIONS_VERSION = 5;

/**
 * Brings the functions of the database to this version: all in one transaction, and only when a file has changed. A
 * function whose signature changes is dropped by the migration that changes it. The caller holds the migration lock.
 */
export async function defineFunctions(client: Client): Promise<void> {
  const files = FILES.map((name) => readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8'));
  const source = [workflowFunctions(), ...files].join('\n');
  const digest = createHash('sha256').update(source).digest('hex');
  const { rows } = await client.query<{ digest: string; version: number }>(
    'select digest, version from function_version',
  );
  const [known] = rows;
  if (known && (known.digest === digest || known.version > FUNCTIONS_VERSION)) return;
  await client.query('begin');
  try {
    await client.query(source);
    await client.query('delete from function_version');
    await client.query('insert into function_version (digest, version) values ($1, $2)', [digest, FUNCTIONS_VERSION]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
