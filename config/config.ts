import { z } from 'zod';
import { about, callable, databaseUrl, httpUrl, json, list, port, secret, setting, yesOrNo } from './forms.ts';
import { backendProblems, backendSettings, backendsOf } from './backends.ts';
import { limitSettings } from './limits.ts';
import { sessionSettings } from './sessions.ts';
import { ConfigError, modelProblems, productionProblems, storeProblems } from './checks.ts';
import type { BackendServer } from '../domain/backend-server.ts';
import { TASK_QUEUES } from '../domain/names.ts';
import { fieldWords } from '../domain/words/field-words.ts';
import { AttemptTimeoutMs } from '../domain/webhooks/attempt-timeout.ts';
import { ModelList } from '../domain/agent/model.ts';
import type { ModelSpec } from '../domain/agent/model.ts';
import { SendLimits } from '../domain/sending/send-limits.ts';

/** The settings of what the engine tells about itself. */
const telemetrySettings = {
  metricsHost: setting(
    'METRICS_HOST',
    'The address that METRICS_PORT listens on. `/metrics` asks for no key, so let only Prometheus reach it.',
    z.string().min(1).default('127.0.0.1'),
  ),
  metricsPort: setting(
    'METRICS_PORT',
    'The port of `/metrics`, which is never PORT. If not set, an API and `npm start` take 9464 if it is free, and a worker serves none.',
    port.min(1).optional(),
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'The base address of an OTLP receiver (HTTP) that gets the traces. If not set, nothing is traced (docs/operate/monitor.md).',
    httpUrl.optional(),
  ),
  tracesRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    'The kept share of the traces that begin in the engine, from 0 to 1. A client that names a trace decides that itself.',
    z.coerce.number().min(0).max(1).default(1),
  ),
};

/**
 * This file alone reads the environment, except that Temporal's envconfig package reads Temporal's own TLS and API-key
 * variables. A start reads `.env` into the environment before (`bin/settings/env-file.ts`).
 */

/** A file must fit as base64 into the 50 MiB that the backend takes in one request. */
const MAX_MEDIA_BYTES = 36 * 1_048_576;

