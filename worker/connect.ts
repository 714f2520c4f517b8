import { setTimeout as pause } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import type { NativeConnectionOptions } from '@temporalio/worker';

const RETRY_MS = 1_000;

/** Connects, waiting for Temporal as long as it takes: a worker that starts first must not fail for it. */
export async function connectPatiently(
  options: NativeConnectionOptions,
  stopping: AbortSignal,
  onRetry: () => void,
): Promise<NativeConnection> {
  for (;;) {
    try {
      return await NativeConnection.connect(options);
    } catch (error) {
      stopping.throwIfAborted();
      if (!isUnreachable(error)) throw error;
      onRetry();
      await pause(RETRY_MS, undefined, { signal: stopping });
    }
  }
}

/** A wrong certificate or key does not heal by waiting. */
function isUnreachable(error: unknown): boolean {
  return (
    error instanceof Error &&
    /unavailable|transport|connect|refused|timed? ?out/i.test(`${error.name} ${error.message}`)
  );
}
