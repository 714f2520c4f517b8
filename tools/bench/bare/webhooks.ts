import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import { signedPost } from './signed-post.ts';

/**
 * The baseline of webhooks, which only claims, posts and records: no order, no ladder, no breaker, no log of attempts.
 * This script runs as a process of its own; its arguments are the database's URL and the number of simultaneous posts.
 */
const [url, words = '10'] = process.argv.slice(2);
const atOnce = Number(words);
const pool = new Pool({ connectionString: url, max: 10 });
await pool.query(`create table if not exists bench_webhook (
  id bigint generated always as identity primary key, url text not null, body text not null, status text not null default 'pending')`);
await pool.query("create index if not exists bench_webhook_pending on bench_webhook (id) where status = 'pending'");
console.log('ready');

interface Row {
  id: string;
  url: string;
  body: string;
}

const IDLE_MS = 20;
const posting = new Set<Promise<void>>();
for (;;) {
  const { rows } = await pool.query<Row>(
    `update bench_webhook set status = 'posting' where id in (
       select id from bench_webhook where status = 'pending' order by id limit $1 for update skip locked)
     returning id, url, body`,
    [atOnce - posting.size],
  );
  for (const row of rows) {
    const work = postAndRecord(row).finally(() => posting.delete(work));
    posting.add(work);
  }
  if (rows.length === 0) await pause(IDLE_MS);
  // The loop claims again only when half of the posts are done; a claim for each post would wait for the disk twice as
  // often.
  while (posting.size > atOnce / 2) await Promise.race(posting);
}

async function postAndRecord({ id, url: to, body }: Row): Promise<void> {
  const status = await signedPost(to, `evt_${id}`, body);
  await pool.query('update bench_webhook set status = $2 where id = $1', [id, status < 300 ? 'delivered' : 'failed']);
}
