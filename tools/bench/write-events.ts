import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';

const Stream = z.object({
  /** The tenants to which the transactions go, in turn. */
  tenants: z.array(z.int()),
  transactionsPerSecond: z.number(),
  eventsEach: z.int(),
});
export type Stream = z.infer<typeof Stream>;

export const WriterTask = z.object({
  databaseUrl: z.string(),
  seconds: z.number(),
  streams: z.array(Stream),
  /**
   * The index of the first event, which differs from an earlier load's, because events of that load may still be on
   * their way.
   */
  firstIndex: z.int(),
});
type WriterTask = z.infer<typeof WriterTask>;

const WrittenEvent = z.object({ index: z.int(), tenant: z.int(), committedAt: z.number() });
export type Written = z.infer<typeof WrittenEvent>;

export const WriterReport = z.object({ written: z.array(WrittenEvent), writerCpuMs: z.number() });
export type WriterReport = z.infer<typeof WriterReport>;

/**
 * Writes events at fixed rates in a thread of its own. Returns each event with the time at which its transaction had
 * committed, and the CPU time of the thread.
 */
export async function writeEvents(task: WriterTask): Promise<WriterReport> {
  const writer = new Worker(new URL('./event-writer.ts', import.meta.url), { workerData: task });
  const [report]: unknown[] = await once(writer, 'message');
  return WriterReport.parse(report);
}
