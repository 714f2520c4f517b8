import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { EQUAL_SHARES } from '../../domain/shares.ts';
import { createFairSlots } from '../../domain/fair-slots.ts';
import type { GiveBack } from '../../domain/fair-slots.ts';

function must(giveBack: GiveBack | null): GiveBack {
  if (giveBack === null) throw new Error('there was no room');
  return giveBack;
}

describe('fair slots', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('an owner takes no more than its share, and leaves the rest to others', async () => {
    const slots = createFairSlots({ perOwner: 2, inAll: 10 });
    must(await slots.acquire('slow', 0));
    must(await slots.acquire('slow', 0));
    expect(await slots.acquire('slow', 0)).toBeNull();
    expect(await slots.acquire('other', 0)).not.toBeNull();
  });

  test('all owners together take no more than there are', async () => {
    const slots = createFairSlots({ perOwner: 4, inAll: 2 });
    must(await slots.acquire('a', 0));
    must(await slots.acquire('b', 0));
    expect(await slots.acquire('c', 0)).toBeNull();
  });

  test('those who wait are let in in the order they came', async () => {
    const slots = createFairSlots({ perOwner: 1, inAll: 10 });
    const first = must(await slots.acquire('a', 0));
    const order: string[] = [];
    const second = slots.acquire('a', 1_000).then((giveBack) => (order.push('second'), must(giveBack)));
    const third = slots.acquire('a', 1_000).then((giveBack) => (order.push('third'), must(giveBack)));
    first();
    (await second)();
    (await third)();
    expect(order).toEqual(['second', 'third']);
  });

  test('people go before the others of their owner', async () => {
    const slots = createFairSlots({ perOwner: 2, inAll: 2 });
    const held = [must(await slots.acquire('a', 0)), must(await slots.acquire('a', 0))];
    const order: string[] = [];
    const wait = (name: string, owner: string, isPersons: boolean) =>
      slots.acquire(owner, 1_000, { isPersons }).then((giveBack) => (order.push(name), must(giveBack)));
    const all = [
      wait('agent', 'a', false),
      wait('other', 'b', false),
      wait('agent again', 'a', false),
      wait('person', 'a', true),
    ];
    await jest.advanceTimersByTimeAsync(0);
    for (const giveBack of held) giveBack();
    for (const next of [all[3], all[0], all[1], all[2]]) (await next)?.();
    expect(order).toEqual(['person', 'agent', 'other', 'agent again']);
  });

  test('one who waits for a full owner does not hold up another', async () => {
    const slots = createFairSlots({ perOwner: 1, inAll: 2 });
    must(await slots.acquire('slow', 0));
    const other = must(await slots.acquire('other', 0));
    const stuck = slots.acquire('slow', 1_000);
    const free = slots.acquire('free', 1_000);
    other();
    expect(await free).not.toBeNull();
    jest.advanceTimersByTime(1_000);
    expect(await stuck).toBeNull();
  });

  test('waiting ends with nothing when there is no room in time, and the place is not given away later', async () => {
    const slots = createFairSlots({ perOwner: 1, inAll: 1 });
    const giveBack = must(await slots.acquire('a', 0));
    const late = slots.acquire('a', 50);
    jest.advanceTimersByTime(50);
    expect(await late).toBeNull();
    giveBack();
    expect(slots.current()).toEqual({ inFlight: 0, bytes: 0, waiting: 0, owners: 0 });
  });

  test('releasing twice frees one place', async () => {
    const slots = createFairSlots({ perOwner: 2, inAll: 2 });
    const giveBack = must(await slots.acquire('a', 0));
    must(await slots.acquire('a', 0));
    giveBack();
    giveBack();
    expect(slots.current().inFlight).toBe(1);
  });

  test('agencies share what cannot be taken back, so that whoever comes next finds a place', async () => {
    const slots = createFairSlots({ perOwner: 16, inAll: 32, shares: EQUAL_SHARES });
    const taken = async (agency: string): Promise<number> => {
      let count = 0;
      while ((await slots.acquire(agency, 0)) !== null) count += 1;
      return count;
    };
    expect([await taken('slow'), await taken('slower'), await taken('quick')]).toEqual([16, 8, 4]);
  });

  test('an agency takes no more with many sessions than with one, and leaves places to the next', async () => {
    const slots = createFairSlots({ perOwner: 4, inAll: 64, shares: { weightOf: () => 3 } });
    const taken = async (agencyId: string): Promise<number> => {
      let count = 0;
      for (let session = 0; session < 40; session += 1) {
        while ((await slots.acquire(`${agencyId} ${session}`, 0, { agencyId })) !== null) count += 1;
      }
      return count;
    };
    expect(await taken('hangs')).toBe(48);
    const late = slots.acquire('hangs 41', 1_000, { agencyId: 'hangs' });
    expect(await taken('other')).toBe(12);
    jest.advanceTimersByTime(1_000);
    expect(await late).toBeNull();
  });

  test('an owner whose callers wait already is refused at once', async () => {
    const slots = createFairSlots({ perOwner: 1, inAll: 4, waitingPerOwner: 2 });
    const first = must(await slots.acquire('slow', 0));
    const waiting = [slots.acquire('slow', 1_000), slots.acquire('slow', 1_000)];
    expect(await slots.acquire('slow', 1_000)).toBeNull();
    must(await slots.acquire('other', 1_000));
    first();
    must((await waiting[0]) ?? null)();
    must((await waiting[1]) ?? null)();
  });

  describe('of files', () => {
    const sized = (perOwner: number, inAll: number) =>
      createFairSlots({ perOwner: 10, inAll: 20, bytes: { perOwner, inAll } });

    test('no more bytes are in flight than fit, and texts do not wait for them', async () => {
      const slots = sized(100, 100);
      const first = must(await slots.acquire('a', 0, { bytes: 60 }));
      expect(await slots.acquire('b', 0, { bytes: 60 })).toBeNull();
      must(await slots.acquire('b', 0, { bytes: 40 }));
      must(await slots.acquire('b', 0));
      expect(slots.current()).toMatchObject({ inFlight: 3, bytes: 100 });
      first();
      must(await slots.acquire('c', 0, { bytes: 60 }));
    });

    test('one owner leaves memory to the others', async () => {
      const slots = sized(50, 100);
      must(await slots.acquire('slow', 0, { bytes: 50 }));
      expect(await slots.acquire('slow', 0, { bytes: 50 })).toBeNull();
      must(await slots.acquire('other', 0, { bytes: 50 }));
    });

    test('a large one is not overtaken for ever, and what waited behind it goes when it gives up', async () => {
      const slots = sized(100, 100);
      const first = must(await slots.acquire('a', 0, { bytes: 60 }));
      const second = must(await slots.acquire('b', 0, { bytes: 30 }));
      const large = slots.acquire('c', 1_000, { bytes: 80 });
      expect(await slots.acquire('d', 0, { bytes: 10 })).toBeNull();
      const small = slots.acquire('d', 2_000, { bytes: 10 });
      second();
      expect(slots.current()).toMatchObject({ inFlight: 1, waiting: 2 });
      first();
      must(await large)();
      must(await small)();
      must(await slots.acquire('a', 0, { bytes: 60 }));
      const late = slots.acquire('c', 1_000, { bytes: 80 });
      const behind = slots.acquire('d', 2_000, { bytes: 10 });
      jest.advanceTimersByTime(1_000);
      expect(await late).toBeNull();
      must(await behind);
    });

    test('one that is larger than memory goes alone', async () => {
      const slots = sized(50, 100);
      const huge = must(await slots.acquire('a', 0, { bytes: 500 }));
      expect(await slots.acquire('b', 0, { bytes: 1 })).toBeNull();
      huge();
      expect(slots.current().bytes).toBe(0);
    });
  });

  test('agencies take turns where that is asked for, each in its own order', async () => {
    const slots = createFairSlots({ perOwner: 1, inAll: 1, takesTurns: true });
    let giveBack = must(await slots.acquire('a', 0));
    const served: string[] = [];
    const ends = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(async (name) => {
      giveBack = must(await slots.acquire(name.slice(0, 1), 60_000));
      served.push(name);
    });
    for (const _ of ends) {
      const before = served.length;
      giveBack();
      while (served.length === before) await Promise.resolve();
    }
    expect(served).toEqual(['b1', 'c1', 'a1', 'b2', 'a2', 'a3']);
  });

  test('nothing is left behind after a crowd', async () => {
    const slots = createFairSlots({ perOwner: 3, inAll: 5 });
    let peak = 0;
    const crowd = Array.from({ length: 200 }, async (_, index) => {
      const giveBack = must(await slots.acquire(`s${index % 7}`, 60_000));
      peak = Math.max(peak, slots.current().inFlight);
      await Promise.resolve();
      giveBack();
    });
    await Promise.all(crowd);
    expect(peak).toBe(5);
    expect(slots.current()).toEqual({ inFlight: 0, bytes: 0, waiting: 0, owners: 0 });
    expect(jest.getTimerCount()).toBe(0);
  });
});
