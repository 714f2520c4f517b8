import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { LogEntry } from '@temporalio/worker';
import type { Log } from '../domain/log.ts';

let installed = false;

/**
 * Temporal's runtime of this process, once: its logs go into ours, its signals are left to us (else it would stop its
 * worker before ours has drained), its metrics are read at `metricsAddress`.
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

function write(log: Log, { level, message, meta }: LogEntry): void {
  const fields = { temporal: meta ?? {} };
  if (level === 'ERROR') log.error(fields, message);
  else if (level === 'WARN') log.warn(fields, message);
  else log.debug(fields, message);
}
