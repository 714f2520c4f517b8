import { setTimeout as pause } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import type { NativeConnectionOptions } from '@temporalio/worker';

const RETRY_MS = 1_000;

/** Connects and waits for Temporal as long as it takes, because a worker may start before Temporal does. */
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

/** Words of a wrong certificate or key, which come as failures of the transport, too. */
const REFUSED = /authentication credentials|permission|certificate|fatal alert/i;
const UNREACHABLE = /unavailable|transport|connect|refused|timed? ?out/i;

/** Tells an unreachable server from a wrong certificate or key, which does not heal by waiting. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error) || REFUSED.test(error.message)) return false;
  return UNREACHABLE.test(`${error.name} ${error.message}`);
}
