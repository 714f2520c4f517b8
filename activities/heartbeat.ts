import { heartbeat } from '@temporalio/activity';

/** A third of the shortest heartbeat timeout that a workflow asks for. */
const EVERY_MS = 4_000;

/**
 * Tells Temporal that the work goes on, so that another worker takes over soon when it does not. The next attempt gets what
 * `progress` said last.
 */
export async function beating<T>(work: () => Promise<T>, progress: () => unknown = () => null): Promise<T> {
  const timer = setInterval(() => heartbeat(progress()), EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
