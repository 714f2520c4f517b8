import { describe, expect, it } from '@jest/globals';
import { createAttemptSlots, Grant } from '../../../activities/webhooks/attempt-slots.ts';
import { DrainRun } from '../../../activities/webhooks/drain-run.ts';
import type { DrainMeans } from '../../../activities/webhooks/drain-run.ts';
import type { PostAnswer } from '../../../activities/egress/post.ts';
import { Clock } from '../../../db/clock.ts';
import { SecretBox } from '../../../db/secret-box.ts';
import type { ClaimedDelivery, DrainedEndpoint, Step, Stepped } from '../../../db/webhooks/delivery.ts';
import { sealSecret } from '../../../db/webhooks/endpoint-secrets.ts';

const ID = 'wep_run';
const OWNER = 'agency/tenant';
const BOX = new SecretBox('a key of more than thirty-two characters');
const clock = new Clock();

const endpointWith = (more: Partial<DrainedEndpoint> = {}): DrainedEndpoint => ({
  id: ID,
  url: 'http://receiver.test/hook',
  secret: sealSecret(BOX, ID, 'a secret of more than thirty-two characters'),
  oldSecrets: [],
  headers: null,
  timeoutMs: 1_000,
  ladder: null,
  atOnce: 2,
  ahead: 2,
  holdUntil: null,
  ...more,
});
const deliveries = (...ids: string[]): ClaimedDelivery[] =>
  ids.map((id) => ({ id, eventId: `evt_${id}`, body: '{}', attempts: 0, ladderStep: 0, probe: null }));
const found = (more: Partial<Stepped> = {}): Stepped => ({
  changed: null,
  state: 'open',
  held: true,
  nextAt: null,
  endpoint: endpointWith(),
  deliveries: [],
  ...more,
});
const answered = (status: number): PostAnswer => ({
  outcome: 'answered',
  status,
  retryAfter: null,
  location: null,
  bytes: Buffer.alloc(0),
  durationMs: 1,
  connectMs: 0,
  firstByteMs: 1,
  reused: true,
});

/** A run whose steps are answered one after the other, and then with nothing due; posts wait until they are answered. */
function aRun(answers: ((step: Step) => Stepped | Promise<Stepped>)[], { slots = createAttemptSlots() } = {}) {
  const steps: Step[] = [];
  const posts: ((answer: PostAnswer) => void)[] = [];
  const stopping = new AbortController();
  const means: DrainMeans = {
    database: { clock, secrets: BOX, transaction: () => Promise.reject(new Error('No news here.')) },
    egress: { post: () => new Promise((answer) => posts.push(answer)) },
    stopping: stopping.signal,
    steps: async (step) => {
      steps.push(step);
      await Promise.resolve();
      return (await answers.shift()?.(step)) ?? found();
    },
    leases: { note: () => undefined, isSure: () => true, giveBack: () => Promise.resolve() },
    longestHoldMs: 0,
  };
  const run = new DrainRun(means, ID, new Grant(slots, OWNER));
  const end = run.toEnd();
  end.catch(() => undefined);
  return {
    run,
    end,
    steps,
    posts,
    slots,
    stop() {
      stopping.abort();
      run.stop();
    },
    /** Lets everything happen that waits for nobody. */
    settle: () => new Promise((settled) => setImmediate(settled)),
    /** What the steps wrote, in their order. */
    written: () => steps.flatMap(({ results }) => results.map(({ id, class: is }) => `${id} ${is}`)),
  };
}

