import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Client } from 'pg';

/**
 * The SQL files of the database's functions. Every send or inbound message calls some of them, so each must be one
 * round trip. A file lies beside the TypeScript of its subject and holds the one definition of its functions. The list
 * has the order in which the functions are created, because PostgreSQL checks what an SQL function calls. In a file the
 * names of parameters begin with `p_`, and the names of local variables that a column could be mistaken for begin with
 * `v_`.
 *
 * A statement in a function sees what was committed before it began. A lock that one statement waited for is therefore
 * respected by the next, which would not be so in one large statement. Plans of functions are kept, also those made
 * while the tables were empty; `enable_seqscan = off` keeps such a plan from reading whole tables later. `PLAN_ONCE`
 * gives all of them one plan for each statement.
 */
const FILES = [
  'registry/workflows',
  'partitions',
  'tenants/stored',
  'states',
  'tenants/credentials',
  'conversations/now',
  'conversations/contact',
  'conversations/conversation',
  'conversations/inbox/chat-count',
  'conversations/inbox/waiting',
  'conversations/search/message-text',
  'conversations/search/search-messages',
  'conversations/search/chat-text',
  'conversations/search/due',
  'conversations/merge',
  'conversations/merge-contacts',
  'network/sync-contacts',
  'conversations/move-back',
  'conversations/mirror/notes',
  'dispatch',
  'sending/pace',
  'sending/release/release-at',
  'sending/promote',
  'sending/release/release',
  'sending/schedule',
  'sending/accept',
  'conversations/inbox/owed',
  'sending/in-flight/in-flight',
  'automations/no-longer-so',
  'sending/claim',
  'sending/record',
  'webhooks/endpoint-health',
  'webhooks/lanes',
  'webhooks/shards/shards',
  'webhooks/shards/tail',
  'webhooks/shards/shard-endpoint',
  'webhooks/shards/outcomes',
  'operations/queue-state',
  'personal-data/erased',
  'network/backend-event',
  'webhooks/events/write-events',
  'webhooks/events/news',
  'network/write-message',
  'agent/budget',
  'agent/agent',
  'agent/context',
  'agent/turn',
  'agent/desk',
  'network/changes/changes',
  'network/inbound',
  'media/files',
  'media/storage',
  'network/sync/import-past',
  'former',
  'webhooks/former-drains',
] as const;

/**
 * The version of the functions. Each release that changes a file raises it by one, which
 * `test/toolchain/functions-version.test.ts` demands: a process whose version is lower than the database's leaves the
 * functions as they are.
 */
export const FUNCTIONS_VERSION = 8;

/**
 * PostgreSQL plans a statement of a function anew for the values of its first five calls on each connection. That costs
 * several times what the statement itself does, and the values here (ids, times) do not change the plan. SQL functions
 * are left out: one that has a setting of its own is no longer inlined. So are those of others and of extensions.
 */
const PLAN_ONCE = `
  do $$
  declare
    f regprocedure;
  begin
    for f in
      select p.oid from pg_proc p join pg_language l on l.oid = p.prolang
      where l.lanname = 'plpgsql' and p.pronamespace = current_schema()::regnamespace and p.prokind = 'f'
        and p.proowner = current_user::regrole
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        and not coalesce(p.proconfig, '{}') @> '{plan_cache_mode=force_generic_plan}'
    loop
      execute format('alter function %s set plan_cache_mode = force_generic_plan', f);
    end loop;
  end
  $$`;

/**
 * Brings the functions of the database to this version, in one transaction and only when a file has changed. A function
 * that processes call and whose signature changes stays in `former.sql` for a release (`db/migrations/README.md`). The
 * caller holds the migration lock.
 */
export async function defineFunctions(client: Client): Promise<void> {
  const files = FILES.map((name) => readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8'));
  const source = [...files, PLAN_ONCE].join('\n');
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
