import { signal, waitForExit } from '../process/child-process.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';

/** Ends the server: clients are disconnected and everything is on disk before it goes. */
export async function stopPostgres(identity: ProcessIdentity): Promise<void> {
  signal(identity, 'SIGINT');
  if (await waitForExit(identity, 15_000)) return;
  // Without the last checkpoint: nothing is lost, the next start replays the log.
  signal(identity, 'SIGQUIT');
  if (await waitForExit(identity, 15_000)) return;
  throw new Error(`PostgreSQL (process ${identity.pid}) does not stop`);
}
