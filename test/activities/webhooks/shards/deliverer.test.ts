import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createAttemptSlots } from '../../../../activities/webhooks/attempt-slots.ts';
import type { PostAnswer, PostRequest } from '../../../../activities/egress/post.ts';
import { Deliverer } from '../../../../activities/webhooks/shards/deliverer.ts';
import { Leases } from '../../../../activities/webhooks/shards/leases.ts';
import { Tail } from '../../../../activities/webhooks/shards/tail.ts';
import { shardOf } from '../../../../db/webhooks/shards/shard-of.ts';
import { Clock } from '../../../../db/clock.ts';
import { eventually } from '../../../support/eventually.ts';
import { aSimulatedStore, BOX } from './a-simulated-store.ts';

/** Of the million, so many are in rows of the simulation. */
const PENDING = 20_000;

describe('the deliveries of shards', () => {
  const deliverers: Deliverer[] = [];
  afterEach(() => deliverers.splice(0).forEach((each) => each.stop()));

  function aScene() {
    const world = aSimulatedStore();
    const clock = new Clock();
    const posted: { url: string; eventId: string }[] = [];
    const answers = { post: (_request: PostRequest): Promise<number> => Promise.resolve(204) };
    let nowMs = 0;
    const leases = new Leases(world.store, 'a worker', {
      number: '1',
      connection: () => world,
      nowMs: () => nowMs,
      wallMs: () => 0,
    });
    const post = async (request: PostRequest): Promise<PostAnswer> => {
      posted.push({ url: request.url, eventId: request.headers['webhook-id'] ?? '' });
      const status = await answers.post(request);
      const timings = { durationMs: 1, connectMs: 0, firstByteMs: 1, reused: true };
      return { outcome: 'answered', status, retryAfter: null, location: null, bytes: Buffer.alloc(0), ...timings };
    };
    const failures: string[] = [];
    const database = {
      clock,
      secrets: BOX,
      transaction: () => Promise.reject(new Error('There are no news here.')),
    };
    const deliverer = new Deliverer({
      database,
      egress: { post },
      store: world.store,
      leases,
      slots: createAttemptSlots(),
      failed: (_error, what) => void failures.push(what),
    });
    deliverers.push(deliverer);
    const tail = new Tail({ store: world.store, leases, deliverer, now: () => clock.now() });
    return {
      ...world,
      posted,
      answers,
      clock,
      deliverer,
      tail,
      leases,
      failures,
      pass: (ms: number) => void (nowMs += ms),
      postedTo: (id: string) => posted.filter(({ url }) => url.includes(id)).length,
      async begin(): Promise<void> {
        await leases.keep([]);
        await tail.turn();
      },
      async untilIdle(): Promise<void> {
        while (!deliverer.isIdle) await turn();
      },
    };
  }

  it('go on to the endpoints beside one that hangs, or drips, for as long as it takes', async () => {
    const scene = aScene();
    scene.endpoint('hangs', { concurrency: 3 });
    scene.endpoint('well');
    scene.answers.post = ({ url }) => (url.includes('hangs') ? new Promise(() => undefined) : Promise.resolve(204));
    await scene.begin();
    for (let each = 0; each < 200; each += 1) {
      scene.rows.add('hangs', `lane ${each}`);
      scene.rows.add('well', `lane ${each % 7}`);
    }
    await scene.tail.turn();
    await eventually(() => scene.rows.pending('well').length === 0);
    expect(scene.postedTo('hangs')).toBe(3);
  });

  it.each(['shards', 'behind', 'due'] as const)(
    'are left alone in a shard that was lost while %s were read',
    async (reading) => {
      const scene = aScene();
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
    const scene = aScene();
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

  it('stand still in the lane of an event that cannot be read, and nowhere else', async () => {
    const scene = aScene();
    scene.endpoint('one');
    scene.endpoint('other');
    const poison = scene.rows.add('one', 'poisoned');
    scene.rows.add('one', 'poisoned');
    scene.rows.add('one', 'sound');
    scene.rows.add('other', 'poisoned');
    const { bodies } = scene.store;
    scene.store.bodies = async (events) => {
      const found = await bodies(events);
      found.delete(poison.eventId);
      return found;
    };
    await scene.begin();
    await eventually(() => scene.posted.length === 2);
    await scene.untilIdle();
    expect(scene.posted.map(({ eventId }) => eventId).toSorted()).toEqual(['evt_3', 'evt_4']);
  });

  it('go on although the row of one endpoint cannot be read', async () => {
    const scene = aScene();
    scene.endpoint('sound');
    for (const id of ['odd', 'sound']) scene.rows.add(id, 'a');
    const { endpoints } = scene.store;
    scene.store.endpoints = (ids) =>
      ids.includes('odd') ? Promise.reject(new Error('The row of odd differs.')) : endpoints(ids);
    await scene.begin();
    await eventually(() => scene.rows.pending('sound').length === 0);
    expect(scene.failures).toContain('endpoints could not be read; they are read again');
  });

  it('are not begun while the lease is not sure, and go on when it is again', async () => {
    const scene = aScene();
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

  it('of one lane wait for the record of the one before', async () => {
    const scene = aScene();
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
    const scene = aScene();
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
    const scene = aScene();
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
