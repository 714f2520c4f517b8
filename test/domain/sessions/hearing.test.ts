import { describe, expect, it } from '@jest/globals';
import { listen, NO_PATTERN } from '../../../domain/sessions/hearing.ts';
import type { Hearing, Sign } from '../../../domain/sessions/hearing.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;
const MONDAY = Date.parse('2026-03-02T00:00:00.000Z');
const SETTINGS = { isOn: true, afterMs: HOUR_MS };

/** The seeded chance of a test, so that it meets the same world each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The average number of conversations that begin in an hour of the week. */
type Rate = (day: number, hour: number, at: number) => number;

const PATTERNS: Record<string, Rate> = {
  office: (day, hour) => (day < 5 && hour >= 8 && hour < 18 ? 6 : 0),
  busy: (_day, hour) => (hour >= 6 ? 8 : 1),
  night: (_day, hour) => (hour >= 21 || hour < 3 ? 5 : 0),
  weekend: (day, hour) => (day >= 5 && hour >= 9 && hour < 21 ? 5 : 0),
  rare: () => 0.05,
  bursts: (day, hour) => (day === 1 && hour === 10 ? 80 : 0.1),
};

interface Session {
  id: string;
  rate: Rate;
  /** The account was connected then. */
  from: number;
  /** From then on it hears nothing. */
  diesAt: number;
}

interface Lived {
  signs: { at: number; sign: Sign }[];
  /** When the first message was missed. */
  missedAt: number | null;
}

/** Lets a session live until the time, with a look at each time that the look before has named. */
function live({ id, rate, from, diesAt }: Session, until: number, random: () => number): Lived {
  const lived: Lived = { signs: [], missedAt: null };
  let hearing: Omit<Hearing, 'heardAt'> = {
    sessionId: id,
    pattern: NO_PATTERN,
    worksSince: new Date(from),
    learnedUntil: null,
    listensFrom: null,
    askedFor: null,
    askedEvidence: 0,
  };
  let heardAt: number | null = null;
  let lookAt = from;
  for (let hour = from; hour < until; hour += HOUR_MS) {
    const times = messagesOf(rate, hour, random);
    while (lookAt < hour + HOUR_MS) {
      const heard = times.filter((at) => at <= lookAt && at < diesAt).at(-1);
      heardAt = heard ?? heardAt;
      if (heardAt === null) {
        lookAt += HOUR_MS;
        continue;
      }
      const {
        lookAt: next,
        sign,
        ...looked
      } = listen({ ...hearing, heardAt: new Date(heardAt) }, new Date(lookAt), SETTINGS);
      hearing = { ...hearing, ...looked };
      if (sign !== null) lived.signs.push({ at: lookAt, sign });
      lookAt = next.getTime();
    }
    heardAt = times.filter((at) => at < diesAt).at(-1) ?? heardAt;
    lived.missedAt ??= times.find((at) => at >= diesAt) ?? null;
  }
  return lived;
}

/** The messages of an hour in their order: conversations of up to four messages within minutes. */
function messagesOf(rate: Rate, hour: number, random: () => number): number[] {
  const inWeek = Math.floor((hour - MONDAY) / HOUR_MS);
  const mean = rate(Math.floor(inWeek / 24) % 7, inWeek % 24, hour);
  const times: number[] = [];
  for (let at = hour - Math.log(1 - random()) * (HOUR_MS / mean); at < hour + HOUR_MS;) {
    for (let said = Math.ceil(random() * 4), next = at; said > 0; said -= 1) {
      if (next < hour + HOUR_MS) times.push(next);
      next += random() * 60_000;
    }
    at -= Math.log(1 - random()) * (HOUR_MS / mean);
  }
  return times.toSorted((a, b) => a - b);
}

