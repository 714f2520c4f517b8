import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NativeConnection } from '@temporalio/worker';
import { createEgress } from '../../activities/egress/egress.ts';
import { createDirectoryStore } from '../../activities/media-store/directory.ts';
import { createModels } from '../../activities/models/models.ts';
import { createLogger } from '../../api/wire/logger.ts';
import { startApi } from '../../api/start.ts';
import type { RunningServer } from '../../api/listen.ts';
import { createBackend } from '../../backend/client.ts';
import type { Backend } from '../../backend/client.ts';
import { createFairSlots } from '../../activities/fair-slots.ts';
import { Database } from '../../db/database.ts';
import { createClient, probeTemporal } from '../../dispatch/temporal-client.ts';
import type { SettleDelays } from '../../domain/sending/message-state.ts';
import type { MediaStore } from '../../domain/sending/media.ts';
import { startSandbox } from '../../sandbox/main.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/main.ts';
import { installRuntime } from '../../worker/runtime.ts';
import { startWorker } from '../../worker/start.ts';
import type { RunningWorker } from '../../worker/start.ts';
import type { WorkerVersion } from '../../worker/workers.ts';
import { checkEvents } from './event-schemas.ts';
import { BACKEND_KEY, BACKEND_WEBHOOK_SECRET, MASTER_KEY, PSK } from './keys.ts';
import { takeServers, workflowBundle } from './servers.ts';

export interface TestEngineOptions {
  sandbox?: Partial<SandboxOptions>;
  settleDelays?: SettleDelays;
  listSessionsEveryMs?: number;
  version?: WorkerVersion;
  /** What stands before the media store, to make it fail. */
  mediaStore?: (store: MediaStore) => MediaStore;
}

/** The whole engine against real servers and the sandbox, as `npm start` composes it. */
export class TestEngine {
  readonly url: string;
  readonly database: Database;
  readonly sandbox: Sandbox;
  readonly namespace: string;
  readonly temporal: ReturnType<typeof createClient>;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.url = parts.api.url;
    this.database = parts.database;
    this.sandbox = parts.sandbox;
    this.namespace = parts.namespace;
    this.temporal = createClient(parts.connection, parts.namespace);
  }

  /** What the sandbox was asked to do. */
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

  /** After a stop: the worker of a new process. */
  async startWorker(): Promise<void> {
    this.#parts.worker = await this.#parts.startVersion(null);
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
    const { api, worker, connection, database, sandbox, backend, mediaDirectory } = this.#parts;
    await api.close();
    await worker.stop();
    await connection.close();
    await backend.close();
    await sandbox.close();
    await database.close();
    await rm(mediaDirectory, { recursive: true });
  }
}

interface Parts {
  api: RunningServer;
  worker: RunningWorker;
  startVersion(version: WorkerVersion | null): Promise<RunningWorker>;
  connection: NativeConnection;
  namespace: string;
  database: Database;
  sandbox: Sandbox;
  backend: Backend;
  mediaDirectory: string;
}

export async function startEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  const { databaseUrl, temporalAddress, namespace } = await takeServers();
  const log = createLogger({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent', name: 'test' });
  installRuntime(log, null);
  const sandbox = await startSandbox({
    port: 0,
    apiKey: BACKEND_KEY,
    ackDelayMs: 20,
    replyDelayMs: 30,
    autoScanAfterMs: 50,
    sessionBlockMs: 50,
    historyDelayMs: 0,
    groupsDelayMs: 20,
    seed: 1,
    ...options.sandbox,
  });
  const database = await Database.open({
    url: databaseUrl,
    directUrl: databaseUrl,
    encryptionKey: 'test-encryption-key-0123456789-0123456789',
    webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
    poolSize: 20,
    applicationName: 'engine-test',
    onError: (error) => log.warn({ err: error }, 'database'),
  });
  const backend = createBackend({ baseUrl: sandbox.url, apiKey: BACKEND_KEY });
  const target = { connectionOptions: { address: temporalAddress }, namespace };
  const mediaDirectory = await mkdtemp(join(tmpdir(), 'engine-media-'));
  const directoryStore = createDirectoryStore(mediaDirectory);
  const mediaStore = options.mediaStore?.(directoryStore) ?? directoryStore;
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const api = await startApi({
    database,
    backend,
    backendUrl: sandbox.url,
    backendApiKey: BACKEND_KEY,
    backendWebhookSecret: BACKEND_WEBHOOK_SECRET,
    masterKey: MASTER_KEY,
    internalPsk: PSK,
    publicUrl: 'http://engine.test',
    mediaPublicUrl: 'http://media.test',
    mediaStore,
    host: '127.0.0.1',
    port: 0,
    modelIds: ['sandbox-model'],
    checks: [],
    version: 'test',
    log,
  });
  const startVersion = (version: WorkerVersion | null): Promise<RunningWorker> =>
    startWorker({
      version,
      connection,
      namespace,
      only: null,
      probe: () => probeTemporal(target),
      log,
      workflowBundle: workflowBundle(),
      ...(options.listSessionsEveryMs === undefined ? {} : { listSessionsEveryMs: options.listSessionsEveryMs }),
      dependencies: {
        database,
        backend,
        limits: createFairSlots({ perOwner: 4, inAll: 64 }),
        settleDelays: options.settleDelays ?? {
          afterErrorAnswerMs: 300,
          afterBrokenConnectionMs: 600,
          longestFileCallMs: 0,
        },
        egress: createEgress({ allow: ['127.0.0.0/8', '::1/128'], userAgent: 'messaging-engine/test' }),
        models: createModels({
          models: [{ id: 'sandbox-model', provider: 'openai-compatible' }],
          baseUrl: `${sandbox.url}/llm/v1`,
          apiKey: BACKEND_KEY,
        }),
        media: { store: mediaStore, maxBytes: 1_048_576 },
        backendWebhook: { url: `${api.url}/v1/internal/backend/events`, secret: BACKEND_WEBHOOK_SECRET },
      },
    });
  const worker = await startVersion(options.version ?? null);
  return new TestEngine({
    api,
    worker,
    startVersion,
    connection,
    namespace,
    database,
    sandbox,
    backend,
    mediaDirectory,
  });
}
