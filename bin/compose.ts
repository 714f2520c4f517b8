import { join } from 'node:path';
import { createEgress } from '../adapters/egress/egress.ts';
import type { Egress } from '../adapters/egress/egress.ts';
import { createDirectoryStore, freeShareOf } from '../adapters/media-store/directory.ts';
import { withHolds } from '../activities/media/held.ts';
import { createS3Store } from '../adapters/media-store/s3.ts';
import { createThumbnails } from '../activities/thumbnails/thumbnails.ts';
import { createModels } from '../adapters/models/models.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import { isOfBackend } from '../api/network/backend-door.ts';
import type { ApiParts } from '../api/start.ts';
import type { Logger } from '../api/wire/logger.ts';
import type { MetricsAddress } from '../api/wire/metrics/listener.ts';
import { createBackends } from '../adapters/backend/backends.ts';
import type { Backends } from '../adapters/backend/backends.ts';
import { BACKEND_EVENTS } from '../adapters/backend/events/events.ts';
import { createAgencyShares } from '../activities/agency-shares.ts';
import { createSendSlots } from '../activities/sending/send-slots.ts';
import type { Config } from '../config/config.ts';
import { writeAutomationSwitch } from '../db/automations/stop.ts';
import { connectDatabase } from '../db/connect.ts';
import type { Database } from '../db/engine/database.ts';
import { writeSendLimits } from '../db/sending/in-flight/limits.ts';
import { writeStorageCeiling } from '../db/media/storage.ts';
import { writeAutomationCeiling, writeCeilings } from '../db/tenants/limits.ts';
import { writePaceDefaults } from '../db/sending/pace.ts';
import type { MediaStore } from '../domain/sending/media.ts';
import type { Limits } from '../domain/tenants/limits.ts';
import type { WorkerVersion } from '../worker/workers.ts';
import { dryRunInThreads } from './dry-run/threads.ts';
import { createReadConsole } from './console-bundle.ts';
import { need } from './need.ts';
import { temporalNamespace } from './temporal-target.ts';
import { VERSION } from './version.ts';

const POOL_SIZE = 20;
const POSTGRES_PORT = 5432;
const FETCH_FILE_WITHIN_MS = 30_000;

/**
 * Returns the address by which all queries reach PostgreSQL, and the direct address, past a transaction pooler, for
 * LISTEN, locks and migrations.
 */
export function databaseUrls(config: Config): { url: string; directUrl: string } {
  const url = need(config.databaseUrl, 'DATABASE_URL');
  return { url, directUrl: config.databaseDirectUrl ?? url };
}

export async function openDatabase(config: Config, log: Logger, applicationName: string): Promise<Database> {
  const database = await connectDatabase({
    ...databaseUrls(config),
    encryptionKey: need(config.engineEncryptionKey, 'ENGINE_ENCRYPTION_KEY'),
    previousEncryptionKey: config.engineEncryptionKeyPrevious,
    webhooks: {
      publicUrl: config.publicUrl,
      mediaPublicUrl: config.mediaPublicUrl,
      timeoutMs: config.webhookTimeoutMs,
    },
    poolSize: config.databasePoolSize ?? POOL_SIZE,
    applicationName,
    onError: (error) => log.warn({ err: error }, 'a background step of the database failed; the engine retries it'),
  });
  const { pacePerMinute: perMinute, paceBurst: burst, firstContactsPerDay } = config;
  await database.statement((tx) => writePaceDefaults(tx, { perMinute, burst, firstContactsPerDay }));
  const limits = { perSession: config.sendsPerSession, perBackend: config.sendsPerBackend };
  await database.statement((tx) => writeSendLimits(tx, limits));
  await database.statement((tx) => writeCeilings(tx, limitsOf(config)));
  await database.statement((tx) => writeStorageCeiling(tx, limitsOf(config)));
  await database.statement((tx) => writeAutomationCeiling(tx, limitsOf(config)));
  await database.statement((tx) => writeAutomationSwitch(tx, config.automations));
  return database;
}

export function openBackends({ backends }: Config): Backends {
  if (backends.length === 0) need(undefined, 'BACKEND_URL');
  return createBackends(backends);
}