describe('a week of 200 sessions, of which three are silently dead', () => {
  const TEST_WEEK = MONDAY + 5 * WEEK_MS;
  const END = TEST_WEEK + WEEK_MS;
  const names = Object.keys(PATTERNS);
  const random = seeded(7);
  const sessions = Array.from({ length: 200 }, (_, n): Session & { pattern: string } => {
    const pattern = names[n % names.length] ?? 'office';
    // One in ten was connected in the week itself or the one before.
    const from = n % 10 === 9 ? TEST_WEEK - Math.floor(random() * 168) * HOUR_MS : MONDAY;
    return { id: `ses_${n}`, pattern, rate: PATTERNS[pattern] ?? (() => 0), from, diesAt: Infinity };
  });
  const deaths: Record<string, number> = {
    ses_0: TEST_WEEK + 2 * 24 * HOUR_MS + 10 * HOUR_MS,
    ses_2: TEST_WEEK + 3 * 24 * HOUR_MS + 12 * HOUR_MS,
    ses_3: TEST_WEEK + 5 * 24 * HOUR_MS + 8 * HOUR_MS,
  };
  const lives = sessions.map((session) => {
    const diesAt = deaths[session.id] ?? Infinity;
    return { ...session, diesAt, ...live({ ...session, diesAt }, END, random) };
  });
  const dead = lives.filter(({ diesAt }) => diesAt < Infinity);
  const alive = lives.filter(({ diesAt }) => diesAt === Infinity);
  const inTestWeek = ({ at }: { at: number }) => at >= TEST_WEEK;

  it('finds each dead one within hours of the first message that it misses', () => {
    expect(dead.map(({ pattern }) => pattern)).toEqual(['office', 'night', 'weekend']);
    for (const { signs, missedAt, diesAt } of dead) {
      const found = signs.find(({ at }) => at > diesAt);
      const hours = ((found?.at ?? Infinity) - (missedAt ?? 0)) / HOUR_MS;
      expect(hours).toBeLessThanOrEqual(5);
    }
  });

  it('takes none that is alive for silent, in no quiet night and on no quiet day', () => {
    const suspected = alive.filter(({ signs }) => signs.some(({ sign }) => sign === 'suspect'));
    expect(suspected.map(({ id, pattern }) => `${id} ${pattern}`)).toEqual([]);
  });

  it('asks the backends about those that are alive less than once a day and session', () => {
    const asked = alive.flatMap(({ signs }) => signs.filter(inTestWeek));
    expect(asked.length).toBeLessThan(alive.length * 7);
    expect(asked.length).toBeLessThan(200);
  });

  it('says nothing of sessions that are new', () => {
    const fresh = lives.filter(({ from }) => from > MONDAY);
    expect(fresh.length).toBe(20);
    expect(fresh.flatMap(({ signs, from }) => signs.filter(({ at }) => at < from + WEEK_MS))).toEqual([]);
  });
});

describe('a session with office hours', () => {
  const LEARNED = MONDAY + 5 * WEEK_MS;
  const office = PATTERNS['office'] ?? (() => 0);
  const signsOf = (rate: Rate, hours: number) =>
    live({ id: 'ses_1', rate, from: MONDAY, diesAt: Infinity }, LEARNED + hours * HOUR_MS, seeded(3)).signs.filter(
      ({ at }) => at >= LEARNED,
    );

  it('is not even compared in a week in which everybody begins an hour later', () => {
    const shifted: Rate = (day, hour, at) => office(day, at < LEARNED ? hour : hour - 1, at);
    expect(signsOf(shifted, 168)).toEqual([]);
  });

  it('is compared, and not taken for silent, over a long weekend with holidays before and after it', () => {
    const isHoliday = (at: number): boolean => at >= LEARNED + 4 * 24 * HOUR_MS && at < LEARNED + 8 * 24 * HOUR_MS;
    const signs = signsOf((day, hour, at) => (isHoliday(at) ? 0 : office(day, hour, at)), 9 * 24);
    expect(signs.length).toBeGreaterThan(0);
    expect(signs.length).toBeLessThan(6);
    expect(signs.map(({ sign }) => sign)).not.toContain('suspect');
  });

  it('is taken for silent after some days without a word, whatever its backend shows, and only once', () => {
    const signs = signsOf((day, hour, at) => (at < LEARNED ? office(day, hour, at) : 0), 168);
    expect(signs.filter(({ sign }) => sign === 'suspect')).toHaveLength(1);
    expect(signs.find(({ sign }) => sign === 'suspect')?.at).toBeGreaterThan(LEARNED + 48 * HOUR_MS);
  });
});

describe('a look that comes late', () => {
  const AT = new Date(MONDAY + 30 * HOUR_MS);
  const always = { heard: NO_PATTERN.heard.map(() => 4), seen: NO_PATTERN.seen.map(() => 4) };
  const hearing: Hearing = {
    sessionId: 'ses_1',
    pattern: always,
    heardAt: new Date(MONDAY),
    worksSince: new Date(MONDAY - WEEK_MS),
    learnedUntil: new Date(MONDAY),
    listensFrom: new Date(MONDAY - WEEK_MS),
    askedFor: null,
    askedEvidence: 0,
  };

  it('after the engine was away, says nothing of the time in which nobody listened', () => {
    expect(listen(hearing, AT, SETTINGS)).toMatchObject({ sign: null, pattern: always, listensFrom: AT });
  });

  it('in its hour says that it is far too quiet', () => {
    const learnedUntil = new Date(AT.getTime() - HOUR_MS);
    expect(listen({ ...hearing, learnedUntil }, AT, SETTINGS).sign).toBe('suspect');
  });

  it('says nothing before the quietest time that is set is over', () => {
    const learnedUntil = new Date(AT.getTime() - HOUR_MS);
    expect(listen({ ...hearing, learnedUntil }, AT, { isOn: true, afterMs: 31 * HOUR_MS }).sign).toBeNull();
  });

  it('learns nothing from hours in which the session did not work', () => {
    const learnedUntil = new Date(AT.getTime() - 2 * HOUR_MS);
    const { pattern } = listen({ ...hearing, learnedUntil, worksSince: null }, AT, SETTINGS);
    expect(pattern).toEqual(always);
  });
});
