import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Database } from '../../../db/engine/database.ts';
import { rowsOf } from '../../support/rows.ts';

/** The functions whose statements a stepped transaction stops at, too. */
const FILES = ['sending/claim', 'sending/record', 'agent/turn'];

const held = new WeakSet<Database>();

/** True for a database whose functions stop before each of their statements. */
export function hasBoundaries(database: Database): boolean {
  return held.has(database);
}

/** Reads the source of functions of the database. */
export function sourceOf(file: string): string {
  return readFileSync(new URL(`../../../db/${file}.sql`, import.meta.url), 'utf8');
}

/**
 * Makes the functions of claims and records stop before each of their statements, for transactions that are stepped: a
 * function is one round trip, and all that happens between two of its statements is as real as between two round trips.
 */
export async function withBoundaries(database: Database): Promise<void> {
  await execute(database, 'create unlogged table test_turnstile (pid integer primary key, allowed integer not null)');
  // The number of the boundary is told by the name of the application, which others see at once.
  await execute(
    database,
    `create function test_boundary() returns void language plpgsql as $$
    declare
      v_number integer := nullif(current_setting('test.boundary', true), '')::integer + 1;
    begin
      if v_number is null then return; end if;
      perform set_config('test.boundary', v_number::text, true);
      perform set_config('application_name', 'boundary ' || v_number, true);
      while not exists (select 1 from test_turnstile where pid = pg_backend_pid() and allowed >= v_number) loop
        perform pg_sleep(0.001);
      end loop;
    end
    $$`,
  );
  for (const file of FILES) await execute(database, stopping(sourceOf(file)));
  held.add(database);
}

/** Runs statements that are no query of a test, such as the definition of a function. */
export async function execute(database: Database, text: string): Promise<void> {
  await rowsOf(database, sql<object>`${sql.raw(text)}`);
}

/** Puts a stop before every statement of the functions in plpgsql but the first, before which the caller stops. */
export function stopping(source: string): string {
  const functions = source.split(/(?<=^\$\$;\n)/m);
  return functions.map((one) => (one.includes('language plpgsql') ? stoppingIn(one) : one)).join('');
}

function stoppingIn(source: string): string {
  let before = '';
  let stops = -1;
  const lines = source.split('\n').flatMap((line) => {
    const text = line.trim();
    if (text.startsWith('--') || text === '') return [line];
    const begins = /(;|\bloop|\bthen|\bbegin)$/.test(before) && /^(select|with|update|insert|perform)\b/.test(text);
    before = text;
    if (begins) stops += 1;
    return begins && stops > 0 ? ['perform test_boundary();', line] : [line];
  });
  if (stops < 1) return source;
  return lines.join('\n');
}

/** Lets the function of this connection pass its boundaries up to this one. */
export async function letPass(database: Database, pid: number, boundary: number): Promise<void> {
  await rowsOf(
    database,
    sql<object>`insert into test_turnstile (pid, allowed) values (${pid}, ${boundary})
      on conflict (pid) do update set allowed = excluded.allowed`,
  );
}

/** Returns the boundary that the function of this connection stands at or has passed last; 0 for none. */
export async function boundaryOf(database: Database, pid: number): Promise<number> {
  const [row] = await rowsOf(
    database,
    sql<{ name: string }>`select application_name as name from pg_stat_activity where pid = ${pid}`,
  );
  return Number(/^boundary (\d+)$/.exec(row?.name ?? '')?.[1] ?? 0);
}
