import { agesOf, describeAges, perSecond } from '../arrivals.ts';
import type { Machine } from '../machine.ts';
import { Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import { round } from '../statistics.ts';
import { underLoad } from '../webhook-load.ts';
import type { Loaded } from '../webhook-load.ts';

const DASHBOARDS = 10;
const RATES = [200, 1_000, 2_000] as const;
/** The same number at every rate; a higher rate has more events in each transaction. */
const TRANSACTIONS_PER_SECOND = 200;
const MANY = 1_000;
const MANY_OF_A_TENANT = 10;
/** Long enough to show an endpoint that no drain serves for a while. */
const MANY_FOR_S = 10;

/** Measures from the commit of an event to its arrival, at fixed rates that slow deliveries do not slow down. */
export async function webhookLatency(machine: Machine, seconds: number): Promise<Result[]> {
  const results: Result[] = [];
  const receivers = await Receivers.start(DASHBOARDS);
  try {
    for (const rate of RATES) {
      const eventsEach = rate / TRANSACTIONS_PER_SECOND;
      const loaded = await underLoad(machine, receivers, {
        urls: receivers.urls.map((url) => [url]),
        streams: [{ tenants: range(DASHBOARDS), transactionsPerSecond: TRANSACTIONS_PER_SECOND, eventsEach }],
        seconds,
        expected: () => 1,
      });
      results.push(line(`commit to arrival, ${rate} events/s to ${DASHBOARDS} dashboards`, loaded));
    }
  } finally {
    await receivers.stop();
  }
  return results;
}

/** Measures many endpoints with one event a second each, none of which may have to wait for a free drain. */
export async function manyEndpoints(machine: Machine, seconds: number): Promise<Result[]> {
  const receivers = await Receivers.start(MANY);
  const tenants = range(MANY / MANY_OF_A_TENANT);
  try {
    const loaded = await underLoad(machine, receivers, {
      urls: tenants.map((tenant) => receivers.urls.slice(tenant * MANY_OF_A_TENANT, (tenant + 1) * MANY_OF_A_TENANT)),
      streams: [{ tenants, transactionsPerSecond: tenants.length, eventsEach: 1 }],
      seconds: Math.max(MANY_FOR_S, seconds),
      expected: () => MANY_OF_A_TENANT,
    });
    return [line(`commit to arrival, ${MANY} endpoints, an event a second each`, loaded)];
  } finally {
    await receivers.stop();
  }
}

function line(path: string, { written, arrivals, missing }: Loaded): Result {
  const times = [perSecond(written.map(({ committedAt }) => committedAt)), perSecond(arrivals.map(({ at }) => at))];
  const [wrote, arrived] = times.map((rate) => round(rate, 0));
  return {
    path,
    measured: describeAges(agesOf(arrivals, written)),
    baseline: `written ${wrote} /s, arrived ${arrived} /s${missing === 0 ? '' : `, ${missing} not in time`}`,
    ratio: null,
    aim: 'published',
    met: missing === 0,
  };
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
