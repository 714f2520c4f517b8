import { heartbeat } from '@temporalio/activity';

/** A third of the shortest heartbeat timeout that a workflow asks for. */
const EVERY_MS = 4_000;

/**
 * Tells Temporal that the work goes on. When the heartbeats end, Temporal soon gives the work to another worker, whose
 * attempt gets what `progress` returned last.
 */
export async function beating<T>(work: () => Promise<T>, progress: () => unknown = () => null): Promise<T> {
  const timer = setInterval(() => heartbeat(progress()), EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
