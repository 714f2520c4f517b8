import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { keepShards, leaveShards } from '../../../../db/webhooks/shards/leases.ts';
import type { KeptShards, ShardsAsked } from '../../../../db/webhooks/shards/leases.ts';
import { eventually } from '../../../support/eventually.ts';
import { ago, changeRows, earlier, findRows, fromNow } from '../../../support/rows.ts';
import { databaseOfThisFile } from '../../database-of-this-file.ts';
import { ALL } from './a-shard-scene.ts';

const { database } = await databaseOfThisFile();

const keep = (workerId: string, more: Partial<ShardsAsked> = {}): Promise<KeptShards> =>
  database.statement((tx) =>
    keepShards(tx, { workerId, process: database.wakeups.owner, wants: [], givesBack: [], leaseMs: 60_000, ...more }),
  );
const leave = (workerId: string): Promise<void> => database.statement((tx) => leaveShards(tx, workerId));
const shardsOf = ({ held }: KeptShards): number[] => held.map(({ shard }) => shard);
/** As if so much time had passed since the process was last heard of. */
const stall = (workerId: string, seconds: number) =>
  changeRows(database, 'deliveryWorker', { leasedUntil: earlier({ seconds: seconds }) }, { id: workerId });

describe('shards', () => {
  it('are taken by the first process that wants them, and by no other while it lives', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    expect(shardsOf(await keep(first, { wants: [0, 1, 2] }))).toEqual([0, 1, 2]);
    const kept = await keep(second, { wants: [2, 3] });
    expect(shardsOf(kept)).toEqual([3]);
    expect(kept.free).toEqual(ALL.slice(4));
    expect(kept.workers).toEqual([first, second].toSorted());
    await Promise.all([leave(first), leave(second)]);
  });

  it('tell when a renewal is sent, which may wait for a connection before', async () => {
    const first = randomUUID();
    const free = Promise.withResolvers<void>();
    let held = 0;
    const others = Array.from({ length: 10 }, () =>
      database.transaction(async (tx) => {
        await sql`select 1`.execute(tx.sql);
        held += 1;
        await free.promise;
      }),
    );
    await eventually(() => held === 10);
    let isSent = false;
    const asked = { workerId: first, process: database.wakeups.owner, wants: [], givesBack: [], leaseMs: 60_000 };
    const kept = database.statement((tx) => keepShards(tx, asked, () => (isSent = true)));
    await turn();
    expect(isSent).toBe(false);
    free.resolve();
    expect((await kept).workers).toContain(first);
    expect(isSent).toBe(true);
    await Promise.all([...others, leave(first)]);
  });

  it('keep their token while they are kept, and get another from whoever takes them next', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const { held } = await keep(first, { wants: [7] });
    expect((await keep(first, { wants: [7] })).held).toEqual(held);
    const back = await keep(first, { givesBack: [7] });
    expect(back).toMatchObject({ held: [], free: expect.arrayContaining([7]) });
    const taken = await keep(second, { wants: [7] });
    expect(taken.held).toMatchObject([{ shard: 7 }]);
    expect(taken.held[0]?.token).not.toBe(held[0]?.token);
    await Promise.all([leave(first), leave(second)]);
  });

  it('of a process that is no longer heard of are taken, and it is told so when it wakes up', async () => {
    const [stalled, next] = [randomUUID(), randomUUID()];
    await keep(stalled, { wants: [1, 2] });
    await stall(stalled, 61);
    const kept = await keep(next, { wants: [2] });
    expect(shardsOf(kept)).toEqual([2]);
    expect(kept.workers).toEqual([next]);
    expect(kept.free).toContain(1);
    // Nobody has taken the other one, so it is still its own.
    expect(shardsOf(await keep(stalled, { wants: [1, 2] }))).toEqual([1]);
    // Nor does it give back what is not its own.
    await keep(stalled, { givesBack: [1, 2] });
    expect(shardsOf(await keep(next))).toEqual([2]);
    await Promise.all([leave(stalled), leave(next)]);
  });

  it('go to one process each, however many want them at once', async () => {
    const workers = Array.from({ length: 6 }, () => randomUUID());
    const kept = await Promise.all(workers.map((workerId) => keep(workerId, { wants: ALL })));
    expect(kept.flatMap(shardsOf).toSorted((a, b) => a - b)).toEqual(ALL);
    const now = await Promise.all(workers.map((workerId) => keep(workerId)));
    expect(now.map(shardsOf)).toEqual(kept.map(shardsOf));
    await Promise.all(workers.map(leave));
  });

  it('are free at once when a process ends in order, and the others are woken', async () => {
    const [ending, other] = [randomUUID(), randomUUID()];
    await keep(ending, { wants: ALL });
    const woken = database.wakeups.wait('shards', '', 5_000);
    await leave(ending);
    await woken;
    expect(await keep(other)).toMatchObject({ free: ALL, workers: [other] });
    await leave(other);
  });

  it('of processes that died long ago leave no rows behind', async () => {
    const [dead, other] = [randomUUID(), randomUUID()];
    await keep(dead, { wants: [1] });
    await stall(dead, 200);
    await keep(other);
    expect(await findRows(database, 'deliveryWorker', {}, ['id'])).toEqual([{ id: other }]);
    expect((await keep(other)).free).toEqual(ALL);
    await leave(other);
  });

  it('of a process that is gone are taken before its lease is over, and not of one that runs', async () => {
    const [gone, runs, next] = [randomUUID(), randomUUID(), randomUUID()];
    await keep(gone, { process: '4711', wants: [1] });
    await keep(runs, { wants: [2] });
    const other = { process: '4712', wants: [1, 2] };
    // Just heard of, however long the machine takes until the next statement.
    await changeRows(database, 'deliveryWorker', { renewedAt: fromNow({ hours: 1 }) });
    expect(shardsOf(await keep(next, other))).toEqual([]);
    await changeRows(database, 'deliveryWorker', { renewedAt: ago({ seconds: 2 }) });
    const kept = await keep(next, other);
    expect(shardsOf(kept)).toEqual([1]);
    expect(kept.workers).toEqual([runs, next].toSorted());
    await Promise.all([gone, runs, next].map(leave));
  });
});