/** Opens a bucket if one is configured. Otherwise it opens a directory, which every API and worker must see. */
export function openMediaStore(config: Config, database: Database): MediaStore {
  if (config.s3Endpoint === undefined) return withHolds(database, createDirectoryStore(join(config.dataDir, 'media')));
  const bucket = createS3Store({
    endpoint: config.s3Endpoint,
    bucket: need(config.s3Bucket, 'S3_BUCKET'),
    region: config.s3Region,
    accessKeyId: need(config.s3AccessKeyId, 'S3_ACCESS_KEY_ID'),
    secretAccessKey: need(config.s3SecretAccessKey, 'S3_SECRET_ACCESS_KEY'),
  });
  return withHolds(database, bucket);
}

/** Returns null where the files are in a bucket, whose space this machine does not know. */
function createMediaDisk({ s3Endpoint, dataDir, storageMinFreePercent }: Config): ApiParts['disk'] {
  if (s3Endpoint !== undefined) return null;
  return { freeShare: () => freeShareOf(join(dataDir, 'media')), minFreeShare: storageMinFreePercent / 100 };
}

/** Returns how executions are linked in Temporal's web UI; null when its address is not known. */
function temporalUi(config: Config): ApiParts['temporalUi'] {
  const url = config.temporalUiUrl;
  return url === undefined ? null : { url, namespace: temporalNamespace(config) };
}

/** Whether a backend is the sandbox that `npm start` brings. */
function isSimulated({ backends, sandboxPort }: Config): boolean {
  return backends.some(({ url }) => new URL(url).host === `127.0.0.1:${sandboxPort}`);
}

/** Returns null when workers are not versioned. Each worker then works at once. */
export function workerVersion({ workerBuildId, workerDeploymentName }: Config): WorkerVersion | null {
  return workerBuildId === undefined ? null : { deploymentName: workerDeploymentName, buildId: workerBuildId };
}

export function activityDependencies(
  config: Config,
  { database, backends, automations }: Pick<ActivityDependencies, 'database' | 'backends' | 'automations'>,
): Omit<ActivityDependencies, 'stopping' | 'onRepairFailed'> {
  const shares = createAgencyShares(database);
  return {
    database,
    backends,
    limits: createSendSlots(database, {
      perSession: config.sendsPerSession,
      backends: backends.servers.length,
      shares,
    }),
    shares,
    settleDelays: {
      afterErrorAnswerMs: config.settleAbsentAfterErrorMs,
      afterBrokenConnectionMs: config.settleAbsentAfterBreakMs,
      longestFileCallMs: config.settleLongestFileCallMs,
      giveUpAfterMs: config.settleGiveUpAfterMs,
    },
    egress: openEgress(config),
    models: createModels({
      models: config.llmModels,
      baseUrl: config.llmBaseUrl ?? null,
      apiKey: config.llmApiKey ?? null,
      openaiApiKey: config.openaiApiKey ?? null,
      anthropicApiKey: config.anthropicApiKey ?? null,
    }),
    media: { store: openMediaStore(config, database), maxBytes: config.mediaMaxBytes },
    inboundMediaMaxBytes: config.inboundMediaMaxBytes,
    historyMediaDays: config.historyMediaDays,
    thumbnails: createThumbnails(),
    backendWebhook: {
      url: `${config.backendCallbackUrl ?? config.publicUrl}/v1/internal/backend/events`,
      secret: need(config.backendWebhookSecret, 'BACKEND_WEBHOOK_SECRET'),
      events: BACKEND_EVENTS,
      since: database.clock.outside(),
    },
    automations,
    silence: { isOn: config.silenceChecks, afterMs: config.silenceAfterMs },
    auditEveryMs: config.auditEveryMs,
    history: {
      messagesPerChat: config.historyMessagesPerChat,
      messagesPerSession: config.historyMessagesPerSession,
      days: config.historyDays,
      everyMs: config.historyEveryMs,
    },
  };
}

