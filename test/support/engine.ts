import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import { ShardOwner } from '../../activities/webhooks/shards/owner.ts';
import { createLogger } from '../../api/wire/logger.ts';
import { startApi } from '../../api/start.ts';
import type { RunningApi } from '../../api/start.ts';
import type { Backends } from '../../adapters/backend/backends.ts';
import { readAutomations } from '../../bin/automations.ts';
import { createChecks } from '../../bin/checks.ts';
import { activityDependencies, apiParts, openBackends, openDatabase } from '../../bin/compose.ts';
import { temporalTarget } from '../../bin/temporal-target.ts';
import type { Database } from '../../db/engine/database.ts';
import type { Config } from '../../config/config.ts';
import { createClient, probeTemporal } from '../../loops/dispatch/temporal-client.ts';
import type { Catalogue } from '../../domain/automations/definition.ts';
import type { TaskQueue } from '../../domain/names.ts';
import type { SettleDelays } from '../../domain/sending/message-state.ts';
import type { MediaStore } from '../../domain/sending/media.ts';
import { startSandbox } from '../../local/sandbox/main.ts';
import type { Sandbox, SandboxOptions } from '../../local/sandbox/main.ts';
import { installRuntime } from '../../worker/runtime.ts';
import { startWorker } from '../../worker/start.ts';
import type { RunningWorker } from '../../worker/start.ts';
import type { WorkerVersion } from '../../worker/workers.ts';
import { testConfig } from './config.ts';
import { checkEvents } from './event-schemas.ts';
import { BACKEND_KEY } from './keys.ts';
import { takeServers, workflowBundle } from './servers.ts';

/** A sandbox that is as quick as a test wants it. */
export const TEST_SANDBOX: SandboxOptions = {
  port: 0,
  apiKey: BACKEND_KEY,
  ackDelayMs: 20,
  replyDelayMs: 30,
  autoScanAfterMs: 50,
  sessionBlockMs: 50,
  historyDelayMs: 0,
  groupsDelayMs: 20,
  seed: 1,
};

export interface TestEngineOptions {
  sandbox?: Partial<SandboxOptions>;
  /** More variables of the environment. */
  environment?: Record<string, string>;
  settleDelays?: SettleDelays;
  listSessionsEveryMs?: number;
  repairLookEveryMs?: number;
  /** The encryption key that this engine replaces. */
  formerEncryptionKey?: string;
  version?: WorkerVersion;
  /** Other automations than those of this release, for the API; what runs is theirs. */
  automations?: Catalogue;
  /** Other code of the workflows than that of the test run; asked for at each start of a worker. */
  workflowBundle?: () => { codePath: string } | { code: string };
  /** Another Temporal than that of the test run. */
  temporal?: { address: string; namespace: string };
  /** Settings of its database alone. */
  databaseSettings?: Record<string, string>;
  /** Connections shared by all parts of the engine; a process's own default if missing. */
  databasePoolSize?: number;
  /** Gets every line that the engine logs, the most detailed ones among them. */
  logLines?: string[];
  /** Wraps the media store, to make it fail. */
  mediaStore?: (store: MediaStore) => MediaStore;
}

/** Absence is believed after moments: the sandbox does not send late. */
const SETTLE_SOON: SettleDelays = {
  afterErrorAnswerMs: 300,
  afterBrokenConnectionMs: 600,
  longestFileCallMs: 0,
  giveUpAfterMs: 300_000,
};

