import { signal, waitForExit } from '../process/child-process.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';

export async function stopTemporal(identity: ProcessIdentity): Promise<void> {
  signal(identity, 'SIGTERM');
  if (await waitForExit(identity, 5_000)) return;
  // Its store is a write-ahead log: nothing that was answered is lost.
  signal(identity, 'SIGKILL');
  if (await waitForExit(identity, 5_000)) return;
  throw new Error(`Temporal (process ${identity.pid}) does not stop`);
}
