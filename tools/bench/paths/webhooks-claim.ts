import { randomUUID } from 'node:crypto';
import type { Database } from '../../../db/engine/database.ts';
import { keepShards } from '../../../db/webhooks/shards/leases.ts';
import type { ShardLease } from '../../../db/webhooks/shards/leases.ts';
import type { NewDelivery } from '../../../db/webhooks/shards/new-delivery.ts';
import { writeOutcomes } from '../../../db/webhooks/shards/outcomes.ts';
import type { OutcomeRecord } from '../../../db/webhooks/shards/outcomes.ts';
import { readBodies, readPages } from '../../../db/webhooks/shards/tail.ts';
import { SHARDS } from '../../../domain/webhooks/shards/rendezvous.ts';
import { DatabaseBooks } from '../database-cost.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { fillPending, layGround, openDatabase } from '../webhook-ground.ts';

const PENDING = { few: 1_000, many: 1_000_000 };
const WARM_ROUNDS = 10;
const ROUNDS = 40;
const AT_ONCE = 10;
const LEASE_MS = 600_000;
const WITHIN = 1.2;

const DELIVERED: Omit<OutcomeRecord, 'id' | 'endpointId' | 'shard' | 'attempts'> = {
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
 * Counts the pages that PostgreSQL touches for ten deliveries, from reading them to writing what became of them: with few pending deliveries in otherwise
 * empty tables, with many at the endpoint, and with few at an endpoint beside another one's many.
 */
export async function webhookClaim(machine: Machine): Promise<Result[]> {
  const [alone = NaN] = await claimCosts(machine, [PENDING.few]);
  const [many = NaN, beside = NaN] = await claimCosts(machine, [PENDING.many, PENDING.few]);
  return [
    line('ten deliveries: 1 M pending against 1 k in the same tables', many, beside),
    line('ten deliveries: 1 M pending against 1 k in tables with nothing else', many, alone),
  ];
}

/** Measures the cost for each backlog, each at an endpoint of its own in one database. */
async function claimCosts(machine: Machine, backlogs: readonly number[]): Promise<number[]> {
  await machine.newSeries();
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
  const wants = Array.from({ length: SHARDS }, (_, shard) => shard);
  const asked = { workerId: randomUUID(), process: database.wakeups.owner, wants, givesBack: [], leaseMs: LEASE_MS };
  const { held } = await database.statement((tx) => keepShards(tx, asked));
  let buffers = 0;
  for (let round = -WARM_ROUNDS; round < ROUNDS; round += 1) {
    const before = await deliveryBuffers(books);
    await deliver(database, endpointId, held);
    if (round >= 0) buffers += (await deliveryBuffers(books)) - before;
  }
  return buffers / ROUNDS;
}

/** Reads from PostgreSQL's statistics how many pages the statements of a delivery have touched so far. */
async function deliveryBuffers(books: DatabaseBooks): Promise<number> {
  const [row] = await books.query(`
    select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as buffers from pg_stat_statements
    where query ~ '(read_pages|read_bodies|write_outcomes)\\('
      and dbid = (select oid from pg_database where datname = current_database())`);
  return Number(row?.['buffers']);
}

/** Reads the first deliveries of an endpoint with their bodies, and writes that they have arrived. */
async function deliver(database: Database, endpointId: string, leases: readonly ShardLease[]): Promise<void> {
  const page = await database.read((queries) => readPages(queries, [{ endpointId, after: -1, limit: AT_ONCE }]));
  const events = page.map(({ eventId, eventCreatedAt }) => ({ id: eventId, createdAt: eventCreatedAt }));
  await database.read((queries) => readBodies(queries, events));
  await database.statement((tx) => writeOutcomes(tx, { leases, results: page.map(delivered) }));
}

function delivered({ id, endpointId, shard, attempts }: NewDelivery): OutcomeRecord {
  return { id, endpointId, shard, attempts, ...DELIVERED };
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