/** The whole engine against real servers and the sandbox, as `npm start` composes it. */
export class TestEngine {
  readonly url: string;
  /** The address of `/metrics`. */
  readonly metricsUrl: string;
  readonly database: Database;
  readonly sandbox: Sandbox;
  readonly namespace: string;
  /** The configuration of its parts. */
  readonly config: Config;
  readonly temporal: ReturnType<typeof createClient>;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.url = parts.api.url;
    this.metricsUrl = `http://127.0.0.1:${parts.api.metricsPort}/metrics`;
    this.database = parts.database;
    this.sandbox = parts.sandbox;
    this.namespace = parts.namespace;
    this.config = parts.config;
    this.temporal = createClient(parts.connection, parts.namespace);
  }

  /** Sends a control request to the sandbox. */
  async control(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.sandbox.url}/sandbox${path}`, {
      method,
      headers: { 'x-api-key': BACKEND_KEY, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${method} ${path}.`);
    return response.status === 204 ? undefined : response.json();
  }

  async stopWorker(): Promise<void> {
    await this.#parts.worker.stop();
  }

  /** Another worker beside the engine's, which the caller stops. */
  startVersion(version: WorkerVersion): Promise<RunningWorker> {
    return this.#parts.startVersion(version);
  }

  /** After a stop: the worker of a new process, of these queues alone if they are named. */
  async startWorker(only: readonly TaskQueue[] | null = null): Promise<void> {
    this.#parts.worker = await this.#parts.startVersion(null, only);
  }

  /** Every event that was emitted must fit what the engine says of it. */
  async close(): Promise<void> {
    try {
      await checkEvents(this.url, this.database);
    } finally {
      await this.#stop();
    }
  }

  async #stop(): Promise<void> {
    const { api, worker, connection, database, sandbox, backends, dataDir } = this.#parts;
    await api.close();
    await worker.stop();
    await connection.close();
    await backends.close();
    await sandbox.close();
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface Parts {
  api: RunningApi;
  worker: RunningWorker;
  startVersion(version: WorkerVersion | null, only?: readonly TaskQueue[] | null): Promise<RunningWorker>;
  connection: NativeConnection;
  namespace: string;
  config: Config;
  database: Database;
  sandbox: Sandbox;
  backends: Backends;
  dataDir: string;
}

export async function startEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  const { databaseUrl, ...servers } = await takeServers(options.databaseSettings);
  const { address, namespace } = options.temporal ?? { ...servers, address: servers.temporalAddress };
  const { logLines } = options;
  const log = createLogger(
    logLines
      ? { level: 'trace', name: 'test', destination: { write: (line) => void logLines.push(line) } }
      : { level: process.env['TEST_LOG_LEVEL'] ?? 'silent', name: 'test' },
  );
  installRuntime(log, null);
  const sandbox = await startSandbox({ ...TEST_SANDBOX, ...options.sandbox });
  const dataDir = await mkdtemp(join(tmpdir(), 'engine-test-'));
  const config = testConfig({
    DATABASE_URL: databaseUrl,
    BACKEND_URL: sandbox.url,
    DATA_DIR: dataDir,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    ...options.environment,
    ...(options.formerEncryptionKey === undefined
      ? {}
      : { ENGINE_ENCRYPTION_KEY_PREVIOUS: options.formerEncryptionKey }),
    ...(options.databasePoolSize === undefined ? {} : { DATABASE_POOL_SIZE: String(options.databasePoolSize) }),
  });
  const database = await openDatabase(config, log, 'engine-test');
  const backends = openBackends(config);
  const target = temporalTarget(config);
  const probe = () => probeTemporal(target);
  const connection = await NativeConnection.connect(target.connectionOptions);
  const automations = options.automations ?? (await readAutomations());
  const composed = activityDependencies(config, { automations, database, backends });
  const mediaStore = options.mediaStore?.(composed.media.store) ?? composed.media.store;
  const checks = createChecks({ database, backends, probeTemporal: probe, missingSearchAttributes: () => null });
  const api = await startApi({ ...apiParts(config, { automations, database, backends, checks, log }), mediaStore });
  const startVersion: Parts['startVersion'] = (version, only = null) =>
    startWorker({
      version,
      connect: async () => connection,
      namespace,
      only,
      webhooks: new ShardOwner(composed, log).start(),
      probe,
      log,
      workflowBundle: async () => options.workflowBundle?.() ?? workflowBundle(),
      ...(options.listSessionsEveryMs === undefined ? {} : { listSessionsEveryMs: options.listSessionsEveryMs }),
      ...(options.repairLookEveryMs === undefined ? {} : { repairLookEveryMs: options.repairLookEveryMs }),
      dependencies: {
        ...composed,
        settleDelays: options.settleDelays ?? SETTLE_SOON,
        media: { ...composed.media, store: mediaStore },
        // The port is known only now.
        backendWebhook: { ...composed.backendWebhook, url: `${api.url}/v1/internal/backend/events` },
      },
    });
  const worker = await startVersion(options.version ?? null);
  return new TestEngine({
    api,
    worker,
    startVersion,
    connection,
    namespace,
    config,
    database,
    sandbox,
    backends,
    dataDir,
  });
}
