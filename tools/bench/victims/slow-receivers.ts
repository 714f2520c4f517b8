import { agesOf } from '../arrivals.ts';
import type { Machine } from '../machine.ts';
import { Receivers } from '../receivers.ts';
import type { Result } from '../result.ts';
import { underLoad } from '../webhook-load.ts';
import { besideRow } from './beside.ts';

const VICTIMS = 5;
/** The tenants of the other agency, and the endpoints of each. */
const ABUSERS = 4;
const ENDPOINTS_EACH = 25;
const EVENTS_PER_SECOND = { victims: 30, abusers: 10 };
const SECONDS = 10;

/** Measures the events of an agency while the receivers of another say 200 after a long time. */
export async function slowReceivers(machine: Machine): Promise<Result[]> {
  const receivers = await Receivers.start(VICTIMS);
  const slow = await receivers.add('dawdles');
  const urls = Array.from({ length: ABUSERS }, (_, tenant) =>
    Array.from({ length: ENDPOINTS_EACH }, (_each, index) => `${slow}/${tenant}/${index}`),
  );
  const measure = async (abusers: string[][]): Promise<number[]> => {
    const { written, arrivals } = await underLoad(machine, receivers, {
      urls: receivers.urls.map((url) => [url]),
      abusers,
      streams: [
        {
          tenants: receivers.urls.map((_, index) => index),
          transactionsPerSecond: EVENTS_PER_SECOND.victims,
          eventsEach: 1,
        },
        ...(abusers.length === 0
          ? []
          : [
              {
                tenants: abusers.map((_, index) => -1 - index),
                transactionsPerSecond: EVENTS_PER_SECOND.abusers,
                eventsEach: 1,
              },
            ]),
      ],
      seconds: SECONDS,
      expected: (tenant) => (tenant < 0 ? 0 : 1),
    });
    return agesOf(arrivals, written);
  };
  try {
    const alone = await measure([]);
    const beside = await measure(urls);
    const path = `events of an agency beside another's ${ABUSERS * ENDPOINTS_EACH} receivers that say 200 late: commit to arrival`;
    return [besideRow(path, beside, alone)];
  } finally {
    await receivers.stop();
  }
}
