import { afterEach, describe, expect, test } from '@jest/globals';
import {
  createWholeness,
  forgetKnown,
  forgettings,
  loadAnew,
  queries,
  readerOf,
} from '../../../packages/console/parts/known.ts';

const { signal } = new AbortController();

/** A list that is read by hand: each reading gets its number, and ends when the test says so. */
const readByHand = () => {
  const ends: (() => void)[] = [];
  const signals: AbortSignal[] = [];
  const observer = readerOf<number>({
    queryKey: ['by hand'],
    queryFn: (reading) => {
      signals.push(reading.signal);
      const number = signals.length;
      return new Promise((resolve) => ends.push(() => resolve(number)));
    },
  });
  return { observer, ends, signals };
};

describe('what is loaded', () => {
  let leave = (): void => undefined;
  afterEach(() => {
    leave();
    queries.clear();
  });

  test('is asked for again after a change during the first load', async () => {
    const { observer, ends, signals } = readByHand();
    leave = observer.subscribe(() => undefined);
    const again = loadAnew(observer);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    for (const end of ends) end();
    await again;
    expect(observer.getCurrentResult()).toMatchObject({ data: 2, error: null, isFetching: false });
  });

  test('is asked for again after a change during a later load, and shown meanwhile', async () => {
    const { observer, ends, signals } = readByHand();
    leave = observer.subscribe(() => undefined);
    ends[0]?.();
    await observer.refetch({ cancelRefetch: false });
    const [second, third] = [loadAnew(observer), loadAnew(observer)];
    expect(observer.getCurrentResult().data).toBe(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true, false]);
    for (const end of ends) end();
    await Promise.all([second, third]);
    expect(observer.getCurrentResult().data).toBe(3);
  });

  test('is forgotten when somebody else logs in, and counted', () => {
    queries.setQueryData(['of one'], 1);
    const before = forgettings.value;
    forgetKnown();
    expect([queries.getQueryData(['of one']), forgettings.value]).toEqual([undefined, before + 1]);
  });
});

describe('a list', () => {
  /** Tells for each reading whether it was allowed to read the top alone. */
  const readings = () => {
    const whole = createWholeness();
    const tops: boolean[] = [];
    const read = (how: AbortSignal = signal): Promise<void> =>
      whole.run((_, isAgain) => Promise.resolve(void tops.push(isAgain)), how);
    return { whole, tops, read };
  };

  test('is read whole at first and after a reload, and else its top alone', async () => {
    const { whole, tops, read } = readings();
    await read();
    await read();
    whole.want();
    await read();
    await read();
    expect(tops).toEqual([false, true, false, true]);
  });

  test('is read whole until that has come to its end', async () => {
    const { whole, tops, read } = readings();
    await read(AbortSignal.abort());
    await expect(whole.run(() => Promise.reject(new Error('no answer')), signal)).rejects.toThrow('no answer');
    await read();
    expect(tops).toEqual([false, false]);
    const late = whole.run(async () => Promise.resolve(), signal);
    whole.want();
    await late;
    await read();
    expect(tops).toEqual([false, false, false]);
  });
});
