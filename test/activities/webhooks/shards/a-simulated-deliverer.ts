import { setImmediate as turn } from 'node:timers/promises';
import { createAttemptSlots } from '../../../../activities/webhooks/attempt-slots.ts';
import type { PostAnswer, PostRequest } from '../../../../adapters/egress/post.ts';
import { Deliverer } from '../../../../activities/webhooks/shards/deliverer.ts';
import { Leases } from '../../../../activities/webhooks/shards/leases.ts';
import { Tail } from '../../../../activities/webhooks/shards/tail.ts';
import { Clock } from '../../../../db/engine/clock.ts';
import { aSimulatedStore, BOX } from './a-simulated-store.ts';

const started: Deliverer[] = [];

/** Stops the deliverers of a test. */
export function stopDeliverers(): void {
  for (const each of started.splice(0)) each.stop();
}

/** A deliverer over rows in memory, whose receivers take everything at once unless a test says otherwise. */
export function aSimulatedDeliverer({ slots = createAttemptSlots() } = {}) {
  const world = aSimulatedStore();
  const clock = new Clock();
  const posted: { url: string; eventId: string }[] = [];
  const answers = { post: (_request: PostRequest): Promise<number> => Promise.resolve(204) };
  let nowMs = 0;
  const leases = new Leases(world.store, 'a worker', {
    number: '1',
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
    slots,
    failed: (_error, what) => void failures.push(what),
  });
  started.push(deliverer);
  const tail = new Tail({ store: world.store, leases, deliverer, now: () => clock.now() });
  return {
    ...world,
    posted,
    answers,
    clock,
    deliverer,
    tail,
    leases,
    slots,
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
