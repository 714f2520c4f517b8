import { describe, expect, it } from '@jest/globals';
import { Watch } from '../../../api/wire/watch.ts';
import { Wakeups } from '../../../db/engine/wakeups.ts';

/** Nothing connects: wake-ups of this process need no database. */
function aWatch() {
  const wakeups = new Wakeups('postgres://127.0.0.1:1/none', () => undefined);
  return { watch: new Watch(wakeups, 'message'), wake: (key: string) => wakeups.wake('message', key) };
}

const LONG_MS = 60_000;
const aWait = () => ({ waitMs: LONG_MS, signal: new AbortController().signal, lookAgainMs: () => LONG_MS });

/** Resolves once somebody has looked for the nth time. */
function looks(found: () => string | undefined) {
  let count = 0;
  const waiting = new Map<number, () => void>();
  return {
    look: async () => {
      const value = found();
      count += 1;
      waiting.get(count)?.();
      return value;
    },
    nth: (n: number) => new Promise<void>((resolve) => void (count >= n ? resolve() : waiting.set(n, resolve))),
  };
}

describe('a request that waits for something', () => {
  it('looks again when it is woken for it, and not for anything else', async () => {
    const { watch, wake } = aWatch();
    let value: string | undefined;
    const { look, nth } = looks(() => value);
    const waited = watch.until(['a', 'b'], look, aWait());
    await nth(1);
    value = 'there';
    wake('c');
    wake('b');
    expect(await waited).toEqual({ outcome: 'found', value: 'there' });
    watch.close();
  });

  it('is woken by what happens while it looks', async () => {
    const { watch, wake } = aWatch();
    let value: string | undefined;
    const look = async () => {
      const seen = value;
      if (seen === undefined) {
        value = 'there';
        wake('a');
      }
      return seen;
    };
    expect(await watch.until(['a'], look, aWait())).toEqual({ outcome: 'found', value: 'there' });
    watch.close();
  });

  it('looks by itself where a wake-up was lost', async () => {
    const { watch } = aWatch();
    let count = 0;
    const look = async () => ((count += 1) === 3 ? 'there' : undefined);
    expect(await watch.until(['a'], look, { ...aWait(), lookAgainMs: () => 1 })).toMatchObject({ outcome: 'found' });
    watch.close();
  });

  it.each(['its time is over', 'its client leaves', 'the process stops'])('is answered once %s', async (end) => {
    const { watch } = aWatch();
    const client = new AbortController();
    const { look, nth } = looks(() => undefined);
    const waitMs = end === 'its time is over' ? 1 : LONG_MS;
    const waited = watch.until(['a'], look, { ...aWait(), waitMs, signal: client.signal });
    await nth(1);
    if (end === 'its client leaves') client.abort();
    if (end === 'the process stops') watch.close();
    expect(await waited).toEqual({ outcome: 'in_vain' });
    watch.close();
  });

  it('is sent away where its group takes every place that a group may have', async () => {
    const { watch } = aWatch();
    const inVain = async () => undefined;
    const waiting = Array.from({ length: 200 }, () => watch.until(['a'], inVain, { ...aWait(), group: 'acme' }));
    expect(await watch.until(['a'], inVain, { ...aWait(), group: 'acme' })).toEqual({ outcome: 'full' });
    const found = async () => 'there';
    expect(await watch.until(['a'], found, { ...aWait(), group: 'other' })).toMatchObject({ outcome: 'found' });
    watch.close();
    await Promise.all(waiting);
    expect(await watch.until(['a'], found, { ...aWait(), group: 'acme' })).toMatchObject({ outcome: 'found' });
  });
});