function limitsOf(config: Config): Limits {
  return {
    keyRatePerMinute: config.apiRatePerMinute,
    keyRateBurst: config.apiRateBurst,
    ratePerMinute: config.apiRatePerMinuteOfAgency,
    rateBurst: config.apiRateBurstOfAgency,
    tokensPerDay: config.aiTokensPerDayOfAgency,
    costPerDay: config.aiCostPerDayOfAgency,
    tenantTokensPerDay: config.aiTokensPerDayOfTenant,
    tenantCostPerDay: config.aiCostPerDayOfTenant,
    tenants: config.tenantsOfAgency,
    storageBytes: config.storageBytesOfAgency,
    tenantStorageBytes: config.storageBytesOfTenant,
    automationsRunning: config.automationsRunningOfAgency,
    automationsPerMinute: config.automationsPerMinuteOfAgency,
    share: 1,
  };
}

function openEgress(config: Config): Egress {
  return createEgress({
    allow: config.egressAllow,
    ownPorts: ownPorts(config),
    userAgent: `messaging-engine/${VERSION}`,
  });
}

/**
 * The egress for the API. It fetches a file by the address in a client's request, with the same guards as for
 * attachments. It also refuses a webhook address to which no worker will post.
 */
function createApiEgress(config: Config): Pick<ApiParts, 'fetchFile' | 'refusesPost'> {
  const egress = openEgress(config);
  async function fetchFile(...[url, room]: Parameters<ApiParts['fetchFile']>): ReturnType<ApiParts['fetchFile']> {
    const download = await egress.get({ url, timeoutMs: FETCH_FILE_WITHIN_MS, maxBytes: config.mediaMaxBytes, room });
    if (download.outcome === 'done') return { bytes: download.file.bytes };
    const { code } = download.failure;
    return code === 'no_room'
      ? { outcome: code }
      : { refused: `The file could not be fetched from its address (${code}).` };
  }
  return { fetchFile, refusesPost: egress.refusesPost };
}

/** Lists the ports of the API, its metrics, Temporal and PostgreSQL, where an attachment or a webhook must not lead. */
function ownPorts(config: Config): number[] {
  const { port, temporalAddress, temporalPort, temporalUiPort, databaseUrl } = config;
  const { port: temporal } = new URL(`tcp://${temporalAddress ?? 'localhost'}`);
  const { port: postgres } = new URL(databaseUrl ?? 'postgresql://localhost');
  return [
    port,
    metricsAddress(config).port,
    temporalPort,
    temporalUiPort,
    Number(temporal),
    Number(postgres || POSTGRES_PORT),
  ];
}

/** The port of the metrics where no setting names one. A process that finds it taken goes without them, and says so. */
const METRICS_PORT = 9464;

export function metricsAddress({ metricsHost: host, metricsPort, backendNetwork }: Config): MetricsAddress {
  return {
    host,
    port: metricsPort ?? METRICS_PORT,
    required: metricsPort !== undefined,
    refuses: isOfBackend(backendNetwork),
  };
}

export function apiParts(
  config: Config,
  parts: Pick<ApiParts, 'database' | 'backends' | 'automations' | 'checks' | 'log' | 'extraMetrics'>,
): ApiParts {
  return {
    ...parts,
    backendWebhookSecret: need(config.backendWebhookSecret, 'BACKEND_WEBHOOK_SECRET'),
    masterKey: config.engineApiKey,
    internalPsk: config.workflowEngineInternalPsk,
    trustedProxies: config.trustedProxies,
    failedKeysPerMinute: config.failedKeysPerMinute,
    publicRatePerMinute: config.publicRatePerMinute,
    publicUrl: config.publicUrl,
    mediaPublicUrl: config.mediaPublicUrl ?? config.publicUrl,
    mediaStore: openMediaStore(config, parts.database),
    mediaMaxBytes: config.mediaMaxBytes,
    disk: createMediaDisk(config),
    ...createApiEgress(config),
    host: config.host,
    port: config.port,
    backendNetwork: config.backendNetwork,
    metricsAt: metricsAddress(config),
    applyLoops: config.applyLoops,
    limits: limitsOf(config),
    dryRun: dryRunInThreads(),
    temporalUi: temporalUi(config),
    isSimulated: isSimulated(config),
    readConsole: createReadConsole(config, parts.log),
    modelIds: config.llmModels.map(({ id }) => id),
    contextTokens: new Map(
      config.llmModels.flatMap(({ id, contextTokens }) => (contextTokens === undefined ? [] : [[id, contextTokens]])),
    ),
    version: VERSION,
  };
}
