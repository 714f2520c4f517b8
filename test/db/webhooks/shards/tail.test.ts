import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { migrate } from '../../../../db/migrate.ts';
import {
  readBodies,
  readDue,
  readLanes,
  readPages,
  readShards,
  readTail,
} from '../../../../db/webhooks/shards/tail.ts';
import type { Tail } from '../../../../db/webhooks/shards/tail.ts';
import { readEndpoints } from '../../../../db/webhooks/shards/shard-endpoint.ts';
import { shardOf } from '../../../../db/webhooks/shards/shard-of.ts';
import { writeOutcomes } from '../../../../db/webhooks/shards/outcomes.ts';
import { newId } from '../../../../db/engine/new-id.ts';
import { addRow, changeRows, databaseNow, rowsOf, urlOf } from '../../../support/rows.ts';
import { SCOPE } from '../../a-database.ts';
import { databaseOfThisFile } from '../../database-of-this-file.ts';
import { ALL, anEndpoint, failed, takeAll, tell } from './a-shard-scene.ts';

const { database, sessionId } = await databaseOfThisFile();
await changeRows(database, 'endpoint', { deletedAt: databaseNow });

const read = (cursor: string, limit = 100, shards = ALL): Promise<Tail> =>
  database.read((queries) => readTail(queries, { from: [{ cursor, shards }], limit }));
const whereNow = async (): Promise<string> => (await database.read((queries) => readShards(queries, ALL))).cursor;
const lanesOf = ({ deliveries }: Tail): string[] => deliveries.map(({ lane }) => lane);

/** A transaction that has told an event and waits. */
async function open(conversation: string): Promise<{ commit: () => Promise<void> }> {
  const told = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const done = database.transaction(async (tx) => {
    await addRow(tx, 'delivery', {
      endpointId,
      agencyId: SCOPE.agencyId,
      tenantId: SCOPE.tenantId,
      eventId: newId('evt'),
      eventCreatedAt: databaseNow,
      lane: conversation,
      ready: true,
      nextAttemptAt: databaseNow,
    });
    told.resolve();
    await goesOn.promise;
  });
  await told.promise;
  return {
    commit: () => {
      goesOn.resolve();
      return done;
    },
  };
}

let endpointId: string;

beforeEach(async () => {
  await changeRows(database, 'endpoint', { deletedAt: databaseNow }, { deletedAt: null });
  endpointId = await anEndpoint(database);
});

