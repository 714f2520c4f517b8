import { describe, expect, it } from '@jest/globals';
import { inBranch, waitingFor } from '../../domain/waiting.ts';
import { ProcessorSlots } from '../../worker/processor-slots.ts';

const BOUNDS = { fewest: 2, first: 4, most: 10 };
const MANY = 50;

/** The slots of a worker, whose time the test sets. */
function aWorker() {
  let now = 0;
  const slots = new ProcessorSlots(BOUNDS, () => now);
  const tasks: object[] = [];
  const asking = new AbortController();
  return {
    slots,
    tasks,
    /** Asks for tasks, each of which begins when it gets a slot, and does not end. */
    ask: async (count: number, isSticky = false): Promise<void> => {
      for (let asked = 0; asked < count; asked += 1) {
        void slots.reserveSlot({ isSticky }, asking.signal).then(
          (permit) => {
            slots.markSlotUsed({ permit });
            tasks.push(permit);
          },
          () => undefined,
        );
      }
      await settled();
    },
    askNoMore: async (): Promise<void> => {
      asking.abort();
      await settled();
    },
    end: async (): Promise<void> => {
      const permit = tasks.shift();
      if (permit === undefined) throw new Error('No task has begun.');
      slots.releaseSlot({ permit });
      await settled();
    },
    /** Runs local activities one after the other, each of which works for so long. */
    work: async (times: number, ms: number): Promise<void> => {
      for (let turn = 0; turn < times; turn += 1)
        await slots.run(async () => {
          now += ms;
        });
      await settled();
    },
    pass: (ms: number): void => {
      now += ms;
    },
  };
}

/** What a promise has called by now has run when all that is due has. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('the slots of work that needs the processor', () => {
  it('are as many as the first, and one that is given back goes to who asks next', async () => {
    const { tasks, ask, end } = aWorker();
    await ask(MANY);
    expect(tasks).toHaveLength(BOUNDS.first);
    await end();
    expect(tasks).toHaveLength(BOUNDS.first);
  });

  it('become more while work ends quickly and more of it waits, up to the most', async () => {
    const { tasks, ask, work } = aWorker();
    await ask(MANY);
    await work(3, 50);
    expect(tasks).toHaveLength(BOUNDS.first + 3);
    await work(20, 50);
    expect(tasks).toHaveLength(BOUNDS.most);
  });

  it('stay as they are while nobody asks for one', async () => {
    const { slots, work } = aWorker();
    await work(20, 50);
    expect(slots.limit).toBe(BOUNDS.first);
  });

  it('become fewer while work is slow, down to the fewest', async () => {
    const { tasks, ask, end, work } = aWorker();
    await ask(MANY);
    await work(8, 3_000);
    for (let ended = 0; ended < BOUNDS.first - BOUNDS.fewest; ended += 1) await end();
    expect(tasks).toHaveLength(BOUNDS.fewest);
    await end();
    expect(tasks).toHaveLength(BOUNDS.fewest);
  });

  it('do not become fewer by one piece of work that is held up', async () => {
    const { slots, ask, work } = aWorker();
    await ask(MANY);
    await work(15, 50);
    await work(1, 60_000);
    await work(15, 50);
    expect(slots.limit).toBe(BOUNDS.most);
  });

  it('are lent to others while work waits for a backend, which counts as no work', async () => {
    const { slots, tasks, ask, work, pass } = aWorker();
    await ask(MANY);
    const answer = Promise.withResolvers<void>();
    const waiting = [1, 2, 3].map(() => slots.run(() => waitingFor(answer.promise)));
    await settled();
    expect(tasks).toHaveLength(BOUNDS.first + 3);
    pass(60_000);
    answer.resolve();
    await Promise.all(waiting);
    await work(1, 50);
    expect(slots.limit).toBe(BOUNDS.first + 4);
  });

  it('are lent only while all parts of a piece of work wait, and each part counts by itself', async () => {
    const { slots, tasks, ask, pass } = aWorker();
    await ask(MANY);
    const [answer, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const piece = slots.run(() =>
      Promise.all([
        inBranch(async () => {
          await other.promise;
          pass(3_000);
          await waitingFor(answer.promise);
        }),
        inBranch(() => waitingFor(answer.promise)),
      ]),
    );
    await settled();
    expect(tasks).toHaveLength(BOUNDS.first);
    other.resolve();
    await settled();
    expect(tasks).toHaveLength(BOUNDS.first + 1);
    answer.resolve();
    await piece;
  });

  it('are few for the polls of one queue, and as many for those of the other', async () => {
    const { slots, tasks, ask } = aWorker();
    const { signal } = new AbortController();
    const polls = Array.from({ length: BOUNDS.first }, () => slots.reserveSlot({ isSticky: true }, signal));
    await Promise.all(polls);
    await ask(MANY);
    expect(tasks).toHaveLength(BOUNDS.first);
  });

  it('do not become fewer by one slow piece of work on a quiet worker', async () => {
    const { slots, work } = aWorker();
    await work(1, 5_000);
    expect(slots.limit).toBe(BOUNDS.first);
  });

  it('are not lent for a wait that its work leaves behind', async () => {
    const { slots, tasks, ask, end } = aWorker();
    const answer = Promise.withResolvers<void>();
    await slots.run(async () => void waitingFor(answer.promise));
    await ask(MANY);
    expect(tasks).toHaveLength(BOUNDS.first);
    answer.resolve();
    await settled();
    await end();
    expect(tasks).toHaveLength(BOUNDS.first);
  });

  it('take a task that comes back with its start, beside those that a worker asks for', async () => {
    const { slots } = aWorker();
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: BOUNDS.first }, () => slots.reserveSlot({ isSticky: false }, signal)));
    expect(slots.tryReserveSlot()).not.toBeNull();
  });

  it('take no such task when all work, and none for who asks no more', async () => {
    const { slots, tasks, ask, askNoMore, end } = aWorker();
    await ask(MANY);
    expect(slots.tryReserveSlot()).toBeNull();
    await askNoMore();
    await end();
    expect(tasks).toHaveLength(BOUNDS.first - 1);
  });
});
