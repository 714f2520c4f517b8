import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Beginnings } from '../../../../activities/webhooks/shards/beginnings.ts';

const MANY = 1_000;
const MOMENT_MS = 5;

describe('the beginnings of attempts', () => {
  let beginnings: Beginnings;
  /** The owners of the attempts that have begun, and what ends each. */
  let begun: { owner: string; end: () => void }[];

  beforeEach(() => {
    jest.useFakeTimers();
    beginnings = new Beginnings();
    begun = [];
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function ask(owner: string, count: number): void {
    for (let index = 0; index < count; index += 1) {
      void beginnings.run(owner, () => new Promise<void>((end) => begun.push({ owner, end })));
    }
  }

  const countOf = (owner: string): number => begun.filter((one) => one.owner === owner).length;

  it('lets one of an owner begin at once beside a thousand of another', () => {
    ask('quiet', 1);
    ask('flood', MANY);
    expect(countOf('flood')).toBe(4);
    ask('quiet', 1);
    expect(begun.at(-1)?.owner).toBe('quiet');
  });

  it('lets the next begin as soon as one is over', async () => {
    ask('quiet', 1);
    ask('flood', MANY);
    for (const { end } of begun.splice(0)) end();
    await jest.advanceTimersByTimeAsync(0);
    expect(countOf('flood')).toBe(4);
  });

  it('waits for no receiver that takes its time', async () => {
    ask('quiet', 1);
    ask('flood', MANY);
    await jest.advanceTimersByTimeAsync(10 * MOMENT_MS);
    expect(countOf('flood')).toBe(44);
  });

  it('lets all of an owner begin at once while there is no other', async () => {
    ask('flood', MANY);
    expect(countOf('flood')).toBe(MANY);
    ask('quiet', 1);
    ask('flood', MANY);
    expect(countOf('flood')).toBe(MANY);
    await jest.advanceTimersByTimeAsync(1_000 + MOMENT_MS);
    expect(countOf('flood')).toBe(2 * MANY);
  });
});
