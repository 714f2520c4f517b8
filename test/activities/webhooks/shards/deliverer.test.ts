import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { shardOf } from '../../../../db/webhooks/shards/shard-of.ts';
import { eventually } from '../../../support/eventually.ts';
import { aSimulatedDeliverer, stopDeliverers } from './a-simulated-deliverer.ts';

/** The part of the million that is in rows of the simulation. */
const PENDING = 20_000;
/** More endpoints than the stack has frames for. */
const MANY = 5_000;

describe('the deliveries of shards', () => {
  afterEach(stopDeliverers);

  it('go on to the endpoints beside one that hangs, or drips, for as long as it takes', async () => {
    const scene = aSimulatedDeliverer();
    scene.endpoint('hangs', { concurrency: 3 });
    scene.endpoint('well');
    scene.answers.post = ({ url }) => (url.includes('hangs') ? new Promise(() => undefined) : Promise.resolve(204));
    await scene.begin();
    for (let each = 0; each < 200; each += 1) {
      scene.rows.add('hangs', `lane ${each}`);
      scene.rows.add('well', `lane ${each % 7}`);
    }
    await scene.tail.turn();
    await eventually(() => scene.rows.pending('well').length === 0 && scene.postedTo('hangs') >= 3);
    expect(scene.postedTo('hangs')).toBe(3);
  });

  it('to a host that takes none are a bounded number, however many endpoints an agency has there', async () => {
    const scene = aSimulatedDeliverer();
    for (let each = 0; each < 300; each += 1) {
      scene.endpoint(`stranger-${each}`, { url: `http://one.test/stranger-${each}` });
    }
    scene.endpoint('well', { url: 'http://one.test/well' });
    scene.answers.post = ({ url }) => Promise.resolve(url.includes('stranger') ? 404 : 204);
    await scene.begin();
    for (let each = 0; each < 300; each += 1) scene.rows.add(`stranger-${each}`, 'lane');
    await scene.tail.turn();
    await scene.untilIdle();
    expect(scene.postedTo('stranger')).toBe(100);
    scene.rows.add('well', 'lane');
    await scene.tail.turn();
    await eventually(() => scene.postedTo('stranger') > 100);
  });

  it.each(['shards', 'behind', 'due'] as const)(
    'are left alone in a shard that was lost while %s were read',
    async (reading) => {
      const scene = aSimulatedDeliverer();
      const id = scene.endpoint('lost');
      if (reading !== 'shards') await scene.begin();
      else await scene.leases.keep([]);
      const row = { ...scene.rows.add(id, 'lane'), shard: shardOf(id) };
      const read = Promise.withResolvers<void>();
      const { shards, tail } = scene.store;
      if (reading === 'shards') scene.store.shards = (asked) => read.promise.then(() => shards(asked));
      else {
        scene.store.tail = async (asked) => {
          const found = await tail(asked);
          if (reading === 'behind') await read.promise;
          return { ...found, deliveries: [], behind: reading === 'behind' ? [id] : [] };
        };
      }
      if (reading === 'due') {
        scene.deliverer.sieved = () => [shardOf(id)];
        scene.clock.advance(1_000);
        scene.store.due = () => read.promise.then(() => [row]);
      }
      const isTurned = scene.tail.turn();
      await turn();
      scene.store.keep = () => Promise.resolve({ held: [], workers: ['a worker', 'another'], free: [] });
      const { lost } = await scene.leases.keep([]);
      scene.tail.forget(lost);
      scene.deliverer.forget(lost);
      read.resolve();
      await isTurned;
      await scene.untilIdle();
      expect(scene.posted).toEqual([]);
    },
  );

  it('take a bounded part of the memory, however many are pending', async () => {
    const scene = aSimulatedDeliverer();
    scene.endpoint('much');
    for (let each = 0; each < PENDING; each += 1) scene.rows.add('much', `lane ${each % 500}`);
    let most = 0;
    scene.answers.post = async () => {
      most = Math.max(most, scene.deliverer.inMemory);
      await turn();
      return 204;
    };
    await scene.begin();
    await eventually(() => scene.postedTo('much') > 5_000);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2_000);
    // New ones do not add to it.
    for (let each = 0; each < 1_000; each += 1) scene.rows.add('much', `new lane ${each}`);
    await scene.tail.turn();
    expect(scene.deliverer.inMemory).toBeLessThanOrEqual(2_000);
  });

  it('are posted with bodies that came with them, which are not read again', async () => {
    const scene = aSimulatedDeliverer();
    scene.endpoint('one');
    await scene.begin();
    scene.store.bodies = () => Promise.reject(new Error('They are not asked for.'));
    const { tail } = scene.store;
    const { eventId } = scene.rows.add('one', 'a');
    scene.store.tail = async (asked) => ({ ...(await tail(asked)), bodies: new Map([[eventId, '{}']]) });
    await scene.tail.turn();
    await eventually(() => scene.rows.pending('one').length === 0);
  });

  it('are posted as they are by then, when their events were blanked after a first attempt', async () => {
    const scene = aSimulatedDeliverer();
    scene.endpoint('one');
    await scene.begin();
    const bodies: string[] = [];
    scene.answers.post = ({ body }) => {
      bodies.push(body.toString());
      return Promise.resolve(500);
    };
    const { tail } = scene.store;
    const { eventId } = scene.rows.add('one', 'a');
    scene.store.tail = async (asked) => ({ ...(await tail(asked)), bodies: new Map([[eventId, '{"words":1}']]) });
    scene.store.bodies = () => Promise.resolve(new Map([[eventId, '{"erased":true}']]));
    await scene.tail.turn();
    await eventually(() => bodies.length === 1);
    await eventually(() => {
      scene.clock.advance(3_600_000);
      return bodies.length > 1;
    });
    expect(bodies.slice(0, 2)).toEqual(['{"words":1}', '{"erased":true}']);
  });

  it('are read again after a decision only where some of them were withdrawn', async () => {
    const scene = aSimulatedDeliverer();
    const id = scene.endpoint('one', { concurrency: 1 });
    const readings = { pages: 0, endpoints: 0 };
    const { pages, endpoints } = scene.store;
    scene.store.pages = (asked) => pages(asked.map((each) => ({ ...each, seen: (readings.pages += 1) })));
    scene.store.endpoints = (asked) => endpoints(asked).finally(() => (readings.endpoints += 1));
    scene.answers.post = () => new Promise(() => undefined);
    for (let each = 0; each < 100; each += 1) scene.rows.add(id, `lane ${each}`);
    await scene.begin();
    await eventually(() => scene.posted.length === 1);
    const { pages: pagesBefore, endpoints: endpointsBefore } = readings;
    for (let each = 1; each <= 5; each += 1) {
      scene.deliverer.touch([id]);
      await eventually(() => readings.endpoints === endpointsBefore + each);
    }
    expect(readings.pages).toBe(pagesBefore);
    scene.endpoint('one', { concurrency: 1, withdrawn: '7' });
    scene.deliverer.touch([id]);
    await eventually(() => readings.pages === pagesBefore + 1);
  });

  it('are not begun while the lease is not sure, and go on when it is again', async () => {
    const scene = aSimulatedDeliverer();
    scene.endpoint('one');
    await scene.begin();
    scene.pass(60_000);
    scene.rows.add('one', 'a');
    await scene.tail.turn();
    await scene.untilIdle();
    expect(scene.posted).toEqual([]);
    await scene.leases.keep([]);
    scene.deliverer.pumpAll();
    await eventually(() => scene.rows.pending('one').length === 0);
  });

  it('go on after a doubt about the lease, however many endpoints wait for a slot', async () => {
    const scene = aSimulatedDeliverer();
    const ids = Array.from({ length: MANY }, (_, each) => `endpoint${each}.`);
    const under = Promise.withResolvers<number>();
    scene.answers.post = () => under.promise;
    for (const id of ids) {
      scene.endpoint(id, { owner: `agency/${id}` });
      scene.rows.add(id, 'lane');
    }
    await scene.begin();
    await eventually(() => scene.slots.inUse === 250 && scene.posted.length === 250);
    // One slot that comes back is offered to all who wait, and nobody may use it.
    scene.pass(60_000);
    under.resolve(204);
    await scene.untilIdle();
    expect(scene.slots.inUse).toBe(0);
    expect(scene.posted).toHaveLength(250);
    await scene.leases.keep([]);
    scene.deliverer.goOn();
    await scene.untilIdle();
    expect(new Set(scene.posted.map(({ url }) => url)).size).toBe(MANY);
    expect(scene.posted).toHaveLength(MANY);
  });

  it('of one lane wait for the record of the one before', async () => {
    const scene = aSimulatedDeliverer();
    scene.endpoint('one');
    const { write } = scene.store;
    const gate = Promise.withResolvers<void>();
    scene.store.write = async (asked) => {
      await gate.promise;
      return write(asked);
    };
    await scene.begin();
    for (const lane of ['a', 'a', 'b']) scene.rows.add('one', lane);
    await scene.tail.turn();
    await eventually(() => scene.posted.length === 2);
    await turn();
    expect(scene.posted.map(({ eventId }) => eventId).toSorted()).toEqual(['evt_1', 'evt_3']);
    gate.resolve();
    await eventually(() => scene.posted.length === 3);
  });

  it('wait for the record of a failure before the endpoint gets more', async () => {
    const scene = aSimulatedDeliverer();
    scene.endpoint('one', { concurrency: 1 });
    const gate = Promise.withResolvers<void>();
    const { write } = scene.store;
    scene.store.write = async (asked) => {
      await gate.promise;
      return write(asked);
    };
    scene.answers.post = () => Promise.resolve(500);
    await scene.begin();
    for (const lane of ['a', 'b']) scene.rows.add('one', lane);
    await scene.tail.turn();
    await eventually(() => scene.posted.length === 1);
    for (let each = 0; each < 10; each += 1) await turn();
    expect(scene.posted).toHaveLength(1);
    gate.resolve();
    await eventually(() => scene.posted.length === 2);
  });

  it('are read again where their outcome is refused', async () => {
    const scene = aSimulatedDeliverer();
    scene.endpoint('one');
    const { write } = scene.store;
    let refusals = 1;
    scene.store.write = (asked) => {
      refusals -= 1;
      if (refusals < 0) return write(asked);
      return Promise.resolve({ refused: asked.results.map(({ id }) => id), noted: [] });
    };
    await scene.begin();
    const row = scene.rows.add('one', 'a');
    // Another process has counted an attempt.
    row.attempts = 1;
    await scene.tail.turn();
    row.attempts = 2;
    await eventually(() => row.status === 'delivered');
    expect(scene.posted).toHaveLength(2);
  });
});
