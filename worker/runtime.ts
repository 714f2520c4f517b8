import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { LogEntry } from '@temporalio/worker';
import type { Log } from '../domain/log.ts';

let installed = false;

/**
 * Installs Temporal's runtime, once in a process. Its logs go into ours and its metrics are read at `metricsAddress`.
 * The runtime does not handle the process's signals, because it would stop the workers before our own stop has drained
 * them.
 */
export function installRuntime(log: Log, metricsAddress: string | null): void {
  if (installed) return;
  installed = true;
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('INFO', (entry) => write(log, entry)),
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
      ...(metricsAddress === null ? {} : { metrics: { prometheus: { bindAddress: metricsAddress } } }),
    },
  });
}

/** A queue without workflows is meant to be one, and the SDK offers no setting that says so. */
const OF_A_HEALTHY_WORKER: readonly string[] = ['No workflows registered, not polling for workflow tasks'];

function write(log: Log, { level, message, meta }: LogEntry): void {
  const fields = { temporal: meta ?? {} };
  if (level === 'ERROR') log.error(fields, message);
  else if (level === 'WARN' && !OF_A_HEALTHY_WORKER.includes(message)) log.warn(fields, message);
  else log.debug(fields, message);
}
