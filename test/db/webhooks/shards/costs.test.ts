import { beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { readShards, readTail } from '../../../../db/webhooks/shards/tail.ts';
import { addRows, changeRows, databaseNow, findRows, not, rowsOf } from '../../../support/rows.ts';
import { databaseOfThisFile } from '../../database-of-this-file.ts';
import { ALL, anEndpoint, delivered, takeAll, tell } from './a-shard-scene.ts';

const { database, sessionId } = await databaseOfThisFile();
const PENDING = 20_000;
const ENDPOINTS = 200;
/** The most pages that one delivery may touch over all its statements. */
const MAX_BUFFERS = 60;

const Plan = z.object({ 'Shared Hit Blocks': z.int(), 'Shared Read Blocks': z.int() });
const Explained = z.array(z.object({ 'QUERY PLAN': z.array(z.object({ Plan })) }));

/** Counts the pages that the statement touches, with those of its functions. */
async function buffersOf(statement: RawBuilder<unknown>): Promise<number> {
  const rows = await rowsOf(database, sql`explain (analyze, buffers, format json) ${statement}`);
  const plan = Explained.parse(rows)[0]?.['QUERY PLAN'][0]?.Plan;
  return (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
}

/** The cost of a step that was done before, when plans and the catalogue are in memory. */
async function usualBuffersOf(statements: RawBuilder<unknown>[]): Promise<number> {
  const costs: number[] = [];
  for (const statement of statements) costs.push(await buffersOf(statement));
  return Math.min(...costs);
}

const TIMES = 12;

describe(`a delivery beside ${PENDING} pending ones and ${ENDPOINTS} endpoints`, () => {
  let leases: Awaited<ReturnType<typeof takeAll>>;

  beforeAll(async () => {
    leases = await takeAll(database);
    const idle = await anEndpoint(database, { tenantIds: ['t2'] });
    const idles = [idle];
    for (let n = 1; n < ENDPOINTS; n += 1) idles.push(await anEndpoint(database, { tenantIds: ['t2'] }));
    await addRows(database, 'delivery', PENDING, (n) => ({
      endpointId: idle,
      agencyId: 'a1',
      tenantId: 't2',
      eventId: `evt_${n}`,
      eventCreatedAt: databaseNow,
      lane: `cnv_${n % 100}`,
      ready: true,
      nextAttemptAt: databaseNow,
    }));
    await changeRows(database, 'endpoint', { deletedAt: databaseNow }, { id: not(idles) });
    await rowsOf(database, sql`analyze`);
    await anEndpoint(database);
  });

  it('is read, and its outcome written, for few pages', async () => {
    const shards = `{${ALL.join()}}`;
    const { cursor } = await database.read((queries) => readShards(queries, ALL));
    const tail = sql`select * from read_tail(array[${cursor}], array[${shards}], 500, 100)`;
    await tell(database, sessionId, 'cnv_first');
    const reading = await usualBuffersOf(Array.from({ length: TIMES }, () => tail));
    await tell(database, sessionId, ...Array.from({ length: TIMES - 1 }, (_, n) => `cnv_${n}`));
    const { deliveries } = await database.read((queries) =>
      readTail(queries, { from: [{ cursor, shards: ALL }], limit: 500 }),
    );
    expect(deliveries).toHaveLength(TIMES);
    const writing = await usualBuffersOf(
      deliveries.map((made) => {
        const lease = leases.find(({ shard }) => shard === made.shard);
        const results = JSON.stringify([{ ...delivered(made), place: 0, attempts: 0 }]);
        return sql`select write_outcomes(array[${lease?.shard}]::smallint[], array[${lease?.token}]::uuid[],
          ${results}::jsonb, now())`;
      }),
    );
    expect(await findRows(database, 'delivery', { status: 'delivered' })).toHaveLength(TIMES);
    expect(reading).toBeLessThan(20);
    expect(reading + writing).toBeLessThan(MAX_BUFFERS);
  });
});
