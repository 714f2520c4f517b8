import { heartbeat } from '@temporalio/activity';

const EVERY_MS = 5_000;

/** Tells Temporal that the work goes on, so that another worker takes over soon when it does not. */
export async function beating<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => heartbeat(), EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
