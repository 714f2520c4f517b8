import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Wakeups } from '../../db/engine/wakeups.ts';
import { SharedPoll } from '../../loops/shared-poll.ts';

const SECOND = 1_000;

describe('a poll that processes share', () => {
  let now: number;

  beforeEach(() => {
    now = 5_000;
    words = [];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** The words that are on their way, with the time at which they come. */
  let words: { at: number; come: () => void }[] = [];

  /** As many processes, each of which hears a little later what another tells. */
  function processes(count: number, lateMs = 20) {
    const heard = new Set<(polled: string) => void>();
    return Array.from({ length: count }, () => {
      let own: (polled: string) => void = () => undefined;
      const wakeups = Object.assign(new Wakeups('postgres://nowhere', () => undefined), {
        on(_topic: string, callback: (polled: string) => void) {
          own = callback;
          heard.add(callback);
          return () => heard.delete(callback);
        },
        tellOthers(_topic: string, polled: string) {
          const come = (): void => {
            for (const each of heard) if (each !== own) each(polled);
          };
          if (lateMs > 0) words.push({ at: now + lateMs, come });
          else come();
        },
      });
      const poll = new SharedPoll(wakeups, 'release', SECOND);
      return { poll, wakeups, deafen: poll.listen() };
    });
  }

  /** Counts their polls within a minute. */
  function looksOf(polls: readonly { poll: SharedPoll }[]): number {
    let looks = 0;
    for (const end = now + 60 * SECOND; now < end; now += 1) {
      const due = words.filter(({ at }) => at <= now);
      words = words.filter((word) => !due.includes(word));
      for (const { come } of due) come();
      for (const { poll } of polls) {
        if (poll.restMs() > 0) continue;
        looks += 1;
        poll.looked();
      }
    }
    return looks;
  }

  it.each([1, 2, 8, 30])('of %i processes is hardly more than one look a second', (count) => {
    const looks = looksOf(processes(count));
    expect(looks).toBeGreaterThanOrEqual(30);
    // Some look while the word of another is on its way.
    expect(looks).toBeLessThanOrEqual(60 + 2 * count);
  });

  it('parts two processes that look at the same moment', () => {
    const chance = jest.spyOn(Math, 'random').mockReturnValueOnce(0.5).mockReturnValueOnce(0.5);
    const polls = processes(2);
    looksOf(polls);
    expect(chance.mock.calls.length).toBeGreaterThan(2);
    expect(looksOf(polls)).toBeLessThanOrEqual(61);
  });

  it('comes at its next moment after a look that ends late', () => {
    const [one] = processes(1);
    if (!one) throw new Error('There is one.');
    one.poll.looked();
    now += one.poll.restMs();
    const from = now;
    now += 900;
    one.poll.looked();
    expect(now + one.poll.restMs() - from).toBeLessThanOrEqual(1.5 * SECOND + 1);
  });

  it('goes on while some of the processes stand still', () => {
    const [stopped, ...others] = processes(4);
    looksOf([...others, ...(stopped ? [stopped] : [])]);
    expect(looksOf(others)).toBeGreaterThanOrEqual(30);
  });

  it('looks at the same moments as the other polls of its process', () => {
    const [process] = processes(1);
    if (!process) throw new Error('There is one.');
    const { wakeups } = process;
    const polls = (['dispatch', 'own-message'] as const).map((polled) => new SharedPoll(wakeups, polled, SECOND));
    const seldom = new SharedPoll(wakeups, 'owed', 2 * SECOND);
    const momentsOf = (poll: SharedPoll): number[] => {
      const moments: number[] = [];
      for (now = 5_000; now < 20_000; now += 1) {
        if (poll.restMs() > 0) continue;
        if (now > 5_000) moments.push(now);
        poll.looked();
      }
      return moments;
    };
    const [one = [], other = []] = polls.map(momentsOf);
    expect(one.length).toBeGreaterThanOrEqual(8);
    expect(other).toEqual(one);
    expect(one).toEqual(expect.arrayContaining(momentsOf(seldom)));
  });

  it('does not put off a look for what has just been found', () => {
    const [one, other] = processes(2, 0);
    if (!one || !other) throw new Error('There are two.');
    one.poll.looked();
    const restMs = other.poll.restMs();
    now += 10;
    one.poll.looked();
    expect(other.poll.restMs()).toBe(restMs - 10);
  });
});