describe('the run of a drain', () => {
  it('claims, posts as many at a time as the endpoint takes, and the next when one of them is over', async () => {
    const drain = aRun([() => found({ deliveries: deliveries('1', '2', '3') })]);
    await drain.settle();
    expect(drain.posts).toHaveLength(2);
    drain.posts[0]?.(answered(204));
    await drain.settle();
    expect(drain.posts).toHaveLength(3);
    for (const post of drain.posts) post(answered(204));
    expect(await drain.end).toMatchObject({ delivered: 3, failed: 0, rests: false });
    expect(drain.written().toSorted()).toEqual(['1 delivered', '2 delivered', '3 delivered']);
    expect(drain.slots.inUse).toBe(0);
  });

  it('claims again after a wake-up that came while its step was under way', async () => {
    const drain = aRun([
      (): Stepped => {
        drain.run.wake();
        return found();
      },
    ]);
    await drain.end;
    expect(drain.steps).toHaveLength(2);
  });

  it('waits for a slot, is granted one, and gives it back', async () => {
    const slots = createAttemptSlots(4);
    expect(slots.take(OWNER, 1)).toBe(1);
    const drain = aRun([() => found({ deliveries: deliveries('1') })], { slots });
    await drain.settle();
    expect(drain.steps).toEqual([]);
    slots.giveBack(OWNER, 1);
    await drain.settle();
    expect(drain.steps).toMatchObject([{ room: 1 }]);
    drain.posts[0]?.(answered(204));
    expect(await drain.end).toMatchObject({ delivered: 1 });
    expect(slots.inUse).toBe(0);
  });

  it('says that there is something to do where it is stopped while it waits for a slot, and waits no more', async () => {
    const slots = createAttemptSlots(4);
    slots.take(OWNER, 1);
    const drain = aRun([], { slots });
    await drain.settle();
    drain.stop();
    expect(await drain.end).toMatchObject({ nextInMs: 0 });
    slots.giveBack(OWNER, 1);
    expect(slots.inUse).toBe(0);
  });

  it('closes when the process stops: what was claimed ahead goes back, what is posted is recorded', async () => {
    const drain = aRun([() => found({ deliveries: deliveries('1', '2', '3') })]);
    await drain.settle();
    drain.stop();
    await drain.settle();
    expect(drain.written()).toEqual(['3 released']);
    for (const post of drain.posts) post(answered(204));
    expect(await drain.end).toMatchObject({ delivered: 2 });
    expect(drain.posts).toHaveLength(2);
    expect(drain.steps.slice(1).every(({ room }) => room === 0)).toBe(true);
  });

  it('looks at the endpoint without room when somebody has decided, and gives back what was claimed ahead', async () => {
    const drain = aRun([
      () => found({ deliveries: deliveries('1', '2', '3', '4') }),
      () => found({ state: 'closed', endpoint: null }),
      () => found({ state: 'closed', endpoint: null }),
      () => found({ state: 'closed', endpoint: null }),
    ]);
    await drain.settle();
    drain.run.look();
    await drain.settle();
    expect(drain.steps[1]).toMatchObject({ room: 0, results: [], inFlight: 4 });
    expect(drain.written()).toEqual(['3 released', '4 released']);
    for (const post of drain.posts) post(answered(204));
    expect(await drain.end).toMatchObject({ delivered: 2, rests: true });
  });

  it('gives back what was claimed ahead when a failure makes the endpoint rest, and does not claim meanwhile', async () => {
    const holdUntil = new Date(clock.now().getTime() + 60_000);
    const rests = () => found({ endpoint: endpointWith({ ahead: 0, holdUntil }) });
    const drain = aRun([() => found({ deliveries: deliveries('1', '2', '3') }), rests, rests, rests]);
    await drain.settle();
    drain.posts[0]?.(answered(429));
    await drain.settle();
    expect(drain.written()).toEqual(['1 throttled', '3 released']);
    drain.posts[1]?.(answered(204));
    expect(await drain.end).toMatchObject({ delivered: 1, failed: 1, rests: true });
    expect(drain.posts).toHaveLength(2);
    expect(drain.steps.at(-1)).toMatchObject({ room: 0 });
  });

  it('keeps results that could not be written, writes them when the database is back, and ends as failed', async () => {
    const lost = new Error('The connection broke.');
    const drain = aRun([() => found({ deliveries: deliveries('1') }), () => Promise.reject(lost)]);
    await drain.settle();
    drain.posts[0]?.(answered(204));
    await expect(drain.end).rejects.toBe(lost);
    expect(drain.steps.map(({ room }) => room > 0)).toEqual([true, true, false]);
    expect(drain.steps[2]?.results).toEqual(drain.steps[1]?.results);
    expect(drain.slots.inUse).toBe(0);
  });

  it('has nothing to say where another drain has the endpoint', async () => {
    const drain = aRun([() => found({ state: 'taken', held: false, endpoint: null })]);
    expect(await drain.end).toBeNull();
    expect(drain.steps).toHaveLength(1);
  });
});
