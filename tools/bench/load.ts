import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';

export interface Load {
  count: number;
  perSecond: number;
  /** Milliseconds from the request's start to the end of its answer. */
  latencies: number[];
}

export interface Post {
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Get {
  method: 'GET';
  path: string;
  headers: Record<string, string>;
}

/**
 * Runs a closed loop: each of `connections` clients makes one request after the other. An answer that is not 2xx ends
 * the bench.
 */
export async function closedLoop(
  url: string,
  next: (index: number) => Post | Get,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Load> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const latencies: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  let index = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      latencies.push(await post(pool, next(index++)));
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsedS = (performance.now() - startedAt) / 1_000;
  await pool.close();
  return { count: latencies.length, perSecond: latencies.length / elapsedS, latencies };
}

const POSTS_AT_ONCE = 16;

/** Makes `count` posts, a few of them at a time. */
export async function posts(url: string, count: number, next: () => Post): Promise<void> {
  const pool = new Pool(url, { connections: POSTS_AT_ONCE, pipelining: 1 });
  let left = count;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await post(pool, next());
    }
  };
  await Promise.all(Array.from({ length: POSTS_AT_ONCE }, client));
  await pool.close();
}

/**
 * Runs an open loop: it posts at a fixed rate, however long the answers take, so that waiting shows in the times and
 * does not slow down the load.
 */
export async function openLoop(
  url: string,
  next: (index: number) => Post,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Load> {
  const pool = new Pool(url, { connections: 64, pipelining: 1 });
  const latencies: number[] = [];
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  const total = Math.floor(perSecond * seconds);
  for (let index = 0; index < total; index += 1) {
    const dueIn = startedAt + (index * 1_000) / perSecond - performance.now();
    if (dueIn > 1) await pause(dueIn);
    running.push(post(pool, next(index)).then((ms) => void latencies.push(ms)));
  }
  await Promise.all(running);
  const elapsedS = (performance.now() - startedAt) / 1_000;
  await pool.close();
  return { count: latencies.length, perSecond: latencies.length / elapsedS, latencies };
}

async function post(pool: Pool, asked: Post | Get): Promise<number> {
  const startedAt = performance.now();
  const answer = await pool.request('body' in asked ? { ...asked, method: 'POST' } : asked);
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`The server answered ${answer.statusCode}: ${text.slice(0, 200)}`);
  return performance.now() - startedAt;
}
