import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Wakeups } from '../../db/engine/wakeups.ts';
import { ChangeTeller } from '../../loops/tell-changes.ts';
import { eventually } from '../support/eventually.ts';

const PAGE = 100;
const idOf = (number: number): string => `ses_${String(number).padStart(4, '0')}`;

describe('who tells what has changed', () => {
  let changed: Set<string>;
  let told: string[];
  let looks: number;
  let failing: string | null;
  let wakeups: Wakeups;
  let teller: ChangeTeller;

  beforeEach(() => {
    changed = new Set();
    told = [];
    looks = 0;
    failing = null;
    wakeups = Object.assign(new Wakeups('postgres://nowhere', () => undefined), { tellOthers: () => undefined });
    teller = new ChangeTeller({
      wakeups,
      list(after) {
        looks += 1;
        return Promise.resolve(
          [...changed]
            .filter((id) => id > after)
            .toSorted()
            .slice(0, PAGE),
        );
      },
      tell(id) {
        if (id === failing) return Promise.reject(new Error('It fails.'));
        told.push(id);
        changed.delete(id);
        return Promise.resolve('told');
      },
      onError: () => undefined,
    });
    teller.start();
  });
  afterEach(() => teller.stop());

  it('does not look before somebody has found a change, and after each wake-up from then on', async () => {
    wakeups.wake('changed');
    expect(looks).toBe(0);
    changed.add(idOf(1));
    teller.found();
    await eventually(() => told.length === 1);
    changed.add(idOf(2));
    wakeups.wake('changed');
    await eventually(() => told.length === 2);
    const before = looks;
    for (let count = 0; count < 50; count += 1) wakeups.wake('changed');
    await eventually(() => looks > before);
    // Events within a moment need one check.
    expect(looks - before).toBeLessThan(4);
  });

  it('tells all sessions of many, also while the first of them change again and again', async () => {
    for (let number = 0; number < 3 * PAGE; number += 1) changed.add(idOf(number));
    teller.found();
    await eventually(() => {
      for (let number = 0; number < PAGE; number += 1) changed.add(idOf(number));
      return told.includes(idOf(3 * PAGE - 1));
    });
  });

  it('tells the others while those of one session cannot be told, and those once they can', async () => {
    failing = idOf(0);
    for (let number = 0; number < 20; number += 1) changed.add(idOf(number));
    teller.found();
    await eventually(() => told.length === 19);
    failing = null;
    await eventually(() => told.includes(idOf(0)));
  });
});
