import type { NativeConnection } from '@temporalio/worker';
import { ShardOwner } from '../activities/webhooks/shards/owner.ts';
import { createLogger } from '../api/wire/logger.ts';
import { loadConfig } from '../config/config.ts';
import { freePort } from '../local/embedded/port.ts';
import { startWorker } from '../worker/start.ts';
import type { RunningWorker } from '../worker/start.ts';
import { bundledWorkflows } from './bundle.ts';
import { activityDependencies, metricsAddress, workerVersion } from './compose.ts';
import { open } from './open.ts';
import type { Opened, Start } from './open.ts';
import { logStage } from './stage.ts';
import { StopSteps } from './stoppable.ts';
import type { Stoppable } from './stoppable.ts';

/**
 * Runs the worker half. It is stateless, so any number of them may run. A worker that starts before Temporal waits for
 * it.
 */
export async function runWorker(stopping: AbortSignal): Promise<Stoppable> {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, name: 'worker' });
  logStage({ log }, 'program');
  const steps = new StopSteps(log);
  return steps.unwindOnFailure(async () => {
    const start = { config, log, steps, stopping };
    const opened = await open(start, 'engine-worker');
    const metricsAddress = await serveMetrics(start, opened);
    const worker = await runWorkflows(start, { ...opened, metricsAddress });
    log.info({ queues: config.workerQueues ?? 'all', buildId: config.workerBuildId }, 'the worker runs');
    void opened.database.keepWarm();
    let failed = false;
    const ended = worker.done.catch((error: unknown) => {
      failed = true;
      log.error({ err: error }, 'a worker ended with an error');
    });
    return {
      ended,
      get failed() {
        return failed;
      },
      stop: () => steps.run(),
    };
  });
}

/** Serves the worker's metrics where a port is set. Returns where Temporal's SDK has to show its own; null if nowhere. */
async function serveMetrics({ config, log, steps }: Start, { database }: Opened): Promise<string | null> {
  if (config.metricsPort === undefined) return null;
  const { serveWorkerMetrics } = await import('./telemetry/worker-metrics.ts');
  const temporalAddress = `127.0.0.1:${await freePort()}`;
  const served = await serveWorkerMetrics(metricsAddress(config), { database, temporalAddress, log });
  steps.add(() => served.close());
  return temporalAddress;
}

/** Services of an engine that runs as one process. */
interface OfAll {
  /** Resolves when the Temporal that this process starts is up. */
  temporalIsUp?: Promise<unknown>;
  /** The address at which Temporal's SDK shows its metrics. */
  metricsAddress?: string | null;
}

/** Posts webhooks at once, connects to Temporal, waits for it if it is not there yet, and serves the task queues. */
export async function runWorkflows(
  start: Start,
  { automations, database, backends, temporal, probe, temporalIsUp, metricsAddress = null }: Opened & OfAll,
): Promise<RunningWorker> {
  const { config, log, steps, stopping } = start;
  const dependencies = activityDependencies(config, { automations, database, backends });
  const servesWebhooks = config.workerQueues?.includes('webhooks') ?? true;
  const webhooks = servesWebhooks ? new ShardOwner(dependencies, log).start() : null;
  if (webhooks) steps.add(() => webhooks.stop());
  logStage(start, 'deliveries');
  const connections: NativeConnection[] = [];
  steps.add(async () => {
    for (const connection of connections) await connection.close();
  });
  const worker = await startWorker({
    async connect() {
      const [{ installRuntime }, { connectPatiently }] = await Promise.all([
        import('../worker/runtime.ts'),
        import('../worker/connect.ts'),
      ]);
      installRuntime(log, metricsAddress);
      await temporalIsUp;
      const connection = await connectPatiently(temporal.connectionOptions, stopping, () =>
        log.warn({}, 'Temporal cannot be reached yet; trying again'),
      );
      connections.push(connection);
      stopping.throwIfAborted();
      logStage(start, 'connection to Temporal');
      return connection;
    },
    namespace: temporal.namespace,
    only: config.workerQueues ?? null,
    version: workerVersion(config),
    probe,
    log,
    dependencies,
    webhooks,
    workflowBundle: () => bundledWorkflows(config, log),
  });
  steps.add(() => worker.stop());
  logStage(start, 'workers');
  stopping.throwIfAborted();
  return worker;
}
