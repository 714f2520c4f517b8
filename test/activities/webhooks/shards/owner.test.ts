import { afterEach, describe, expect, it } from '@jest/globals';
import { createWebhookActivities } from '../../../../activities/webhooks/webhooks.ts';
import { ShardOwner } from '../../../../activities/webhooks/shards/owner.ts';
import type { Database } from '../../../../db/engine/database.ts';
import { endpointProgress } from '../../../../db/webhooks/endpoint-progress.ts';
import { changeEndpointStatus } from '../../../../db/webhooks/endpoint-state.ts';
import { shardOf } from '../../../../db/webhooks/shards/shard-of.ts';
import { databaseOfThisFile } from '../../../db/database-of-this-file.ts';
import { eventually } from '../../../support/eventually.ts';
import { addRow, changeRows, databaseNow, deleteRows, findRows } from '../../../support/rows.ts';
import { anEndpoint, deliveriesOf, receivers, tellMessage } from '../a-drained-endpoint.ts';
import type { Receivers } from '../a-drained-endpoint.ts';

const BY = { actor: 'a test', reason: null, keyId: null };

const { database, sessionId } = await databaseOfThisFile();

describe('the owners of shards', () => {
  const running: { stop: () => Promise<void> }[] = [];

  afterEach(async () => {
    await Promise.all(running.splice(0).map((owner) => owner.stop()));
    await changeRows(database, 'endpoint', { deletedAt: databaseNow });
    // One that was abandoned would count as a worker until its lease is over, and the next would leave it its part.
    await changeRows(database, 'deliveryShard', { owner: null, token: null });
    await deleteRows(database, 'deliveryWorker');
  });

  function anOwner(world: Receivers) {
    const owner = new ShardOwner({ database, egress: { post: world.post } }, { warn: () => undefined }).start();
    running.push(owner);
    return owner;
  }

  const ownersOf = async (endpointIds?: string[]) => {
    const shards = endpointIds ? { shard: endpointIds.map(shardOf) } : {};
    const rows = await findRows(database, 'deliveryShard', shards, ['owner']);
    return [...new Set(rows.map(({ owner }) => owner))];
  };

  const ownerOfAll = async (): Promise<string | null> => {
    const owners = await ownersOf();
    return owners.length === 1 ? (owners[0] ?? null) : null;
  };

  it('an endpoint that hangs takes nothing from the others, nor from itself more than it may', async () => {
    await anEndpoint(database, { url: 'http://hangs.test/', concurrency: 3, ordering: 'parallel' });
    for (let index = 0; index < 3; index += 1) await anEndpoint(database, { url: `http://well-${index}.test/` });
    const world = receivers();
    const { post } = world;
    const hanging = Promise.withResolvers<void>();
    world.post = async (request) => {
      if (request.url.includes('hangs')) await hanging.promise;
      return post(request);
    };
    anOwner(world);
    for (let index = 0; index < 12; index += 1)
      await tellMessage(database, sessionId, `lane-${index}`, `text ${index}`);
    const taken = (name: string) => world.taken.filter(({ url }) => url.includes(name)).length;
    await eventually(() => taken('well') === 36);
    expect(taken('hangs')).toBe(0);
    hanging.resolve();
    await eventually(() => taken('hangs') === 12);

    // One after the other: none waits for the poll.
    for (let index = 0; index < 5; index += 1) {
      await tellMessage(database, sessionId, 'again', `again ${index}`);
      await eventually(() => taken('well') === 36 + 3 * (index + 1), { withinMs: 5_000 });
    }
  });

  it('deliver what waited while nobody was there, and what nobody has hinted at', async () => {
    const id = await anEndpoint(database);
    await tellMessage(database, sessionId, 'a', 'waited');
    const world = receivers();
    anOwner(world);
    await eventually(() => world.textsTaken().includes('waited'));
    // A transaction whose wake-up is lost.
    const columns = ['endpointId', 'agencyId', 'tenantId', 'eventId', 'eventCreatedAt'] as const;
    const [delivery] = await findRows(database, 'delivery', { endpointId: id }, columns);
    if (!delivery) throw new Error('Nothing was to be delivered.');
    await addRow(database, 'delivery', {
      ...delivery,
      lane: 'another lane',
      nextAttemptAt: databaseNow,
      ready: true,
    });
    await eventually(() => world.taken.length === 2, { withinMs: 5_000 });
  });

  it('drainEndpoint: are hinted at the shard of the endpoint, and it says how the deliveries go', async () => {
    const id = await anEndpoint(database);
    const hints: string[] = [];
    const off = database.wakeups.on('delivery', (key) => void hints.push(key));
    const { drainEndpoint } = createWebhookActivities({ database });
    expect(await drainEndpoint({ endpointId: id })).toMatchObject({ status: 'active', pending: 0 });
    expect(hints).toEqual([String(shardOf(id))]);
    off();
  });

  it('share the shards when one comes, and hand them over without a repetition when it goes', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 8; index += 1) ids.push(await anEndpoint(database));
    const [first, second] = [receivers(), receivers()];
    anOwner(first);
    await eventually(async () => (await ownersOf(ids)).every((owner) => owner !== null));
    const other = anOwner(second);
    await eventually(async () => (await ownersOf(ids)).length === 2, { what: 'two owners' });
    const tell = async (from: number): Promise<void> => {
      for (let index = from; index < from + 10; index += 1)
        await tellMessage(database, sessionId, 'a', `text ${index}`);
    };
    await tell(0);
    await eventually(() => first.taken.length + second.taken.length === 80);
    expect(Math.min(first.taken.length, second.taken.length)).toBeGreaterThan(0);
    const telling = tell(10);
    await other.stop();
    await telling;
    await eventually(() => first.taken.length + second.taken.length >= 160);
    const taken = [...first.taken, ...second.taken].map(({ url, eventId }) => `${url} ${eventId}`);
    expect(new Set(taken).size).toBe(taken.length);
  });

  it('take the shards of one that has died, and post again only what it had on its way', async () => {
    const id = await anEndpoint(database, { concurrency: 4 });
    const dying = receivers();
    const { post } = dying;
    dying.post = (message) => {
      void post(message);
      return new Promise(() => undefined);
    };
    const owner = anOwner(dying);
    for (let lane = 0; lane < 6; lane += 1) await tellMessage(database, sessionId, `lane ${lane}`, `text ${lane}`);
    await eventually(() => dying.posted.length === 4);
    owner.abandon();
    running.splice(0);
    const world = receivers();
    anOwner(world);
    await eventually(() => world.taken.length === 6, { withinMs: 15_000 });
    await eventually(async () => (await deliveriesOf(database, id)).every(({ status }) => status === 'delivered'));
    expect(dying.posted).toHaveLength(4);
  });

  it.each<[string, Database['read']]>([
    ['never end', () => new Promise(() => undefined)],
    ['fail each time', () => Promise.reject(new Error('This cannot be read.'))],
  ])('lose their shards where they live and their readings %s', async (_how, read) => {
    const id = await anEndpoint(database);
    const { clock, secrets, wakeups } = database;
    const stuckDatabase = {
      clock,
      secrets,
      wakeups,
      transaction: database.transaction.bind(database),
      statement: database.statement.bind(database),
      read,
    };
    const egress = { post: receivers().post };
    const warn = (): void => undefined;
    const stuck = new ShardOwner({ database: stuckDatabase, egress, stuckAfterMs: 1_000 }, { warn }).start();
    // All of them: where it has a part, another owner may come by the endpoint without taking it away.
    const first = await eventually(ownerOfAll, { what: 'the owner of all shards' });
    const world = receivers();
    anOwner(world);
    await tellMessage(database, sessionId, 'a', 'waits');
    const what = 'another owner of all shards';
    await eventually(
      async () => {
        // Each hint begins a reading, so none of them alone takes as long as it takes to count as stuck.
        database.wakeups.wake('endpoint', id);
        return ![null, first].includes(await ownerOfAll());
      },
      { what },
    );
    // The dashboard of the agency has an endpoint, too, whose shard may be another one.
    await eventually(async () => (await deliveriesOf(database, id)).every(({ status }) => status === 'delivered'));
    expect(world.textsTaken()).toContain('waits');
    stuck.abandon();
  });

  it('post nothing more to an endpoint that is paused, also of what they had in memory', async () => {
    const id = await anEndpoint(database, { concurrency: 1 });
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const world = receivers();
    const { post } = world;
    world.post = async (message) => {
      const posted = await post(message);
      await answered;
      return posted;
    };
    anOwner(world);
    for (const lane of ['a', 'b', 'c']) await tellMessage(database, sessionId, lane, lane);
    await eventually(() => world.posted.length === 1);
    await database.transaction((tx) => changeEndpointStatus(tx, id, 'paused', BY));
    await eventually(async () => {
      const progress = await database.read((queries) => endpointProgress(queries, id));
      return progress.status === 'paused';
    });
    // The owner reads what is new in the order in which it is committed.
    const other = await anEndpoint(database);
    await tellMessage(database, sessionId, 'd', 'd');
    await eventually(() => world.posted.some(({ text, url }) => text === 'd' && !url.includes(id)));
    answer();
    await eventually(async () => (await deliveriesOf(database, id)).some(({ status }) => status === 'delivered'));
    await eventually(async () => (await deliveriesOf(database, other)).every(({ status }) => status === 'delivered'));
    const left = (await deliveriesOf(database, id)).filter(({ status }) => status === 'pending');
    expect(left.map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
  });

  it.each([
    [
      'pauses',
      (status: 'active' | 'off') => changeRows(database, 'endpoint', { status: status === 'off' ? 'paused' : status }),
    ],
    [
      'suspends the agency of',
      (status: 'active' | 'off') => changeRows(database, 'agency', { status: status === 'off' ? 'suspended' : status }),
    ],
  ])('hear within the poll when somebody %s an endpoint, without a hint', async (_what, decide) => {
    const id = await anEndpoint(database);
    const world = receivers();
    anOwner(world);
    await tellMessage(database, sessionId, 'a', 'before');
    await eventually(() => world.taken.length === 1);
    await decide('off');
    await eventually(
      async () => {
        const { length } = world.posted;
        await tellMessage(database, sessionId, 'a', `after ${length}`);
        await new Promise((resolve) => setTimeout(resolve, 200));
        return world.posted.length === length;
      },
      { withinMs: 5_000 },
    );
    await decide('active');
    await eventually(async () => (await deliveriesOf(database, id)).every(({ status }) => status === 'delivered'));
  });
});
