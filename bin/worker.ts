import { createLogger } from '../api/wire/logger.ts';
import { loadConfig } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { probeTemporal } from '../dispatch/temporal-client.ts';
import { connectPatiently } from '../worker/connect.ts';
import { installRuntime } from '../worker/runtime.ts';
import { startWorker } from '../worker/start.ts';
import { prebuiltWorkflows } from './bundle.ts';
import { activityDependencies, openBackend, openDatabase, temporalTarget, workerVersion } from './compose.ts';
import type { Stoppable } from './stoppable.ts';
import { StopSteps } from './stoppable.ts';

/** The worker half: stateless, any number of them. It waits for Temporal when it comes first. */
export async function runWorker(stopping: AbortSignal): Promise<Stoppable> {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, name: 'worker' });
  installRuntime(log, null);
  const steps = new StopSteps((error) => log.error({ err: error }, 'a step of the stop failed'));
  try {
    const target = temporalTarget(config);
    const backend = openBackend(config);
    steps.add(() => backend.close());
    await migrate(config.databaseDirectUrl ?? config.databaseUrl ?? '');
    stopping.throwIfAborted();
    const database = await openDatabase(config, log, 'engine-worker');
    steps.add(() => database.close());
    const connection = await connectPatiently(target.connectionOptions, stopping, () =>
      log.warn({}, 'Temporal cannot be reached yet; trying again'),
    );
    steps.add(() => connection.close());
    stopping.throwIfAborted();
    const worker = await startWorker({
      connection,
      namespace: target.namespace,
      only: config.workerQueues ?? null,
      version: workerVersion(config),
      probe: () => probeTemporal(target),
      log,
      dependencies: activityDependencies(config, { database, backend }),
      ...prebuiltWorkflows(config),
    });
    steps.add(() => worker.stop());
    stopping.throwIfAborted();
    log.info({ queues: config.workerQueues ?? 'all', buildId: config.workerBuildId }, 'the worker runs');
    let failed = false;
    const ended = worker.done.catch((error: unknown) => {
      failed = true;
      log.error({ err: error }, 'a worker ended by an error');
    });
    return {
      ended,
      get failed() {
        return failed;
      },
      stop: () => steps.run(),
    };
  } catch (error) {
    await steps.run();
    throw error;
  }
}
