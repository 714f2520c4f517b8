import type { Logger } from '../api/wire/logger.ts';
import type { Backends } from '../adapters/backend/backends.ts';
import type { Config } from '../config/config.ts';
import type { Catalogue } from '../domain/automations/definition.ts';
import type { Database } from '../db/engine/database.ts';
import { migrate } from '../db/migrate.ts';
import { probeTemporal } from '../loops/dispatch/temporal-client.ts';
import type { TemporalTarget } from '../loops/dispatch/temporal-client.ts';
import { readAutomations } from './automations.ts';
import { databaseUrls, openBackends, openDatabase } from './compose.ts';
import { VERSION } from './version.ts';
import { logStage } from './stage.ts';
import type { StopSteps } from './stoppable.ts';
import { temporalTarget } from './temporal-target.ts';

/** A half of the engine that is being started. */
export interface Start {
  config: Config;
  log: Logger;
  /** Every part that has been started adds the step that stops it. */
  steps: StopSteps;
  /** Aborted when the start is called off. */
  stopping: AbortSignal;
  /** Shows progress to the person who waits, if one does. */
  say?: (line: string) => void;
}

export interface Opened {
  automations: Catalogue;
  backends: Backends;
  database: Database;
  temporal: TemporalTarget;
  probe: (withinMs?: number) => Promise<void>;
}

/** Opens what both halves begin with: the automations, the backends' clients, the schema, and the database under the half's own name. */
export async function open(start: Start, applicationName: string): Promise<Opened> {
  const { config, log, steps, stopping } = start;
  await traceIfAsked({ config, log, steps }, applicationName);
  const automations = await readAutomations();
  const temporal = temporalTarget(config);
  const backends = openBackends(config);
  steps.add(() => backends.close());
  await migrate(databaseUrls(config).directUrl);
  logStage(start, 'schema');
  stopping.throwIfAborted();
  const database = await openDatabase(config, log, applicationName);
  steps.add(() => database.close());
  logStage(start, 'database');
  stopping.throwIfAborted();
  return { automations, backends, database, temporal, probe: (withinMs) => probeTemporal(temporal, withinMs) };
}

/** OpenTelemetry's libraries are loaded only here, so that they cost nothing where traces are off. */
async function traceIfAsked({ config, log, steps }: Omit<Start, 'stopping'>, service: string): Promise<void> {
  if (config.otlpEndpoint === undefined) return;
  const { startTracing } = await import('./telemetry/tracing.ts');
  const { otlpEndpoint: endpoint, tracesRatio: ratio } = config;
  steps.add(startTracing({ endpoint, ratio, service, version: VERSION, log }));
}
