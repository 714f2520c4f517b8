import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { drainSteps } from '../../db/webhooks/delivery.ts';
import type { AttemptRecord, ClaimedDelivery } from '../../db/webhooks/delivery.ts';
import { DatabaseBooks } from '../database-cost.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { fillPending, layGround, openDatabase } from '../webhook-ground.ts';

const PENDING = { few: 1_000, many: 1_000_000 };
const WARM_ROUNDS = 10;
const ROUNDS = 40;
const AT_ONCE = 10;
const LEASES = { deliveryMs: 60_000, drainMs: 60_000 };
const WITHIN = 1.2;

const DELIVERED: Omit<AttemptRecord, 'id'> = {
  class: 'delivered',
  probe: false,
  status: 200,
  durationMs: 1,
  connectMs: null,
  firstByteMs: null,
  reused: true,
  excerpt: null,
  location: null,
  charged: true,
  climbs: false,
  counts: false,
  slows: false,
  over: true,
  nextAttemptAt: null,
  restsUntil: null,
};

/**
 * Counts the pages that PostgreSQL touches for a claim of ten deliveries: with few pending deliveries in otherwise
 * empty tables, with many at the endpoint, and with few at an endpoint beside another one's many.
 */
export async function webhookClaim(machine: Machine): Promise<Result[]> {
  const [alone = NaN] = await claimCosts(machine, [PENDING.few]);
  const [many = NaN, beside = NaN] = await claimCosts(machine, [PENDING.many, PENDING.few]);
  return [
    line('a claim of ten deliveries: 1 M pending against 1 k in the same tables', many, beside),
    line('a claim of ten deliveries: 1 M pending against 1 k in tables with nothing else', many, alone),
  ];
}

/** Measures the cost for each backlog, each at an endpoint of its own in one database. */
async function claimCosts(machine: Machine, backlogs: readonly number[]): Promise<number[]> {
  await machine.newDatabase();
  const books = await DatabaseBooks.open(machine.databaseUrl);
  const database = await openDatabase(machine.databaseUrl, 2);
  const costs: number[] = [];
  try {
    const urls = backlogs.map((_, index) => [`http://127.0.0.1:9/${index}`]);
    const endpoints = (await layGround(database, urls)).map((id, index) => ({ id, pending: backlogs[index] ?? 0 }));
    for (const { id, pending } of endpoints) await fillPending(database, [id], { count: pending });
    await books.query('vacuum analyze');
    for (const { id } of endpoints) costs.push(await claimCost(database, books, id));
    return costs;
  } finally {
    await database.close();
    await books.close();
  }
}

async function claimCost(database: Database, books: DatabaseBooks, endpointId: string): Promise<number> {
  const token = randomUUID();
  let buffers = 0;
  for (let round = -WARM_ROUNDS; round < ROUNDS; round += 1) {
    const before = await stepBuffers(books);
    const claimed = await claim(database, endpointId, token);
    if (round >= 0) buffers += (await stepBuffers(books)) - before;
    await record(database, endpointId, token, claimed);
  }
  return buffers / ROUNDS;
}

/** Reads from PostgreSQL's statistics how many pages the drains' one statement has touched so far. */
async function stepBuffers(books: DatabaseBooks): Promise<number> {
  const [row] = await books.query(`
    select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as buffers from pg_stat_statements
    where query like '%drain_steps(%' and dbid = (select oid from pg_database where datname = current_database())`);
  return Number(row?.['buffers']);
}

async function claim(database: Database, endpointId: string, token: string): Promise<ClaimedDelivery[]> {
  const step = { endpointId, token, results: [], inFlight: 0, room: AT_ONCE, ends: false };
  const [stepped] = await database.statement((tx) => drainSteps(tx, [step], LEASES));
  if (stepped instanceof Error) throw stepped;
  return stepped?.deliveries ?? [];
}

/** Records the claimed deliveries as a drain does, so that the next claim finds the next deliveries of their lanes. */
async function record(
  database: Database,
  endpointId: string,
  token: string,
  claimed: readonly ClaimedDelivery[],
): Promise<void> {
  const results = claimed.map(({ id }) => ({ id, ...DELIVERED }));
  const step = { endpointId, token, results, inFlight: 0, room: 0, ends: false };
  await database.statement((tx) => drainSteps(tx, [step], LEASES));
}

function line(path: string, many: number, few: number): Result {
  const ratio = many / few;
  return {
    path,
    measured: `${round(many)} buffers`,
    baseline: `${round(few)} buffers`,
    ratio,
    aim: `≤ ${WITHIN}`,
    met: ratio <= WITHIN,
  };
}
