import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseBooks } from '../database-cost.ts';
import { untilSettled } from '../fleet/settled.ts';
import type { Machine } from '../machine.ts';
import { Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { fillPending, layGround, openDatabase } from '../webhook-ground.ts';
import { writeEvents } from '../write-events.ts';

interface Ground {
  /** The endpoints that get events. */
  endpoints: number;
  /** Deliveries that wait at another endpoint, which hangs. */
  pending: number;
}
const MORE_ENDPOINTS: readonly Ground[] = [10, 100, 1_000].map((endpoints) => ({ endpoints, pending: 0 }));
const MORE_PENDING: readonly Ground[] = [1_000, 1_000_000].map((pending) => ({ endpoints: 10, pending }));
/** A rate that a busy machine keeps up with: what counts are pages, not times. */
const RATE = 40;
const WARM_S = 3;
const SECONDS = 8;
const PATIENCE_MS = 60_000;
const REPORTED_MS = 1_500;
const MAX_BUFFERS = 60;
/** A path of an index that is a thousand times as long costs this much more at most. */
const FLAT_WITHIN = 1.3;

/** Counts a delivery while the endpoints become more. */
export async function webhookBuffers(machine: Machine): Promise<Result[]> {
  return costsOn(machine, MORE_ENDPOINTS);
}

/** Counts a delivery beside an endpoint that hangs, while what waits for that becomes more. */
export async function buffersBesideBacklog(machine: Machine): Promise<Result[]> {
  return costsOn(machine, MORE_PENDING);
}

/**
 * Counts the pages that all of a worker's statements touch for one delivery, by PostgreSQL's own books, without those
 * that it touches at rest in the same time.
 */
async function costsOn(machine: Machine, grounds: readonly Ground[]): Promise<Result[]> {
  const rows: { name: string; buffers: number; statements: number }[] = [];
  for (const ground of grounds) {
    const { endpoints, pending } = ground;
    const beside = pending === 0 ? '' : `, ${pending.toLocaleString('en')} pending at another`;
    const name = `${endpoints.toLocaleString('en')} endpoints${beside}`;
    console.log(`… ${name}`);
    rows.push({ name, ...(await deliveryCost(machine, ground)) });
  }
  const [first] = rows;
  return rows.map(({ name, buffers, statements }) => {
    const ratio = buffers / (first?.buffers ?? NaN);
    return {
      path: `buffers of one delivery, all statements of the worker: ${name}`,
      measured: `${round(buffers)} buffers, ${round(statements, 2)} statements`,
      baseline: `${first?.name ?? ''} ${round(first?.buffers ?? NaN)} buffers`,
      ratio,
      aim: `≤ ${MAX_BUFFERS} buffers, flat (≤ ${FLAT_WITHIN})`,
      met: buffers <= MAX_BUFFERS && ratio <= FLAT_WITHIN,
    };
  });
}

async function deliveryCost(machine: Machine, { endpoints, pending }: Ground): Promise<Cost> {
  await machine.newSeries();
  const receivers = await Receivers.start(endpoints);
  const hanging = await receivers.add('hangs');
  const books = await DatabaseBooks.open(machine.databaseUrl);
  const database = await openDatabase(machine.databaseUrl, 2);
  // The writer has another user than the worker, so that the books tell them apart.
  const writerUrl = await writerOf(books, machine.databaseUrl);
  try {
    const urls = [...receivers.urls.map((url) => [url]), ...(pending === 0 ? [] : [[hanging]])];
    const ids = await layGround(database, urls);
    if (pending > 0) await fillPending(database, ids.slice(-1), { count: pending, firstTenant: endpoints });
    await books.query('vacuum analyze');
    const worker = await machine.startEngine('worker');
    try {
      const tenants = receivers.urls.map((_, index) => index);
      const streams = [{ tenants, transactionsPerSecond: RATE, eventsEach: 1 }];
      const run = async (seconds: number, firstIndex: number): Promise<number> => {
        receivers.clear(firstIndex);
        const { written } = await writeEvents({ databaseUrl: writerUrl, streams, seconds, firstIndex });
        if (!(await receivers.until(written.length, PATIENCE_MS)))
          throw new Error(`Only ${receivers.arrivals.length} of ${written.length} deliveries came.`);
        await pause(REPORTED_MS);
        return written.length;
      };
      // The executions of new endpoints begin with statements of their own.
      await untilSettled(machine, PATIENCE_MS);
      // The first delivery to an endpoint reads the endpoint, too.
      const warm = await run(Math.max(WARM_S, Math.ceil(endpoints / RATE)), 0);
      const [idleFrom, restedAt] = [await workerCost(books), performance.now()];
      await pause(SECONDS * 1_000);
      const [from, startedAt] = [await workerCost(books), performance.now()];
      const count = await run(SECONDS, warm);
      const to = await workerCost(books);
      const rests = (performance.now() - startedAt) / (startedAt - restedAt);
      return costOfEach({ idleFrom, from, to, rests, count });
    } finally {
      await worker.stop();
    }
  } finally {
    await database.close();
    await books.close();
    await receivers.stop();
  }
}

const WRITER = 'bench_writer';

async function writerOf(books: DatabaseBooks, databaseUrl: string): Promise<string> {
  const known = await books.query('select 1 from pg_roles where rolname = $1', [WRITER]);
  if (known.length === 0) await books.query(`create role ${WRITER} superuser login password '${WRITER}'`);
  const url = new URL(databaseUrl);
  [url.username, url.password] = [WRITER, WRITER];
  return url.href;
}

interface Cost {
  buffers: number;
  statements: number;
}

/** Reads what each statement of this database has cost, without the writer's. The bench's own are not tracked. */
async function workerCost(books: DatabaseBooks): Promise<Map<string, Cost>> {
  const found = await books.query(
    `select s.queryid::text as id, sum(s.shared_blks_hit + s.shared_blks_read)::float8 as buffers,
       sum(s.calls)::float8 as statements
     from pg_stat_statements s join pg_roles r on r.oid = s.userid and r.rolname <> $1
     where s.dbid = (select oid from pg_database where datname = current_database()) and s.toplevel
     group by 1`,
    [WRITER],
  );
  return new Map(
    found.map(({ id, buffers, statements }) => [
      String(id),
      { buffers: Number(buffers), statements: Number(statements) },
    ]),
  );
}

/**
 * Answers what one delivery costs: each statement's part, without what it costs at rest in the same time. A statement
 * that a busy worker sends less often than one at rest counts as none, and takes nothing off the others.
 */
function costOfEach(readings: {
  idleFrom: Map<string, Cost>;
  from: Map<string, Cost>;
  to: Map<string, Cost>;
  /** The time of the deliveries, as a multiple of the rest's. */
  rests: number;
  count: number;
}): Cost {
  const { idleFrom, from, to, rests, count } = readings;
  const of = (name: keyof Cost): number => {
    let sum = 0;
    for (const [id, cost] of to) {
      const before = from.get(id)?.[name] ?? 0;
      const atRest = before - (idleFrom.get(id)?.[name] ?? 0);
      sum += Math.max(0, cost[name] - before - atRest * rests);
    }
    return sum / count;
  };
  return { buffers: of('buffers'), statements: of('statements') };
}
