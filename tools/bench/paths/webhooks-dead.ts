import { agesOf, describeAges } from '../arrivals.ts';
import type { Machine } from '../machine.ts';
import { Receivers, REFUSING_URL } from '../receivers.ts';
import type { Result } from '../result.ts';
import { percentile } from '../statistics.ts';
import { underLoad } from '../webhook-load.ts';

const OTHERS = 99;
/** The tenant whose endpoint is dead, if it has one. */
const BUSY = OTHERS;
const EVENTS_PER_SECOND = { others: 40, busy: 360 };
const BUSY_EVENTS_EACH = 10;
/** The measure lasts at least this long, so that the other endpoints get enough events for a 95th percentile. */
const AT_LEAST_S = 10;
const WITHIN = 1.2;

/**
 * Measures how much the other endpoints notice of a dead one that gets 90 % of the traffic, against the same load
 * without that endpoint.
 */
export async function deadEndpoint(machine: Machine, seconds: number): Promise<Result[]> {
  const receivers = await Receivers.start(OTHERS);
  const hanging = await receivers.add('hangs');
  const measure = async (urlsOfBusy: string[]): Promise<number[]> => {
    const { written, arrivals } = await underLoad(machine, receivers, {
      urls: [...receivers.urls.map((url) => [url]), urlsOfBusy],
      streams: [
        {
          tenants: receivers.urls.map((_, index) => index),
          transactionsPerSecond: EVENTS_PER_SECOND.others,
          eventsEach: 1,
        },
        {
          tenants: [BUSY],
          transactionsPerSecond: EVENTS_PER_SECOND.busy / BUSY_EVENTS_EACH,
          eventsEach: BUSY_EVENTS_EACH,
        },
      ],
      seconds: Math.max(AT_LEAST_S, seconds),
      expected: (tenant) => (tenant === BUSY ? 0 : 1),
    });
    return agesOf(arrivals, written);
  };
  try {
    const without = await measure([]);
    const hangs = await measure([hanging]);
    const refuses = await measure([REFUSING_URL]);
    return [line('hangs', hangs, without), line('refuses', refuses, without)];
  } finally {
    await receivers.stop();
  }
}

function line(what: string, beside: number[], without: number[]): Result {
  const ratio = percentile(beside, 0.95) / percentile(without, 0.95);
  return {
    path: `commit to arrival of 99 endpoints beside one with 90 % of the traffic that ${what}`,
    measured: describeAges(beside),
    baseline: `without it ${describeAges(without)}`,
    ratio,
    aim: `≤ ${WITHIN}`,
    met: ratio <= WITHIN,
  };
}
