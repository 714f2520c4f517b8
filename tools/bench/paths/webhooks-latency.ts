import { agesOf, describeAges, perSecond } from '../arrivals.ts';
import { cpuOfEach, rowOf } from '../harness/harness.ts';
import type { Machine } from '../machine.ts';
import { Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import { percentile, round } from '../statistics.ts';
import { underLoad } from '../webhook-load.ts';
import type { Loaded } from '../webhook-load.ts';

const DASHBOARDS = 10;
/** The rates with what the ages may be; a rate without it is published, because these are more than two cores write. */
const RATES: readonly { perSecond: number; atMost?: { p50?: number; p95: number } }[] = [
  { perSecond: 50, atMost: { p50: 3, p95: 10 } },
  { perSecond: 200, atMost: { p50: 3, p95: 10 } },
  { perSecond: 1_000, atMost: { p95: 40 } },
  { perSecond: 2_000 },
];
/** More events than this come with more events in each transaction. */
const MAX_TRANSACTIONS_PER_SECOND = 200;
/** All processes may use this much for an event that is written at 200 a second and delivered. */
const COUNTED_RATE = 200;
const MAX_CPU_MS = 2.2;
const MANY = 1_000;
const MANY_OF_A_TENANT = 10;
/** Long enough to show an endpoint that no drain serves for a while. */
const MANY_FOR_S = 10;

/** Measures from the commit of an event to its arrival, at fixed rates that slow deliveries do not slow down. */
export async function webhookLatency(machine: Machine, seconds: number): Promise<Result[]> {
  const results: Result[] = [];
  const receivers = await Receivers.start(DASHBOARDS);
  try {
    for (const { perSecond: rate, atMost } of RATES) {
      const transactionsPerSecond = Math.min(rate, MAX_TRANSACTIONS_PER_SECOND);
      const eventsEach = rate / transactionsPerSecond;
      const loaded = await underLoad(machine, receivers, {
        urls: receivers.urls.map((url) => [url]),
        streams: [{ tenants: range(DASHBOARDS), transactionsPerSecond, eventsEach }],
        seconds,
        expected: () => 1,
      });
      results.push(line(`commit to arrival, ${rate} events/s to ${DASHBOARDS} dashboards`, loaded, atMost));
      if (rate === COUNTED_RATE) results.push(cpuLine(loaded));
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
    return [line(`commit to arrival, ${MANY} endpoints, an event a second each`, loaded, { p95: 50 })];
  } finally {
    await receivers.stop();
  }
}

function line(path: string, loaded: Loaded, atMost?: { p50?: number; p95: number }): Result {
  const { written, arrivals, missing } = loaded;
  const times = [perSecond(written.map(({ committedAt }) => committedAt)), perSecond(arrivals.map(({ at }) => at))];
  const [wrote, arrived] = times.map((rate) => round(rate, 0));
  const ages = agesOf(arrivals, written);
  const { p50 = Infinity, p95 = Infinity } = atMost ?? {};
  const aims = [...(p50 < Infinity ? [`p50 ≤ ${p50} ms`] : []), ...(p95 < Infinity ? [`p95 ≤ ${p95} ms`] : [])];
  return rowOf(loaded.measured, {
    path,
    measured: describeAges(ages),
    baseline: `written ${wrote} /s, arrived ${arrived} /s${missing === 0 ? '' : `, ${missing} not in time`}`,
    ratio: null,
    aim: aims.length === 0 ? 'published' : aims.join(', '),
    met: missing === 0 && percentile(ages, 0.5) <= p50 && percentile(ages, 0.95) <= p95,
  });
}

/** Adds up what the processes used for each event, the writer in the place of an API process. */
function cpuLine({ measured }: Loaded): Result {
  const cpuMs = cpuOfEach(measured);
  return rowOf(measured, {
    path: `CPU of 1,000 events accepted and delivered, ${DASHBOARDS} endpoints, all processes`,
    measured: `${cpuMs} s`,
    baseline: '',
    ratio: null,
    aim: `≤ ${MAX_CPU_MS} s`,
    met: cpuMs <= MAX_CPU_MS,
  });
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
