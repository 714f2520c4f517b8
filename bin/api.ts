import { createLogger } from '../api/wire/logger.ts';
import { startApi } from '../api/start.ts';
import { loadConfig } from '../config/config.ts';
import { Dispatcher } from '../loops/dispatcher.ts';
import { ensureSearchAttributes } from '../loops/dispatch/search-attributes.ts';
import { createLazyClient } from '../loops/dispatch/temporal-client.ts';
import { createChecks } from './checks.ts';
import { apiParts } from './compose.ts';
import { warnOfMediaHost } from './media-host.ts';
import { open } from './open.ts';
import { logStage } from './stage.ts';
import { StopSteps } from './stoppable.ts';
import type { Stoppable } from './stoppable.ts';

/**
 * Runs the API half. It is stateless, so any number of them may run. It starts and accepts even while Temporal is down.
 */
export async function runApi(stopping: AbortSignal): Promise<Stoppable> {
  const config = loadConfig();
  const log = createLogger({ level: config.logLevel, name: 'api' });
  logStage({ log }, 'program');
  const steps = new StopSteps(log);
  return steps.unwindOnFailure(async () => {
    const opened = await open({ config, log, steps, stopping }, 'engine-api');
    const { automations, database, backends, temporal, probe } = opened;
    const client = createLazyClient(temporal);
    steps.add(() => client.connection.close());
    let missing: string | null = null;
    const dispatcher = new Dispatcher({
      database,
      client,
      eager: false,
      attributes: async () => {
        const { names, missingCommand } = await ensureSearchAttributes(client.connection, temporal.namespace);
        missing = missingCommand;
        return names;
      },
      probe,
      findPhone: backends.findPhone,
      log,
    });
    dispatcher.start();
    steps.add(() => dispatcher.stop());
    warnOfMediaHost(config, log);
    const checks = createChecks({ database, backends, probeTemporal: probe, missingSearchAttributes: () => missing });
    const api = await startApi(apiParts(config, { automations, database, backends, checks, log }));
    steps.add(() => api.close());
    stopping.throwIfAborted();
    log.info({ url: api.url }, 'the API listens');
    void database.keepWarm();
    return { ended: new Promise(() => undefined), failed: false, stop: () => steps.run() };
  });
}