/** Every setting of the engine: its variable, what it is for, its form and its default. */
export const Settings = z.object({
  nodeEnv: setting(
    'NODE_ENV',
    'With `production`, nothing is generated or embedded, and missing or weak values stop the start.',
    z.enum(['development', 'production', 'test']).default('development'),
  ),
  host: setting('HOST', 'The address that the API listens on.', z.string().default('127.0.0.1')),
  port: setting('PORT', 'The port of the API.', port.min(1).default(3000)),
  ...telemetrySettings,
  publicUrl: setting(
    'PUBLIC_URL',
    'The address of the engine for clients and the backend. If not set, http://HOST:PORT.',
    httpUrl.optional(),
    'required',
  ),
  backendCallbackUrl: setting(
    'BACKEND_CALLBACK_URL',
    'The address of the engine for the backend, if it differs. If not set, PUBLIC_URL. Only workers need it.',
    httpUrl.optional(),
  ),
  dataDir: setting(
    'DATA_DIR',
    'The directory in which `npm start` keeps everything.',
    z.string().min(1).default('./data'),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'The least severe level that is logged.',
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'PostgreSQL 15 or newer; may be a transaction pooler. If not set, `npm start` runs its own.',
    databaseUrl.optional(),
    'required',
  ),
  databaseDirectUrl: setting(
    'DATABASE_DIRECT_URL',
    'A direct connection for LISTEN, locks and migrations. If not set, DATABASE_URL.',
    databaseUrl.optional(),
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    'Connections of this process to PostgreSQL, plus one for LISTEN (docs/operate/database.md). If not set, 20, or 10 with the PostgreSQL of `npm start`.',
    z.coerce.number().int().min(1).max(1_000).optional(),
  ),
  temporalAddress: setting(
    'TEMPORAL_ADDRESS',
    "host:port of Temporal's frontend. If not set, `npm start` runs its own.",
    z.string().min(1).optional(),
    'required',
  ),
  temporalNamespace: setting('TEMPORAL_NAMESPACE', 'The namespace of all workflows.', z.string().min(1).optional()),
  temporalUiUrl: setting(
    'TEMPORAL_UI_URL',
    "The address of Temporal's web UI, to which runs of automations link. If not set, `npm start` uses the UI that it runs itself.",
    httpUrl.optional(),
  ),
  temporalCliPath: setting(
    'TEMPORAL_CLI_PATH',
    "Temporal's command line program for `npm start`. If not set, it is found or fetched.",
    z.string().min(1).optional(),
  ),
  ...backendSettings,
  backendWebhookSecret: setting('BACKEND_WEBHOOK_SECRET', "Signs the backend's events.", secret.optional(), 'secret'),
  engineApiKey: setting('ENGINE_API_KEY', 'The master key.', secret.optional(), 'secret'),
  workflowEngineInternalPsk: setting(
    'WORKFLOW_ENGINE_INTERNAL_PSK',
    'The pre-shared key of the internal routes.',
    secret.optional(),
    'secret',
  ),
  engineEncryptionKey: setting(
    'ENGINE_ENCRYPTION_KEY',
    'Encrypts secrets at rest and keys the digests of API keys. Replace it with ENGINE_ENCRYPTION_KEY_PREVIOUS (docs/operate/encryption-key.md).',
    secret.optional(),
    'secret',
  ),
  engineEncryptionKeyPrevious: setting(
    'ENGINE_ENCRYPTION_KEY_PREVIOUS',
    'The former ENGINE_ENCRYPTION_KEY, while you replace it.',
    secret.optional(),
  ),
  llmBaseUrl: setting(
    'LLM_BASE_URL',
    'An OpenAI-style base URL that ends in /v1, for models of the provider openai-compatible.',
    httpUrl.optional(),
  ),
  llmApiKey: setting('LLM_API_KEY', 'The key for LLM_BASE_URL.', secret.optional()),
  openaiApiKey: setting('OPENAI_API_KEY', 'The key for models of the provider openai.', secret.optional()),
  anthropicApiKey: setting('ANTHROPIC_API_KEY', 'The key for models of the provider anthropic.', secret.optional()),
  llmModels: setting(
    'LLM_MODELS',
    'JSON list of models; the first is the default (docs/operate/models.md). If not set, `npm start` uses the sandbox model.',
    json.pipe(ModelList).optional(),
    'required',
  ),
  mediaMaxBytes: setting(
    'MEDIA_MAX_BYTES',
    'The largest attachment in bytes. Images and audio are limited to 16 MiB by the network. The backend accepts up to 36 MiB.',
    z.coerce.number().int().min(1).max(MAX_MEDIA_BYTES).default(33_554_432),
  ),
  inboundMediaMaxBytes: setting(
    'INBOUND_MEDIA_MAX_BYTES',
    'The largest stored file of a contact, in bytes; up to 2 GiB. Messages with larger files show `media_too_large`.',
    z.coerce.number().int().min(1).max(2_147_483_648).default(134_217_728),
  ),
  historyMediaDays: setting(
    'HISTORY_MEDIA_DAYS',
    "The engine fetches files of a history's messages up to this age in days; 0 fetches none. It fetches others on request.",
    z.coerce.number().int().min(0).max(3_650).default(30),
  ),
  mediaPublicUrl: setting(
    'MEDIA_PUBLIC_URL',
    'The address of files for clients, best on a host of its own. If not set, PUBLIC_URL.',
    httpUrl.optional(),
  ),
  s3Endpoint: setting(
    'S3_ENDPOINT',
    'An S3-compatible store for the files of messages, with path-style addresses. If not set, they are in DATA_DIR/media.',
    httpUrl.optional(),
  ),
  s3Bucket: setting('S3_BUCKET', 'The bucket for the files of messages.', z.string().min(1).optional()),
  s3Region: setting('S3_REGION', 'The region that requests are signed for.', z.string().min(1).default('us-east-1')),
  s3AccessKeyId: setting('S3_ACCESS_KEY_ID', "The store's key.", secret.optional()),
  s3SecretAccessKey: setting('S3_SECRET_ACCESS_KEY', "The store's secret.", secret.optional()),
  egressAllow: setting(
    'EGRESS_ALLOW',
    'Private ranges (CIDR, comma-separated) that webhooks and attachments may reach: for development only.',
    list.pipe(z.array(z.union([z.cidrv4(), z.cidrv6()]))).default([]),
  ),
  webhookTimeoutMs: setting(
    'WEBHOOK_TIMEOUT_MS',
    'The timeout of a webhook attempt in milliseconds, unless the endpoint sets its own.',
    z.coerce.number().pipe(AttemptTimeoutMs).default(15_000),
  ),
  workerQueues: setting(
    'WORKER_QUEUES',
    'The task queues that this worker serves, comma-separated. If not set, all.',
    list.pipe(z.array(z.enum(TASK_QUEUES)).min(1)).optional(),
  ),
  workerBuildId: setting(
    'WORKER_BUILD_ID',
    "The version of this worker for Temporal's worker versioning. The worker waits until you make the version current (docs/operate/upgrade.md). If not set, it works at once.",
    z
      .string()
      .regex(/^[\w.-]{1,128}$/, 'must be of letters, digits, ".", "_" and "-"')
      .optional(),
  ),
  workerDeploymentName: setting(
    'WORKER_DEPLOYMENT_NAME',
    'The worker deployment that WORKER_BUILD_ID is a version of.',
    z
      .string()
      .regex(/^[\w-]{1,128}$/, 'must be of letters, digits, "_" and "-"')
      .default('messaging-engine'),
  ),
  applyLoops: setting(
    'APPLY_LOOPS',
    'Concurrent transactions of an API process that apply backend events, each for different sessions.',
    z.coerce.number().int().min(1).max(16).default(4),
  ),
  sendsPerSession: setting(
    'SENDS_PER_SESSION',
    'Concurrent sends of a session, in all processes together.',
    z.coerce.number().pipe(SendLimits.shape.perSession).default(4),
  ),
  sendsPerBackend: setting(
    'SENDS_PER_BACKEND',
    'Concurrent sends at a backend, in all processes together. Each worker has a share, at least one.',
    z.coerce.number().pipe(SendLimits.shape.perBackend).default(64),
  ),
  backendNetwork: setting(
    'BACKEND_NETWORK',
    "The backend's ranges (CIDR, comma-separated). From there, the API accepts only the backend's events. If not set, the backend reaches the whole API.",
    list.pipe(z.array(z.union([z.cidrv4(), z.cidrv6()]))).default([]),
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    'The number of proxies in front of the API. Each of them adds the address of its caller to X-Forwarded-For.',
    z.coerce.number().int().min(0).max(10).default(0),
  ),
  failedKeysPerMinute: setting(
    'FAILED_KEYS_PER_MINUTE',
    'Requests with a wrong key that one process accepts in a minute, from an address and for a key id; 0 means no limit.',
    z.coerce.number().int().min(0).default(60),
  ),
  publicRatePerMinute: setting(
    'PUBLIC_RATE_PER_MINUTE',
    'Pages that one process serves in a minute to an address without a key; 0 means no limit. Ten files count as one page, a search as twenty.',
    z.coerce.number().int().min(0).default(300),
  ),
  ...sessionSettings,
  ...limitSettings,
  sandboxPort: setting('SANDBOX_PORT', 'The port of the sandbox.', port.default(3001)),
  sandboxScansQrCodes: setting(
    'SANDBOX_SCANS_QR_CODES',
    'With `false`, you scan QR codes of the sandbox on its page.',
    yesOrNo.default(true),
  ),
  temporalPort: setting('TEMPORAL_PORT', "The port of `npm start`'s Temporal.", port.default(7233)),
  temporalUiPort: setting('TEMPORAL_UI_PORT', "The port of `npm start`'s Temporal web UI.", port.default(8233)),
  postgresPort: setting(
    'POSTGRES_PORT',
    "The port of `npm start`'s PostgreSQL; 0 chooses a free one.",
    port.default(0),
  ),
});

