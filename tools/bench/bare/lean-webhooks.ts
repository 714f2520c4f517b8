import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { signedPost } from './signed-post.ts';

/**
 * Webhooks as lean as one process can make them: no claim is written, deliveries are read from where the last read
 * ended, and their results are written in batches. No order, no ladder, no breaker, no log of attempts, and a second
 * process would post everything again. This script runs as a process of its own; its arguments are the database's URL
 * and the number of simultaneous posts.
 */
const [url, words = '10'] = process.argv.slice(2);
const atOnce = Number(words);
const pool = new Pool({ connectionString: url, max: 2 });
await pool.query(`create table if not exists bench_lean (
  id bigint generated always as identity primary key, url text not null, body text not null, status integer)`);
console.log('ready');

interface Row {
  id: string;
  url: string;
  body: string;
}

const IDLE_MS = 2;
const WRITE_EVERY_MS = 5;
const MAX_READ = 1_000;
/** Reading begins anew when fewer rows than this wait for a post. */
const ENOUGH = 200;
let readUpTo = '0';
let waiting: Row[] = [];
let done: { id: string; status: number }[] = [];

await Promise.all([read(), write(), ...Array.from({ length: atOnce }, post)]);

async function read(): Promise<void> {
  for (;;) {
    if (waiting.length < ENOUGH) {
      const { rows } = await pool.query<Row>({
        name: 'read',
        text: 'select id, url, body from bench_lean where id > $1 and status is null order by id limit $2',
        values: [readUpTo, MAX_READ],
      });
      readUpTo = rows.at(-1)?.id ?? readUpTo;
      waiting = waiting.concat(rows);
    }
    await pause(IDLE_MS);
  }
}

async function post(): Promise<void> {
  for (;;) {
    const row = waiting.shift();
    if (row) done.push({ id: row.id, status: await signedPost(row.url, `evt_${row.id}`, row.body) });
    else await pause(IDLE_MS);
  }
}

async function write(): Promise<void> {
  for (;;) {
    const batch = done;
    done = [];
    if (batch.length > 0) {
      await pool.query({
        name: 'write',
        text: `update bench_lean l set status = d.status
          from unnest($1::bigint[], $2::int[]) as d (id, status) where l.id = d.id`,
        values: [batch.map(({ id }) => id), batch.map(({ status }) => status)],
      });
    }
    await pause(WRITE_EVERY_MS);
  }
}
