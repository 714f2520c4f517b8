import { join } from 'node:path';
import { isTrial } from '../config/checks.ts';
import { DEFAULT_BACKEND } from '../domain/backend-server.ts';
import type { Config } from '../config/config.ts';
import { useEngineRole } from '../db/operations/engine-role.ts';
import type { ModelSpec } from '../domain/agent/model.ts';
import { SEARCH_ATTRIBUTES } from '../domain/workflows.ts';
import type { DataDirectory } from '../local/embedded/data-directory.ts';
import { logPosition, logSince } from '../local/embedded/log-file.ts';
import { requirePort } from '../local/embedded/port.ts';
import { startPostgres } from '../local/embedded/postgres/postgres.ts';
import { startTemporal } from '../local/embedded/temporal/temporal.ts';
import type { EmbeddedTemporal } from '../local/embedded/temporal/temporal.ts';
import { startSandbox } from '../local/sandbox/main.ts';
import type { StopSteps } from './stoppable.ts';
import { findTemporalProgram } from './temporal-program.ts';

export interface EmbeddedContext {
  directory: DataDirectory;
  steps: StopSteps;
  /** Aborts when the start is called off. Every part that runs by then has its step, and no other part is started. */
  stopping: AbortSignal;
  /** Shows progress to the person who waits. */
  say: (line: string) => void;
  /** Called with a sentence when a part ends by itself. */
  onFailure: (sentence: string) => void;
}

const NAMESPACE = 'default';
const SECRET_BYTES = 32;
/** A server that ends writes its reason last. */
const LAST_WORDS_BYTES = 4_000;
/**
 * Settings for a machine that has other things to do. The pages that PostgreSQL does not keep are in the machine's own
 * cache. Without compiled plans a connection does without the compiler's memory; our statements are short.
 */
const SMALL_POSTGRES = {
  shared_buffers: '48MB',
  jit: 'off',
  autovacuum_max_workers: '2',
  'pg_stat_statements.max': '1000',
};
/** With twice as many connections PostgreSQL takes 100 MB more, and two or four processors are busy with ten. */
const SMALL_POOL = 10;
/** The superuser stays with PostgreSQL's own files: only this role is given to the engine and its commands. */
const ENGINE_ROLE = 'engine';
const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const SANDBOX_GIVES_UP_AFTER_MS = 15_000;
const SANDBOX_MODEL: ModelSpec = { id: 'sandbox-model', provider: 'openai-compatible' };

export interface Embedded {
  /** The configuration with what was started and generated. */
  config: Config;
  /**
   * Resolves when Temporal answers at the configured address, with what of the configuration is known only then.
   * Rejects when it could not be started.
   */
  temporalIsUp: Promise<Partial<Config>>;
}

/**
 * Starts each part that no variable points to. Temporal is not waited for, because what is in the database can be
 * served and delivered without it.
 */
export async function startEmbedded(given: Config, context: EmbeddedContext): Promise<Embedded> {
  if (given.nodeEnv === 'production') return { config: given, temporalIsUp: Promise.resolve({}) };
  const secrets = await generateSecrets(given, context.directory);
  context.stopping.throwIfAborted();
  const temporal = given.temporalAddress === undefined ? temporalServer(given, context) : null;
  const parts = await Promise.allSettled([
    given.databaseUrl === undefined ? postgres(given, context) : {},
    given.backends.length === 0 || given.llmModels.length === 0 ? sandboxServer(given, context) : {},
  ]);
  // The failure is thrown only now: a part that was still starting when another failed has become a step that stops it.
  const started = parts.map((part) => {
    if (part.status === 'rejected') throw part.reason;
    return part.value;
  });
  return {
    config: started.reduce<Config>((config, part) => ({ ...config, ...part }), {
      ...given,
      ...secrets,
      ...temporal?.config,
    }),
    temporalIsUp: temporal?.isUp ?? Promise.resolve({}),
  };
}

/** Generates each missing secret once and keeps it in the data directory. */
async function generateSecrets(given: Config, directory: DataDirectory): Promise<Partial<Config>> {
  const make = (name: string): Promise<string> => directory.readOrCreateSecret(name, SECRET_BYTES);
  return {
    engineApiKey: given.engineApiKey ?? (await make('engine-api-key')),
    workflowEngineInternalPsk: given.workflowEngineInternalPsk ?? (await make('internal-psk')),
    engineEncryptionKey: given.engineEncryptionKey ?? (await make('encryption-key')),
    backendWebhookSecret: given.backendWebhookSecret ?? (await make('backend-webhook-secret')),
    egressAllow: isTrial(given) ? LOOPBACK : given.egressAllow,
  };
}