export interface Config extends Omit<
  z.output<typeof Settings>,
  'publicUrl' | 'llmModels' | 'backends' | 'backendUrl' | 'backendApiKey'
> {
  publicUrl: string;
  /** The messaging backends; none means that `npm start` runs the sandbox. */
  backends: BackendServer[];
  llmModels: ModelSpec[];
  /** The environment of the programs that the engine starts. */
  environment: NodeJS.ProcessEnv;
}

/** Reads and checks all settings. A variable that is set to the empty string counts as not set. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(
    settings().map(({ field, variable }) => [field, environment[variable] === '' ? undefined : environment[variable]]),
  );
  const parsed = Settings.safeParse(given, { error: fieldWords });
  const problems = (parsed.error?.issues ?? []).map(problemOf);
  problems.push(...storeProblems(given));
  problems.push(...modelProblems(given, Settings.shape.llmModels.safeParse(given['llmModels']).data));
  problems.push(...backendProblems(given, { backends: Settings.shape.backends.safeParse(given['backends']).data }));
  if (given['nodeEnv'] === 'production') problems.push(...productionProblems(given, settings()));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const { backendUrl, backendApiKey, backends, ...config } = parsed.data;
  return {
    ...config,
    backends: backendsOf({ backendUrl, backendApiKey, backends }),
    publicUrl: config.publicUrl ?? `http://${callable(config.host)}:${config.port}`,
    llmModels: config.llmModels ?? [],
    environment,
  };
}

/** Lists the settings with the fields that have them. */
export function settings() {
  return Object.entries(Settings.shape).flatMap(([field, schema]) => {
    const known = about.get(schema);
    return known ? [{ field, schema, ...known }] : [];
  });
}

/** Describes a problem without the value, because some values are secrets. */
function problemOf(issue: z.core.$ZodIssue): string {
  const field = settings().find((setting) => setting.field === issue.path[0]);
  const where = issue.path.slice(1).join('.');
  return `${field?.variable ?? ''}${where === '' ? '' : ` (${where})`}: ${issue.message}`;
}
