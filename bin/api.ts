import { createLogger } from '../api/wire/logger.ts';
import { startApi } from '../api/start.ts';
import { loadConfig } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { Dispatcher } from '../loops/dispatcher.ts';
import { ensureSearchAttributes } from '../dispatch/search-attributes.ts';
import { createLazyClient, probeTemporal } from '../dispatch/temporal-client.ts';
import { createChecks } from './checks.ts';
import { apiParts, openBackend, openDatabase, temporalTarget } from './compose.ts';
import type { Stoppable } from './stoppable.ts';
import { StopSteps } from './stoppable.ts';

/** The API half: stateless, any number of them. It starts and accepts while Temporal is down. */
export async function runApi(stopping: AbortSignal): Promise<Stoppable> {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, name: 'api' });
  const steps = new StopSteps((error) => log.error({ err: error }, 'a step of the stop failed'));
  try {
    const target = temporalTarget(config);
    const probe = (): Promise<void> => probeTemporal(target);
    const backend = openBackend(config);
    steps.add(() => backend.close());
    await migrate(config.databaseDirectUrl ?? config.databaseUrl ?? '');
    stopping.throwIfAborted();
    const database = await openDatabase(config, log, 'engine-api');
    steps.add(() => database.close());
    stopping.throwIfAborted();
    const client = createLazyClient(target);
    steps.add(() => client.connection.close());
    let missing: string | null = null;
    const dispatcher = new Dispatcher({
      database,
      client,
      eager: false,
      attributes: async () => {
        const { names, missingCommand } = await ensureSearchAttributes(client.connection, target.namespace);
        missing = missingCommand;
        return names;
      },
      probe,
      findPhone: backend.findPhone,
      log,
    });
    dispatcher.start();
    steps.add(() => dispatcher.stop());
    const checks = createChecks({ database, backend, probeTemporal: probe, missingSearchAttributes: () => missing });
    const api = await startApi(apiParts(config, { database, backend, checks, log }));
    steps.add(() => api.close());
    stopping.throwIfAborted();
    log.info({ url: api.url }, 'the API listens');
    return { ended: new Promise(() => undefined), failed: false, stop: () => steps.run() };
  } catch (error) {
    await steps.run();
    throw error;
  }
}
