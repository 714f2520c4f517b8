import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createAttemptSlots } from '../../../../activities/webhooks/attempt-slots.ts';
import { Deliverer } from '../../../../activities/webhooks/shards/deliverer.ts';
import { Leases, leasingProcess } from '../../../../activities/webhooks/shards/leases.ts';
import { createShardStore } from '../../../../activities/webhooks/shards/store.ts';
import type { ShardStore } from '../../../../activities/webhooks/shards/store.ts';
import { Tail } from '../../../../activities/webhooks/shards/tail.ts';
import { databaseOfThisFile } from '../../../db/database-of-this-file.ts';
import { ago, changeRows, databaseNow, deleteRows } from '../../../support/rows.ts';
import { anEndpoint, deliveriesOf, receivers, tellMessage } from '../a-drained-endpoint.ts';
import type { Posted, Receivers } from '../a-drained-endpoint.ts';

/** Longer than a lease. */
const STALL_MS = 60_000;
const LANES = ['a', 'b', 'c'];
/** More than the statements of a worker that delivers these events. */
const MAX_STATEMENTS = 40;

const { database, sessionId } = await databaseOfThisFile();

describe('a worker that stalls', () => {
  afterEach(async () => {
    await changeRows(database, 'endpoint', { deletedAt: databaseNow });
    await changeRows(database, 'deliveryShard', { owner: null, token: null });
    await deleteRows(database, 'deliveryWorker');
  });

  /** A worker over the database; `before` and `after` are called around each of its statements. */
  function aWorker(world: Receivers, around: { before?: () => Promise<void>; after?: () => Promise<void> } = {}) {
    let stalledMs = 0;
    const store = aroundEach(createShardStore(database), around);
    const leases = new Leases(store, randomUUID(), {
      ...leasingProcess(database),
      nowMs: () => performance.now() + stalledMs,
    });
    const means = { database, egress: { post: world.post }, store, leases, slots: createAttemptSlots() };
    const deliverer = new Deliverer({ ...means, failed: () => undefined });
    const tail = new Tail({ store, leases, deliverer, now: () => database.clock.now() });
    const round = async (): Promise<void> => {
      const { lost } = await leases.keep([]);
      tail.forget(lost);
      deliverer.forget(lost);
      await tail.turn();
      deliverer.pumpAll();
      while (!deliverer.isIdle) await turn();
    };
    return {
      stall: () => void (stalledMs += STALL_MS),
      /** Delivers until nothing is left for it. */
      async deliver(): Promise<void> {
        for (let each = 0; each < 4; each += 1) await round();
        deliverer.stop();
      },
    };
  }

  async function someEvents(): Promise<string> {
    await changeRows(database, 'endpoint', { deletedAt: databaseNow });
    const id = await anEndpoint(database, { concurrency: 2 });
    for (const each of [1, 2]) for (const lane of LANES) await tellMessage(database, sessionId, lane, `${lane}${each}`);
    return id;
  }

  /** Stalls a worker at its `at`th statement, while another worker takes its shards and delivers everything. */
  async function stallAt(at: number, where: 'before' | 'after'): Promise<{ hasStalled: boolean; faults: string[] }> {
    const id = await someEvents();
    const [mine, others] = [receivers(), receivers()];
    const all: Posted[] = [];
    for (const world of [mine, others]) {
      const { post } = world;
      world.post = async (request) => {
        const answer = await post(request);
        const last = world.posted.find(({ eventId }) => eventId === request.headers['webhook-id']);
        if (last) all.push(last);
        return answer;
      };
    }
    let statements = 0;
    let inFlight: string[] = [];
    let hasStalled = false;
    const stall = async (): Promise<void> => {
      statements += 1;
      if (statements !== at) return;
      hasStalled = true;
      worker.stall();
      inFlight = mine.posted.map(({ eventId }) => eventId);
      await changeRows(database, 'deliveryWorker', { leasedUntil: ago({ seconds: 1 }) });
      await aWorker(others).deliver();
    };
    const worker = aWorker(mine, { [where]: stall });
    await worker.deliver();
    const faults: string[] = [];
    const rows = await deliveriesOf(database, id);
    for (const { text, status } of rows) if (status !== 'delivered') faults.push(`${text} is ${status}`);
    const first = new Map(all.toReversed().map((posted) => [posted.eventId, posted.text]));
    for (const lane of LANES) {
      const texts = [...new Set(all.map(({ text }) => text))].filter((text) => text.startsWith(lane));
      if (texts.join() !== `${lane}1,${lane}2`) faults.push(`${lane} arrived as ${texts.join()}`);
    }
    const repeated = all.length - first.size;
    const mayRepeat = new Set(inFlight).size;
    if (repeated > mayRepeat) faults.push(`${repeated} were repeated, ${mayRepeat} had been posted before the stall`);
    return { hasStalled, faults };
  }

  it.each(['before', 'after'] as const)(
    'repeats at most what it had posted, and breaks no order, whichever statement it stalls %s',
    async (where) => {
      let at = 1;
      for (; at <= MAX_STATEMENTS; at += 1) {
        const { hasStalled, faults } = await stallAt(at, where);
        expect({ at, faults }).toEqual({ at, faults: [] });
        if (!hasStalled) break;
        await deleteRows(database, 'deliveryWorker');
      }
      // Registering, the shards, the tail, endpoints, bodies and outcomes at least.
      expect(at).toBeGreaterThan(7);
      expect(at).toBeLessThan(MAX_STATEMENTS);
    },
  );
});

function aroundEach(
  store: ShardStore,
  { before, after }: { before?: () => Promise<void>; after?: () => Promise<void> },
): ShardStore {
  const around =
    <A extends unknown[], R>(statement: (...asked: A) => Promise<R>) =>
    async (...asked: A): Promise<R> => {
      await before?.();
      const answer = await statement(...asked);
      await after?.();
      return answer;
    };
  return {
    keep: around(store.keep),
    leave: around(store.leave),
    tail: around(store.tail),
    shards: around(store.shards),
    pages: around(store.pages),
    lanes: around(store.lanes),
    due: around(store.due),
    endpoints: around(store.endpoints),
    bodies: around(store.bodies),
    traces: around(store.traces),
    write: around(store.write),
  };
}
