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
 * Pages that PostgreSQL touches for a claim of ten, with few and with many deliveries pending at the endpoint: few in
 * tables that hold nothing else, then many, and few at another endpoint beside the many.
 */
export async function webhookClaim(machine: Machine): Promise<Result[]> {
  const [alone = NaN] = await claimCosts(machine, [PENDING.few]);
  const [many = NaN, beside = NaN] = await claimCosts(machine, [PENDING.many, PENDING.few]);
  return [
    line('a claim of ten deliveries: 1 M pending against 1 k in the same tables', many, beside),
    line('a claim of ten deliveries: 1 M pending against 1 k in tables with nothing else', many, alone),
  ];
}

/** For each backlog, at an endpoint of its own of one database. */
async function claimCosts(machine: Machine, backlogs: readonly number[]): Promise<number[]> {
  await machine.newDatabase();
  const books = await DatabaseBooks.open(machine.databaseUrl);
  const database = await openDatabase(machine.databaseUrl, 2);
  const costs: number[] = [];
  try {
    const urls = backlogs.map((_, index) => [`http://127.0.0.1:9/${index}`]);
    const endpoints = (await layGround(database, urls)).map((id, index) => ({ id, pending: backlogs[index] ?? 0 }));
    for (const { id, pending } of endpoints) await fillPending(database, [id], pending);
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

/** By PostgreSQL's own books: what the drains' one statement has touched so far. */
async function stepBuffers(books: DatabaseBooks): Promise<number> {
  const [row] = await books.query(`
    select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as buffers from pg_stat_statements
    where query like '%drain_steps(%' and dbid = (select oid from pg_database where datname = current_database())`);
  return Number(row?.['buffers']);
}

async function claim(database: Database, endpointId: string, token: string): Promise<ClaimedDelivery[]> {
  const step = { endpointId, token, results: [], inFlight: 0, room: AT_ONCE, ends: false };
  const [stepped] = await database.statement((tx) => drainSteps(tx, [step], LEASES));
  return stepped?.deliveries ?? [];
}

/** As a drain does: what was claimed is over before it is claimed again, and the next of its lane is ready. */
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
