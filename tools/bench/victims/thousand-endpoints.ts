import { agesOf } from '../arrivals.ts';
import { startChild } from '../child.ts';
import type { Machine } from '../machine.ts';
import { Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import { underLoad } from '../webhook-load.ts';
import { besideRow } from './beside.ts';

const OTHERS = 9;
/** The tenant with the many endpoints, and how many they are. */
const LARGE = OTHERS;
const ENDPOINTS = 1_000;
const EVENTS_PER_SECOND = { others: 45, large: 0.3 };
const SECONDS = 12;

/**
 * Measures the events of other tenants while one tenant has a thousand endpoints that get each of its events. These
 * endpoints are a process of their own: where their posts arrived in the process that notes when the others' events
 * come, each of those would wait behind a thousand posts that have nothing to do with the engine.
 */
export async function thousandEndpoints(machine: Machine): Promise<Result[]> {
  const others = await Receivers.start(OTHERS);
  const large = await startChild('./bare/upload-sink.ts', [], { env: machine.env(), ready: /^http/ });
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => `${large.line}/${index}`);
  const measure = async (urlsOfLarge: string[]): Promise<number[]> => {
    const { written, arrivals } = await underLoad(machine, others, {
      urls: [...others.urls.map((url) => [url]), urlsOfLarge],
      streams: [
        {
          tenants: others.urls.map((_, index) => index),
          transactionsPerSecond: EVENTS_PER_SECOND.others,
          eventsEach: 1,
        },
        { tenants: [LARGE], transactionsPerSecond: EVENTS_PER_SECOND.large, eventsEach: 1 },
      ],
      seconds: SECONDS,
      expected: (tenant) => (tenant === LARGE ? 0 : 1),
    });
    return agesOf(arrivals, written);
  };
  try {
    const alone = await measure([]);
    const beside = await measure(urls);
    return [
      besideRow(`events of others beside a tenant with ${ENDPOINTS} endpoints: commit to arrival`, beside, alone),
    ];
  } finally {
    await others.stop();
    await large.stop();
  }
}
