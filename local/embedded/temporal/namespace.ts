import { isAlive } from '../process/process-identity.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';
import { accepts } from '../port.ts';
import { runCommand } from '../process/run-command.ts';
import { waitUntil } from '../process/wait-until.ts';

/** The server's own default is a day, which is too short to look into a ticket. */
const RETENTION = '7d';

interface Question {
  binary: string;
  port: number;
  namespace: string;
  identity: ProcessIdentity;
  timeoutMs: number;
}

/**
 * Waits until the server answers for the namespace, and makes it keep closed executions long enough. Setting the
 * retention also asks whether the server is ready, so one command does both, and repeating it does no harm.
 */
export async function namespaceIsReady({ binary, port, namespace, identity, timeoutMs }: Question): Promise<boolean> {
  const words = ['operator', 'namespace', 'update', '--namespace', namespace, '--retention', RETENTION];
  // The person's own profile for another cluster must not be used here.
  const here = ['--address', `127.0.0.1:${port}`, '--disable-config-file', '--disable-config-env'];
  let ready = false;
  await waitUntil(
    async () => {
      if (!isAlive(identity)) return true;
      if (!(await accepts(port))) return false;
      const command = [...words, ...here, '--command-timeout', '5s'];
      ready = (await runCommand(binary, command, { env: {}, timeoutMs: 10_000 })).ok;
      return ready;
    },
    { timeoutMs, everyMs: 10 },
  );
  return ready;
}
