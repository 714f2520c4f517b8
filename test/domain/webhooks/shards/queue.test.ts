import { describe, expect, it } from '@jest/globals';
import { Ended } from '../../../../domain/webhooks/shards/ended.ts';
import { EndpointQueue } from '../../../../domain/webhooks/shards/queue.ts';
import type { Taken } from '../../../../domain/webhooks/shards/pending.ts';
import { seeded } from '../../../db/seeded.ts';
import { QueueSchedule } from './queue-schedule.ts';
import { SimulatedRows } from './simulated-rows.ts';
import { howMany } from '../../../support/depth.ts';

const ID = 'whe_1';
const SCHEDULES = howMany({ few: 200, all: 5_000 });

const aQueue = (window = 1_000) => new EndpointQueue(window, new Ended());
const ids = (taken: (Taken | null)[]) => taken.map((each) => each?.delivery.id ?? null);

describe("an endpoint's queue", () => {
  it('lets one delivery of a lane go at a time, in the order of their places', () => {
    const [rows, queue] = [new SimulatedRows(), aQueue()];
    for (const lane of ['a', 'a', 'b']) queue.put(rows.add(ID, lane), 0);
    const [first, other, none] = [queue.take(0), queue.take(0), queue.take(0)];
    expect(ids([first, other, none])).toEqual(['1', '3', null]);
    if (first) queue.end(first.delivery, 1, 0);
    expect(ids([queue.take(0)])).toEqual(['2']);
  });

  it('keeps only the head of a lane that waits for a retry, and asks for the rest when it goes on', () => {
    const [rows, queue] = [new SimulatedRows(), aQueue()];
    for (let each = 0; each < 10; each += 1) queue.put(rows.add(ID, 'a'), 0);
    const head = queue.take(0);
    if (!head) throw new Error('There is no head.');
    queue.putBack(head.delivery, { dueAtMs: 60_000, attempts: 1, ladderStep: 1 }, 0);
    expect([queue.size, queue.nextAtMs, queue.take(59_999)]).toEqual([1, 60_000, null]);
    queue.put(rows.add(ID, 'a'), 0);
    expect(queue.size).toBe(1);
    const again = queue.take(60_000);
    expect(ids([again])).toEqual(['1']);
    if (again) queue.end(again.delivery, 2, 60_000);
    expect([queue.needsLanes, queue.take(60_000)]).toEqual([true, null]);
    const [reading] = queue.beginLanes(10);
    if (!reading) throw new Error('No lane is to be read.');
    Object.assign(rows.rows.get('1') ?? {}, { status: 'delivered' });
    queue.takeLane(reading, rows.lane(ID, 'a', reading.after, 100), true, 60_000);
    expect(ids([queue.take(60_000)])).toEqual(['2']);
  });

  it('has a window of what is pending in memory, and reads the rest when there is room', () => {
    const [rows, queue] = [new SimulatedRows(), aQueue(100)];
    for (let each = 0; each < 100_000; each += 1) queue.put(rows.add(ID, `lane ${each % 1_000}`), 0);
    expect(queue.size).toBeLessThanOrEqual(200);
    expect([queue.isBehind, queue.needsPage]).toEqual([true, false]);
    let taken = 0;
    for (let next = queue.take(0); next; next = queue.take(0)) {
      queue.end(next.delivery, 1, 0);
      taken += 1;
    }
    expect(taken).toBeGreaterThanOrEqual(100);
    expect(queue.needsPage).toBe(true);
    const reading = queue.beginPage();
    expect(reading.after).toBe(taken);
  });

  it('goes on with other lanes, however many events wait behind heads that fail', () => {
    const [rows, queue] = [new SimulatedRows(), aQueue(50)];
    for (let each = 0; each < 500; each += 1) queue.put(rows.add(ID, `lane ${each}`), 0);
    const later = { dueAtMs: 1e9, attempts: 1, ladderStep: 1 };
    const readLanes = (): void => {
      for (const reading of queue.beginLanes(10)) {
        queue.takeLane(reading, rows.lane(ID, reading.lane, reading.after, 50), true, 0);
      }
    };
    for (let each = 0; each < 2_000; each += 1) {
      const next = queue.take(0);
      const row = rows.rows.get(next?.delivery.id ?? '');
      if (next && row) {
        Object.assign(row, { attempts: 1, nextAttemptAt: new Date(later.dueAtMs) });
        queue.putBack(next.delivery, later, 0);
      } else if (queue.needsLanes) readLanes();
      else if (queue.needsPage) {
        const reading = queue.beginPage();
        const page = rows.page(ID, reading.after, 50);
        queue.takePage(reading, page, page.length < 50, 0);
      } else break;
    }
    expect([...rows.rows.values()].every(({ attempts }) => attempts === 1)).toBe(true);
    expect(queue.size).toBeLessThanOrEqual(200);
    queue.put(rows.add(ID, 'sound'), 0);
    // Heads have left memory, so it must be read whether one of them is of this lane.
    readLanes();
    expect(ids([queue.take(0)])).toEqual(['501']);
  });

  it.each([{ ends: true }, { ends: false }])(
    'keeps what was sent again before this process had heard of its record (over: $ends)',
    ({ ends }) => {
      const [rows, queue] = [new SimulatedRows(), aQueue()];
      const row = rows.add(ID, 'a');
      queue.put(row, 0);
      const taken = queue.take(0);
      if (!taken) throw new Error('There is no head.');
      queue.put({ ...row, attempts: 1, ladderStep: 0, nextAttemptAt: new Date(1) }, 1);
      if (ends) queue.end(taken.delivery, 1, 1);
      else queue.putBack(taken.delivery, { dueAtMs: 60_000, attempts: 1, ladderStep: 1 }, 1);
      expect(queue.take(1)?.delivery).toMatchObject({ id: row.id, attempts: 1, ladderStep: 0 });
    },
  );

  it('keeps nothing of it when all is to be read again', () => {
    const [rows, queue] = [new SimulatedRows(), aQueue()];
    const row = rows.add(ID, 'a');
    queue.put(row, 0);
    const taken = queue.take(0);
    if (!taken) throw new Error('There is no head.');
    queue.put({ ...row, attempts: 1 }, 1);
    queue.reset();
    queue.end(taken.delivery, 1, 1);
    expect([queue.size, queue.needsPage]).toEqual([0, true]);
  });

  it('lets no head leave memory that has come due, because nobody would read it again', () => {
    const [rows, queue] = [new SimulatedRows(), aQueue(10)];
    const failed = (lane: string, dueAtMs: number) => ({ ...rows.add(ID, lane, dueAtMs), attempts: 1 });
    for (let each = 0; each < 20; each += 1) queue.put(failed(`lane ${each}`, 5_000), 0);
    for (let each = 0; each < 21; each += 1) queue.put(failed(`later lane ${each}`, 1e9), 6_000);
    expect(queue.isSieved).toBe(true);
    const taken = new Set<string>();
    for (let next = queue.take(6_000); next; next = queue.take(6_000)) taken.add(next.delivery.id);
    const left = queue.beginPage();
    const inMemory = [...rows.rows.values()].filter(({ place }) => place <= left.after && place <= 20);
    expect(inMemory.length).toBeGreaterThan(10);
    expect(inMemory.filter(({ id }) => !taken.has(id))).toEqual([]);
  });

  it('reads a lane whose head has left memory when that head is passed', () => {
    const [rows, queue] = [new SimulatedRows(), aQueue(10)];
    const heads = Array.from({ length: 21 }, (_, each) => ({
      ...rows.add(ID, `lane ${each}`, 60_000 + each),
      attempts: 1,
    }));
    for (const head of heads) queue.put(head, 0);
    const last = heads.at(-1);
    if (!last) throw new Error('There is no head.');
    expect(queue.isSieved).toBe(true);
    queue.put({ ...last, outOfOrder: true }, 0);
    expect(queue.beginLanes(10)).toMatchObject([{ lane: last.lane, after: -1 }]);
  });

  it('probes with the head that is due longest, or with a different one each time when none is due', () => {
    const [rows, queue] = [new SimulatedRows(), aQueue()];
    for (const dueAtMs of [3_000, 1_000, 2_000]) queue.put(rows.add(ID, `lane ${dueAtMs}`, dueAtMs), 0);
    const probes = [0, 1, 2, 3].map((probes) => {
      const taken = queue.takeProbe(0, probes);
      if (taken) queue.putBack(taken.delivery, { ...taken.delivery }, 0);
      return taken;
    });
    expect(ids(probes)).toEqual(['2', '3', '1', '2']);
    expect(probes.map((taken) => taken?.probe)).toEqual(['early', 'early', 'early', 'early']);
    expect(queue.takeProbe(5_000, 2)).toMatchObject({ delivery: { id: '2' }, probe: 'due' });
  });

  it(`breaks no order, loses nothing and posts nothing twice in ${SCHEDULES} schedules of readings and writings`, () => {
    for (let seed = 1; seed <= SCHEDULES; seed += 1) {
      const fault = new QueueSchedule(seeded(seed)).run();
      if (fault !== null) throw new Error(`Seed ${seed}: ${fault}`);
    }
  });
});
