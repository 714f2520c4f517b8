import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

const Stream = z.object({
  /** Transactions go to one after the other. */
  tenants: z.array(z.int()),
  transactionsPerSecond: z.number(),
  eventsEach: z.int(),
});
export type Stream = z.infer<typeof Stream>;

export const WriterTask = z.object({ databaseUrl: z.string(), seconds: z.number(), streams: z.array(Stream) });
type WriterTask = z.infer<typeof WriterTask>;

const Written = z.object({ index: z.int(), tenant: z.int(), committedAt: z.number() });
export type Written = z.infer<typeof Written>;

/** Writes events at fixed rates in a thread of its own; answers with each one and when its transaction had committed. */
export async function writeEvents(task: WriterTask): Promise<Written[]> {
  const writer = new Worker(new URL('./event-writer.ts', import.meta.url), { workerData: task });
  const [written]: unknown[] = await once(writer, 'message');
  return z.array(Written).parse(written);
}

/** How many a second were committed, from the first to the last. */
export function perSecondOf(written: readonly Written[]): number {
  const times = written.map(({ committedAt }) => committedAt);
  const first = times.reduce((least, at) => Math.min(least, at), Infinity);
  const last = times.reduce((most, at) => Math.max(most, at), 0);
  return (written.length * 1_000) / (last - first);
}
