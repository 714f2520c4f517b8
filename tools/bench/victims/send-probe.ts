import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { sendTo } from '../agency.ts';
import { openLoop } from '../load.ts';
import type { Machine } from '../machine.ts';

const Record = z.object({
  sends: z.array(z.object({ at: z.union([z.number(), z.string()]), body: z.string().nullable() })),
});
const LOOK_EVERY_MS = 500;
/** The numbers that probes write to, apart from those of the load beside them. */
const FIRST_NUMBER = 6_000;
const NUMBERS = 1_900;

/** The sandbox keeps what former probes have sent, so each probe has texts of its own. */
let probes = 0;

export interface Probe {
  /** Milliseconds from each request to the backend's receipt; of the messages that came. */
  latencies: number[];
  lost: number;
  /** The messages that the backend got more than once. */
  repeated: number;
}

/**
 * Sends at a fixed rate and returns when each message reached the backend. `patienceMs` after the last request a message
 * that has not come counts as lost.
 */
export async function probeSends(
  { machine, url, sessionId }: { machine: Machine; url: string; sessionId: string },
  load: { word: string; perSecond: number; seconds: number; patienceMs: number; contentOf?: (text: string) => object },
): Promise<Probe> {
  const startedAt = new Map<string, number>();
  const probe = (probes += 1);
  let index = 0;
  await openLoop(
    url,
    () => {
      const text = `${load.word} ${probe} ${index}`;
      // The sandbox notes arrivals by the machine's clock, which may be set while the bench runs.
      startedAt.set(text, Date.now());
      const content = load.contentOf?.(text) ?? { text };
      return sendTo(FIRST_NUMBER + (index++ % NUMBERS), { session: sessionId, ...content });
    },
    load,
  );
  const deadline = performance.now() + load.patienceMs;
  for (;;) {
    const { sends } = Record.parse(await machine.sandbox('GET', '/record'));
    const came = Map.groupBy(
      sends.filter(({ body }) => startedAt.has(body ?? '')),
      ({ body }) => body ?? '',
    );
    if (came.size === startedAt.size || performance.now() > deadline) {
      const latencies = [...came].map(([text, [first]]) => timeOf(first?.at) - (startedAt.get(text) ?? 0));
      const repeated = [...came.values()].filter(({ length }) => length > 1).length;
      return { latencies, lost: startedAt.size - came.size, repeated };
    }
    await pause(LOOK_EVERY_MS);
  }
}

function timeOf(at: string | number | undefined): number {
  return new Date(at ?? 0).getTime();
}
