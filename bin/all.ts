import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createLogger, logTo } from '../api/wire/logger.ts';
import type { Logger } from '../api/wire/logger.ts';
import { startApi } from '../api/start.ts';
import { loadConfig } from '../config/config.ts';
import { makeConsoleLink } from '../db/tenants/console-link.ts';
import { LOGIN_SECONDS } from '../domain/console/pages.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../db/engine/database.ts';
import { findDashboard } from '../db/tenants/dashboard.ts';
import { openDataDirectory } from '../local/embedded/data-directory.ts';
import { openLog } from '../local/embedded/log-file.ts';
import { freePort, requirePort } from '../local/embedded/port.ts';
import { StartupError } from '../local/embedded/startup-error.ts';
import type { RunningWorker } from '../worker/start.ts';
import { createChecks } from './checks.ts';
import { apiParts } from './compose.ts';
import { writeEngineRecord } from './engine-record.ts';
import { startEmbedded } from './embedded-parts.ts';
import { open } from './open.ts';
import type { Start } from './open.ts';
import { FIRST_AGENCY } from './screen/first-steps.ts';
import { startScreen } from './screen/start-screen.ts';
import { logStage, sayStage, sinceExecMs } from './stage.ts';
import { StopSteps } from './stoppable.ts';
import type { Stoppable } from './stoppable.ts';
import { readMetrics } from './telemetry/temporal-metrics.ts';
import { runWorkflows } from './worker.ts';

const TICKET_MS = 15 * 60_000;
/** A part that has ended is noticed within a quarter of a second. */
const END_SEEN_WITHIN_MS = 500;

/** Runs `npm start`: everything on one machine without configuration. A part is left out when its variable is set. */
export async function runAll(stopping: AbortSignal): Promise<Stoppable> {
  const given = loadConfig();
  // The screen is for people, so the log goes to a file of its own and the screen stays readable.
  const directory = await openDataDirectory({ path: given.dataDir });
  const log = createLogger({
    level: given.logLevel,
    name: 'engine',
    destination: logTo(openLog(join(directory.path, 'engine.log'))),
  });
  const say = sayStage;
  logStage({ log, say }, 'program');
  const steps = new StopSteps(log);
  steps.add(() => directory.unlock());
  return steps.unwindOnFailure(async () => {
    await requirePort(given.port, 'PORT', 'the API');
    if (given.metricsPort !== undefined) await requirePort(given.metricsPort, 'METRICS_PORT', 'the metrics');
    const failures = Promise.withResolvers<string>();
    const context = { directory, steps, stopping, say, onFailure: failures.resolve };
    const { config: known, temporalIsUp } = await unlessBroken(startEmbedded(given, context), failures.promise);
    const { worker, isRegistered, ticket } = await unlessBroken(
      startEngine({ config: known, log, steps, stopping, say }, temporalIsUp),
      failures.promise,
    );
    const config = { ...known, ...(await temporalIsUp) };
    stopping.throwIfAborted();
    steps.add(writeEngineRecord(directory.path, config, given));
    console.log(
      startScreen(config, { readyInMs: sinceExecMs(), dataDir: directory.path, given, isRegistered, ticket }),
    );
    return stoppable(worker, failures.promise, steps, log);
  });
}

/**
 * A part that ends during the start ends the start, because the rest may wait for it without end. An error that follows
 * from that is explained by the part.
 */
async function unlessBroken<T>(start: Promise<T>, failure: Promise<string>): Promise<T> {
  const broken = failure.then((why) => Promise.reject(new StartupError(why)));
  broken.catch(() => undefined);
  try {
    return await Promise.race([start, broken]);
  } catch (error) {
    await Promise.race([broken, pause(END_SEEN_WITHIN_MS)]);
    throw error;
  }
}

/**
 * Starts API, worker and dispatcher in one process, on one database and one connection to Temporal. The API accepts,
 * and events are delivered, while Temporal still starts and the workflows are being made ready.
 */
async function startEngine(
  start: Start,
  temporalIsUp: Promise<unknown>,
): Promise<{ worker: RunningWorker; isRegistered: boolean; ticket: string | null }> {
  const { config, log, steps, stopping } = start;
  stopping.throwIfAborted();
  const metricsAddress = `127.0.0.1:${await freePort()}`;
  const opened = await open(start, 'engine');
  const { automations, database, backends, probe } = opened;
  const apiFailed = new AbortController();
  let running: RunningWorker | undefined;
  const checks = createChecks({
    database,
    backends,
    probeTemporal: probe,
    missingSearchAttributes: () => running?.missingSearchAttributes ?? null,
  });
  const extraMetrics = async () => (running === undefined ? '' : readMetrics(metricsAddress));
  const parts = apiParts(config, { automations, database, backends, checks, log, extraMetrics });
  // Bundled now, so that the first page does not wait for it.
  void parts.readConsole();
  const serving = startApi(parts).then(
    (api) => {
      steps.add(() => api.close());
      logStage(start, 'api');
    },
    (error: unknown) => {
      apiFailed.abort();
      throw error;
    },
  );
  const both = { ...start, stopping: AbortSignal.any([stopping, apiFailed.signal]) };
  const [api, worker] = await Promise.allSettled([
    serving,
    runWorkflows(both, { ...opened, temporalIsUp, metricsAddress }),
  ]);
  // The failure is thrown only now: what was still starting has become a step that stops it.
  if (api.status === 'rejected') throw api.reason;
  if (worker.status === 'rejected') throw worker.reason;
  running = worker.value;
  void database.keepWarm();
  const screens = await database.read((queries) => findDashboard(queries, FIRST_AGENCY));
  return { worker: running, isRegistered: screens !== undefined, ticket: await firstTicket(database, config) };
}

/** Makes the link by which a person comes into the console without a key, once. */
async function firstTicket(database: Database, { engineApiKey: masterKey }: Config): Promise<string | null> {
  if (masterKey === undefined) return null;
  const link = {
    place: null,
    name: 'npm start',
    readOnly: false,
    scopes: null,
    pages: null,
    embedIn: [],
    by: { masterKey },
    loginSeconds: LOGIN_SECONDS,
  };
  const expiresAt = new Date(database.clock.now().getTime() + TICKET_MS);
  return (await database.statement((tx) => makeConsoleLink(tx, { ...link, expiresAt }))).ticket;
}

function stoppable(worker: RunningWorker, failure: Promise<string>, steps: StopSteps, log: Logger): Stoppable {
  let failed = false;
  const fail = (sentence: string): void => {
    failed = true;
    console.error(`\n${sentence}`);
  };
  const workerFailed = worker.done.catch((error: unknown) => {
    log.error({ err: error }, 'a worker ended with an error');
    fail('The worker ended with an error: see the log. Start again: nothing accepted is lost.');
  });
  return {
    ended: Promise.race([workerFailed, failure.then(fail)]),
    get failed() {
      return failed;
    },
    async stop() {
      console.log('\n  Stopping: running work is saved, other work waits for the next start.');
      await steps.run();
      console.log('  Stopped.');
    },
  };
}