describe('the owner of shards', () => {
  it('reads what was committed since its cursor, in the order of places, and nothing twice', async () => {
    const begin = await whereNow();
    await tell(database, sessionId, 'cnv_1', 'cnv_2');
    const first = await read(begin);
    await tell(database, sessionId, 'cnv_3');
    const second = await read(first.cursor);
    expect([first, second, await read(second.cursor)].map(lanesOf)).toEqual([['cnv_1', 'cnv_2'], ['cnv_3'], []]);
    expect(first.deliveries[0]).toMatchObject({
      endpointId,
      shard: shardOf(endpointId),
      attempts: 0,
      outOfOrder: false,
    });
  });

  it('reads what a longer transaction commits later, and what is committed meanwhile only once', async () => {
    const begin = await whereNow();
    const long = await open('cnv_long');
    await tell(database, sessionId, 'cnv_short');
    const meanwhile = await read(begin);
    const again = await read(meanwhile.cursor);
    await long.commit();
    const after = await read(again.cursor);
    expect([meanwhile, again, after].map(lanesOf)).toEqual([['cnv_short'], [], ['cnv_long']]);
  });

  it('reads only its own shards, each from its own cursor', async () => {
    const begin = await whereNow();
    await tell(database, sessionId, 'cnv_1');
    const shard = shardOf(endpointId);
    const others = ALL.filter((each) => each !== shard);
    expect(lanesOf(await read(begin, 100, others))).toEqual([]);
    const late = await whereNow();
    const from = (own: string, other: string) => [
      { cursor: own, shards: [shard] },
      { cursor: other, shards: others },
    ];
    expect(lanesOf(await database.read((queries) => readTail(queries, { from: from(begin, late), limit: 9 })))).toEqual(
      ['cnv_1'],
    );
    expect(lanesOf(await database.read((queries) => readTail(queries, { from: from(late, begin), limit: 9 })))).toEqual(
      [],
    );
  });

  it('is told the endpoints instead of half of what is new when that is more than the limit', async () => {
    const begin = await whereNow();
    await tell(database, sessionId, 'cnv_1', 'cnv_1', 'cnv_1');
    const tail = await read(begin, 2);
    expect(tail).toMatchObject({ deliveries: [], behind: [endpointId] });
    expect(await read(tail.cursor, 2)).toMatchObject({ deliveries: [], behind: [] });
    expect(await read(begin, 3)).toMatchObject({ behind: [], deliveries: [{}, {}, {}] });
  });

  it('reads nothing over and over after a restore on a server that is younger than the dump', async () => {
    await tell(database, sessionId, 'cnv_1');
    const younger = sql`(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000000)::text::xid8`;
    await rowsOf(database, sql`update delivery set txid = ${younger} where endpoint_id = ${endpointId}`);
    await rowsOf(database, sql`update endpoint_health set touched_txid = ${younger}`);
    await rowsOf(database, sql`alter table endpoint disable trigger endpoint_touched`);
    await rowsOf(database, sql`update endpoint set touched_txid = ${younger}`);
    await rowsOf(database, sql`alter table endpoint enable trigger endpoint_touched`);
    expect(await read((await read(await whereNow())).cursor)).toMatchObject({
      deliveries: [{}],
      touched: expect.arrayContaining([endpointId]),
    });
    await migrate(await urlOf(database));
    expect(await read((await read(await whereNow())).cursor)).toMatchObject({ deliveries: [], touched: [] });
    const { endpointIds } = await database.read((queries) => readShards(queries, ALL));
    expect(endpointIds).toEqual([endpointId]);
  });

  it('is told which endpoints somebody has decided about', async () => {
    const begin = await whereNow();
    const other = await anEndpoint(database);
    expect((await read(begin)).touched).toEqual([]);
    await changeRows(database, 'endpoint', { status: 'paused' }, { id: other });
    const told = await read(begin);
    expect(told.touched).toEqual([other]);
    expect((await read(told.cursor)).touched).toEqual([]);
    expect((await read(begin, 9, [shardOf(other) === 0 ? 1 : 0])).touched).toEqual([]);
  });

  it('begins with the endpoints of its shards that have something pending, and reads them page by page', async () => {
    await tell(database, sessionId, 'cnv_1', 'cnv_2', 'cnv_3');
    const idle = await anEndpoint(database);
    const { endpointIds } = await database.read((queries) => readShards(queries, ALL));
    expect(endpointIds).toEqual([endpointId]);
    const page = (after: number) =>
      database.read((queries) =>
        readPages(queries, [
          { endpointId, after, limit: 2 },
          { endpointId: idle, after, limit: 2 },
        ]),
      );
    const first = await page(-1);
    expect(first.map(({ lane }) => lane)).toEqual(['cnv_1', 'cnv_2']);
    expect((await page(first[1]?.place ?? 0)).map(({ lane }) => lane)).toEqual(['cnv_3']);
  });

  it('reads on in a lane', async () => {
    await tell(database, sessionId, 'cnv_1', 'cnv_2', 'cnv_1', 'cnv_1');
    const lane = (after: number) =>
      database.read((queries) => readLanes(queries, [{ endpointId, lane: 'cnv_1', after, limit: 2 }]));
    const [first] = await lane(-1);
    const rest = await lane(first?.place ?? 0);
    expect(rest.map(({ lane: of }) => of)).toEqual(['cnv_1', 'cnv_1']);
    await changeRows(database, 'delivery', { outOfOrder: true }, { id: rest[0]?.id });
    expect(await lane(first?.place ?? 0)).toEqual(rest.slice(1));
  });

  it('reads attempted deliveries by the times at which they come due', async () => {
    const leases = await takeAll(database);
    const begin = await whereNow();
    await tell(database, sessionId, 'cnv_1', 'cnv_2');
    const { deliveries, cursor } = await read(begin);
    const soon = new Date(Date.now() + 60_000);
    const results = deliveries.map((each, place) => failed(each, new Date(soon.getTime() + place * 1_000)));
    await database.statement((tx) => writeOutcomes(tx, { leases, results }));
    // An own outcome is not news.
    expect((await read(cursor)).deliveries).toEqual([]);
    const due = (afterMs: number, untilMs: number) =>
      database.read((queries) =>
        readDue(queries, {
          shards: ALL,
          after: new Date(soon.getTime() + afterMs),
          until: new Date(soon.getTime() + untilMs),
          limit: 9,
        }),
      );
    expect((await due(-1, 0)).map(({ lane, attempts }) => [lane, attempts])).toEqual([['cnv_1', 1]]);
    expect((await due(0, 2_000)).map(({ lane }) => lane)).toEqual(['cnv_2']);
  });

  it('reads all deliveries that come due at the same moment, because the next reading begins after it', async () => {
    const id = await anEndpoint(database);
    await tell(database, sessionId, 'cnv_1', 'cnv_2', 'cnv_3');
    const soon = new Date(Date.now() + 120_000);
    await changeRows(database, 'delivery', { attempts: 1, nextAttemptAt: soon }, { endpointId: id });
    const due = await database.read((queries) =>
      readDue(queries, { shards: [shardOf(id)], after: new Date(soon.getTime() - 1), until: soon, limit: 1 }),
    );
    expect(due.map(({ lane }) => lane).toSorted()).toEqual(['cnv_1', 'cnv_2', 'cnv_3']);
  });

  it('reads each body once, and none of an event that is no longer kept', async () => {
    const begin = await whereNow();
    await anEndpoint(database);
    await tell(database, sessionId, 'cnv_1');
    const { deliveries } = await read(begin);
    expect(deliveries).toHaveLength(2);
    const [event] = deliveries.map(({ eventId, eventCreatedAt }) => ({ id: eventId, createdAt: eventCreatedAt }));
    if (!event) throw new Error('Nothing was read.');
    const bodies = await database.read((queries) => readBodies(queries, [event, { ...event, id: 'evt_gone' }]));
    expect([...bodies.keys()]).toEqual([event.id]);
    expect(JSON.parse(bodies.get(event.id) ?? '')).toMatchObject({ event: 'message' });
  });

  it('reads how endpoints may be attempted, and nothing of a deleted one', async () => {
    const gone = await anEndpoint(database);
    await changeRows(database, 'endpoint', { deletedAt: databaseNow }, { id: gone });
    const found = await database.read((queries) => readEndpoints(queries, [endpointId, gone]));
    expect([...found.keys()]).toEqual([endpointId]);
    expect(found.get(endpointId)).toMatchObject({ isOpen: true, breaker: 'closed', formerUntil: null, owner: 'a1/t1' });
    await changeRows(database, 'endpoint', { status: 'paused' }, { id: endpointId });
    const paused = await database.read((queries) => readEndpoints(queries, [endpointId]));
    expect(paused.get(endpointId)).toMatchObject({ isOpen: false });
  });
});

describe('the shard of an endpoint', () => {
  it('is the same in the database and here', async () => {
    const ids = Array.from({ length: 50 }, () => newId('whe'));
    const found = await rowsOf(
      database,
      sql<{ shard: number }>`select shard_of(id) as shard from unnest(${ids}::text[]) id`,
    );
    expect(found.map(({ shard }) => shard)).toEqual(ids.map(shardOf));
  });
});
