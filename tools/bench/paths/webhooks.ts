import { Client } from 'pg';
import { makeWorkerUtils } from 'graphile-worker';
import { perSecond } from '../arrivals.ts';
import { startChild } from '../child.ts';
import { untilSettled } from '../fleet/settled.ts';
import { measure, rowOf } from '../harness/harness.ts';
import type { Measured, Way } from '../harness/harness.ts';
import type { Machine } from '../machine.ts';
import { markOf, Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { fillPending, layGround, openDatabase } from '../webhook-ground.ts';

const ENDPOINTS = [1, 100, 1_000];
const EVENTS_OF_A_SECOND = 1_000;
/** The baselines: the script of each, and the table that its backlog is written into. */
const LOOPS = {
  bare: { script: './bare/webhooks.ts', table: 'bench_webhook' },
  lean: { script: './bare/lean-webhooks.ts', table: 'bench_lean' },
} as const;
/** The number of simultaneous attempts that an endpoint gets by default. */
const OF_AN_ENDPOINT = 10;
/** More simultaneous posts are not quicker on loopback. */
const AT_ONCE = 100;
const PATIENCE_MS = 120_000;
/** This share of the deliveries is left out at the start, because the rate is not steady there. */
const WARM = 0.1;

/** Writes so many deliveries, numbered from `first` on, to be made to the receivers. */
type Fill = (count: number, first: number) => Promise<unknown>;

/**
 * Measures how fast a backlog is delivered to endpoints that answer, by the engine, two baselines and a public job
 * queue, one after the other.
 */
export async function webhooks(machine: Machine, seconds: number): Promise<Result[]> {
  const results: Result[] = [];
  for (const endpoints of ENDPOINTS) {
    const receivers = await Receivers.start(endpoints);
    const drain = (fill: Fill): Promise<Measured> => drained(machine, receivers, { fill, seconds });
    try {
      const bare = await loop(machine, receivers, { name: 'bare', drain });
      const ours = await engine(machine, receivers, drain);
      const lean = await loop(machine, receivers, { name: 'lean', drain });
      const graphile = await jobQueue(machine, receivers, drain);
      const to = endpoints === 1 ? 'to one endpoint' : `to ${endpoints} endpoints`;
      results.push(
        line(`deliveries ${to}`, ours, { name: 'bare claim, post, record', other: bare, aim: 0.9 }),
        line(`deliveries ${to}, as lean as can be`, ours, {
          name: 'one read, one post, one update in batches',
          other: lean,
          aim: null,
        }),
        line(`deliveries ${to}, a public job queue`, ours, { name: 'graphile-worker', other: graphile, aim: 1.3 }),
      );
    } finally {
      await receivers.stop();
    }
  }
  return results;
}

type Drain = (fill: Fill) => Promise<Measured>;

/** Measures backlogs of a thousand deliveries for each second, each of which begins when the former is over. */
async function drained(
  machine: Machine,
  receivers: Receivers,
  { fill, seconds }: { fill: Fill; seconds: number },
): Promise<Measured> {
  let first = 0;
  const work: Way['work'] = async (forS) => {
    const count = Math.ceil(forS * EVENTS_OF_A_SECOND);
    receivers.clear(first);
    await fill(count, first);
    first += count;
    return { count, perSecond: await rate(receivers, count), latencies: [] };
  };
  const of = await measure(machine, { deliveries: { each: 'delivery', work } }, { seconds });
  return of('deliveries');
}

async function engine(machine: Machine, receivers: Receivers, drain: Drain): Promise<Measured> {
  await machine.newSeries();
  const worker = await machine.startEngine('worker');
  const database = await openDatabase(machine.databaseUrl, 2);
  try {
    const ids = await layGround(
      database,
      receivers.urls.map((url) => [url]),
    );
    // The executions of new endpoints begin with work of their own.
    await untilSettled(machine, PATIENCE_MS);
    return await drain((count, first) => fillPending(database, ids, { count, first })).catch(async (error: unknown) => {
      throw new Error(await whatIsPending(machine), { cause: error });
    });
  } finally {
    await database.close();
    await worker.stop();
  }
}

/** Tells what waits after all, with the last attempts, because a backlog that is not whole is a fault to be found. */
async function whatIsPending({ databaseUrl }: Machine): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select d.endpoint_id, d.attempts, h.breaker, last.class, count(*)::integer as deliveries
       from delivery d left join endpoint_health h on h.endpoint_id = d.endpoint_id
         left join lateral (select a.class from delivery_attempt a
           where a.delivery_id = d.id order by a.at desc limit 1) last on true
       where d.status = 'pending' group by 1, 2, 3, 4 order by 1 limit 20`,
    );
    return `Pending after ${PATIENCE_MS / 1_000} s: ${JSON.stringify(rows)}`;
  } finally {
    await client.end();
  }
}

/**
 * Delivers the same bodies to the same receivers by a baseline, from a new database of the same server. It runs already
 * when one statement writes the backlog.
 */
async function loop(
  machine: Machine,
  receivers: Receivers,
  { name, drain }: { name: keyof typeof LOOPS; drain: Drain },
): Promise<Measured> {
  const { script, table } = LOOPS[name];
  await machine.newSeries();
  const words = [machine.databaseUrl, String(atOnce(receivers))];
  const child = await startChild(script, words, { env: machine.env(), ready: /^ready/ });
  const client = new Client({ connectionString: machine.databaseUrl });
  await client.connect();
  try {
    return await drain(async (count, first) => {
      const all = jobs(receivers, count, first);
      await client.query(
        `insert into ${table} (url, body)
         select url, body from unnest($1::text[], $2::text[]) as job (url, body)`,
        [all.map(({ url }) => url), all.map(({ body }) => body)],
      );
    });
  } finally {
    await client.end();
    await child.stop();
  }
}

async function jobQueue(machine: Machine, receivers: Receivers, drain: Drain): Promise<Measured> {
  await machine.newSeries();
  const utils = await makeWorkerUtils({ connectionString: machine.databaseUrl });
  await utils.migrate();
  const words = [machine.databaseUrl, String(atOnce(receivers))];
  const queue = await startChild('./bare/graphile-webhooks.ts', words, { env: machine.env(), ready: /^ready/ });
  try {
    return await drain((count, first) =>
      utils.addJobs(jobs(receivers, count, first).map((job) => ({ identifier: 'webhook', payload: job }))),
    );
  } finally {
    await utils.release();
    await queue.stop();
  }
}

function atOnce({ urls }: Receivers): number {
  return Math.min(AT_ONCE, urls.length * OF_AN_ENDPOINT);
}

function jobs({ urls }: Receivers, count: number, first: number): { id: string; url: string; body: string }[] {
  return Array.from({ length: count }, (_, offset) => first + offset).map((index) => ({
    id: `evt_bench_${index}`,
    url: urls[index % urls.length] ?? '',
    body: JSON.stringify({ event: 'message', payload: payload(index), metadata: METADATA }),
  }));
}

const METADATA = { agencyId: 'bench', tenantId: 'shop-1', eventId: 'evt_bench', sequence: 1, sessionId: 'ses_bench_1' };

function payload(index: number): object {
  const body = `${markOf(index)} Good evening, do you still have a table for two at eight?`;
  const rest = { timestamp: 1_790_000_000, from: '15552001000', fromKind: 'phone', kind: 'text', hasMedia: false };
  return { body, ...rest, messageId: `msg_bench_${index}`, chatId: '15552001000@c.us', pushName: 'Bench' };
}

/** Returns the deliveries per second between the first arrivals and the last. */
async function rate(receivers: Receivers, events: number): Promise<number> {
  if (!(await receivers.until(events, PATIENCE_MS))) {
    throw new Error(`Only ${receivers.arrivals.length} of ${events} deliveries came within ${PATIENCE_MS / 1_000} s.`);
  }
  const from = Math.floor(events * WARM);
  return perSecond(receivers.arrivals.slice(from).map(({ at }) => at));
}

function line(
  path: string,
  ours: Measured,
  { name, other, aim }: { name: string; other: Measured; aim: number | null },
): Result {
  const ratio = ours.perSecond / other.perSecond;
  return rowOf(
    { ...ours, isSteady: ours.isSteady && other.isSteady },
    {
      path,
      measured: `${round(ours.perSecond, 0)} /s`,
      baseline: `${name} ${round(other.perSecond, 0)} /s`,
      ratio,
      aim: aim === null ? 'published' : `≥ ${aim}`,
      met: aim === null || ratio >= aim,
    },
  );
}