async function postgres(
  given: Config,
  { directory, steps, say, onFailure }: EmbeddedContext,
): Promise<Partial<Config>> {
  const server = await startPostgres({
    dataDir: directory.path,
    port: given.postgresPort === 0 ? undefined : given.postgresPort,
    settings: SMALL_POSTGRES,
    log: say,
  });
  steps.add(() => server.stop());
  server.onExit(() => {
    const why = lastFailure(join(directory.path, 'postgres.log'));
    const todo = why?.includes('No space left') === true ? 'Free space on its disk and start again' : 'Start again';
    onFailure(`PostgreSQL has ended${why === null ? '' : ` (${why})`}. ${todo}: nothing that was accepted is lost.`);
  });
  const password = await directory.readOrCreateSecret('postgres-engine-password', SECRET_BYTES);
  const url = await useEngineRole(server.url, { role: ENGINE_ROLE, password });
  return {
    databaseUrl: url,
    databaseDirectUrl: url,
    databasePoolSize: given.databasePoolSize ?? SMALL_POOL,
  };
}

/** Returns why a PostgreSQL has just ended by itself; null where its log does not say. */
function lastFailure(logPath: string): string | null {
  const said = logSince(logPath, Math.max(0, logPosition(logPath) - LAST_WORDS_BYTES));
  return said.match(/(?<=\b(?:PANIC|FATAL): +)\S.*/g)?.at(0) ?? null;
}

/** Begins to start Temporal at the port that it will have. */
function temporalServer(
  given: Config,
  context: EmbeddedContext,
): { config: Partial<Config>; isUp: Embedded['temporalIsUp'] } {
  const namespace = given.temporalNamespace ?? NAMESPACE;
  const starting = findAndStart(given, namespace, context);
  // It is stopped after all that is started later, and before that it has to be up.
  context.steps.add(() =>
    starting.then(
      ({ server }) => server.stop(),
      () => undefined,
    ),
  );
  const isUp = starting.then(({ server, temporalCliPath }) => {
    server.onExit(() => context.onFailure('Temporal has ended. Start again: nothing that was accepted is lost.'));
    return { temporalCliPath };
  });
  // Whoever waits for it tells why it could not be started.
  isUp.catch(() => undefined);
  const temporalUiUrl = given.temporalUiUrl ?? `http://127.0.0.1:${given.temporalUiPort}`;
  const temporalAddress = `127.0.0.1:${given.temporalPort}`;
  return { config: { temporalAddress, temporalNamespace: namespace, temporalUiUrl }, isUp };
}

async function findAndStart(
  given: Config,
  namespace: string,
  { directory, stopping, say }: EmbeddedContext,
): Promise<{ server: EmbeddedTemporal; temporalCliPath: string }> {
  const binary = await unlessAborted(stopping, findTemporalProgram(given, say));
  const server = await startTemporal({
    binary,
    dataDir: directory.path,
    port: given.temporalPort,
    uiPort: given.temporalUiPort,
    namespace,
    isSmall: true,
    searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, 'Keyword' as const])),
    log: say,
  });
  return { server, temporalCliPath: binary };
}

/** The sandbox plays the network, the model, or both. */
async function sandboxServer(given: Config, { directory, steps, say }: EmbeddedContext): Promise<Partial<Config>> {
  await requirePort(given.sandboxPort, 'SANDBOX_PORT', 'The sandbox');
  const apiKey = await directory.readOrCreateSecret('sandbox-api-key', SECRET_BYTES);
  const sandbox = await startSandbox({
    port: given.sandboxPort,
    apiKey,
    journalPath: join(directory.path, 'sandbox.jsonl'),
    // A first look at the inbox should show something, so the past comes at once. A real phone takes minutes to hand it
    // over.
    historyDelayMs: 0,
    ...(given.sandboxScansQrCodes ? {} : { autoScanAfterMs: null }),
  });
  steps.add(() => sandbox.close());
  say(`Sandbox started on port ${sandbox.port}: a simulated network and model`);
  return {
    ...(given.backends.length === 0 ? sandboxed(given, { url: sandbox.url, apiKey }) : {}),
    ...(given.llmModels.length === 0
      ? { llmBaseUrl: `${sandbox.url}/llm/v1`, llmApiKey: apiKey, llmModels: [SANDBOX_MODEL] }
      : {}),
  };
}

/**
 * Sends to the sandbox are not paced, and what cannot be found there is given up soon: no network takes offence, and
 * nobody wants to wait for a simulation.
 */
function sandboxed(given: Config, { url, apiKey }: { url: string; apiKey: string }): Partial<Config> {
  const settleGiveUpAfterMs = Math.min(given.settleGiveUpAfterMs, SANDBOX_GIVES_UP_AFTER_MS);
  const backends = [{ id: DEFAULT_BACKEND, url, apiKey, weight: 1, engine: null }];
  return { backends, pacePerMinute: 0, settleGiveUpAfterMs };
}

/** Rejects as soon as the start is called off. A download can take minutes, and the process ends without it. */
async function unlessAborted<T>(stopping: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(stopping.reason);
  stopping.addEventListener('abort', abort);
  try {
    const done = await Promise.race([work, aborted.promise]);
    stopping.throwIfAborted();
    return done;
  } finally {
    stopping.removeEventListener('abort', abort);
  }
}
