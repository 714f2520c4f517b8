import type { Backends } from '../adapters/backend/backends.ts';
import type { Database } from '../db/engine/database.ts';
import { isBeingFetched, promiseAskedFile } from '../db/media/fetch.ts';
import { createMediaLinks } from '../db/conversations/media-links.ts';
import { listChangedSessions } from '../db/conversations/mirror/notes.ts';
import { readQueueState } from '../db/operations/queue-state.ts';
import { listUnfitRows } from '../db/operations/unfit-rows.ts';
import { readRepairState } from '../db/repair.ts';
import { listBackendStates } from '../db/sessions/backend-state.ts';
import { findFile } from './conversations/find-file.ts';
import { tellMirrors } from './conversations/tell-mirrors.ts';
import { acceptTogether } from './sending/send-and-answer.ts';
import { Shedding } from './sending/shedding.ts';
import { listStorage } from '../db/media/storage.ts';
import { listSpending, spendUnits } from '../db/tenants/limits.ts';
import { insertProxiedRequests } from '../db/request-log.ts';
import type { Catalogue } from '../domain/automations/definition.ts';
import type { DryRunner } from '../domain/automations/dry-run/task.ts';
import { useMeter } from '../domain/telemetry/meter.ts';
import { createFairSlots } from '../domain/fair-slots.ts';
import { EQUAL_SHARES } from '../domain/shares.ts';
import type { MediaStore } from '../domain/sending/media.ts';
import { slotsPerBackend } from '../domain/slots-per-backend.ts';
import type { Limits } from '../domain/tenants/limits.ts';
import { promptOptions } from '../domain/agent/prompt/limits.ts';
import { createApp } from './app.ts';
import { applyParkedEvent } from './network/apply-parked-event.ts';
import { backendDoor, isOfBackend } from './network/backend-door.ts';
import { EventIntake } from './network/event-intake.ts';
import { EventApplier } from '../loops/apply-events.ts';
import { ChangeTeller } from '../loops/tell-changes.ts';
import { startReceiving } from '../loops/receiving.ts';
import { createHealth } from './wire/health.ts';
import type { HealthCheck } from './wire/health.ts';
import { FailedKeys } from './route/failed-keys.ts';
import { Idempotency } from './route/idempotency.ts';
import { createIdentity } from './route/identity.ts';
import { listen } from './listen.ts';
import type { RunningServer } from './listen.ts';
import type { Logger } from './wire/logger.ts';
import { registerHealthGauges } from './wire/metrics/health-gauges.ts';
import { createMetrics } from './wire/metrics/metrics.ts';
import type { ExtraMetrics } from './wire/metrics/metrics.ts';
import { createGate } from './wire/held.ts';
import { registerDiskGauge } from './wire/metrics/storage-gauges.ts';
import { serveMetrics } from './wire/metrics/listener.ts';
import type { MetricsAddress } from './wire/metrics/listener.ts';
import { registerRowGauges } from './wire/metrics/row-gauges.ts';
import { registerPoolGauges, registerReaderGauges } from './wire/metrics/waiting-gauges.ts';
import type { FetchFile } from './passthrough/files.ts';
import { withOwnKeys } from './passthrough/own-keys.ts';
import { RequestLog } from './passthrough/request-log.ts';
import { createSends } from './passthrough/sends/create.ts';
import type { MediaDisk } from '../domain/tenants/storage.ts';
import { readWork } from './operations/work-health.ts';
import { createExportFiles } from './personal-data/export-files.ts';
import { ask, OUTCOME_WAIT_MS } from './sessions/ask.ts';
import { createSessionLookup } from './sessions/session-lookup.ts';
import { PublicRates } from './route/public-rates.ts';
import { RateLimits } from './route/rate-limits.ts';
import { routes } from './routes.ts';
import { createConnectLinks } from './sessions/connect/links.ts';
import { createConsoleLinks } from './console/link-maker.ts';
import { createConsoleLogins } from './console/logins.ts';
import type { ReadConsole } from './console/files.ts';
import { mountConnectPages } from './sessions/connect/mount.ts';
import type { RefusedUrl } from '../domain/webhooks/endpoint.ts';
import { EventStreams } from './webhooks/stream/event-streams.ts';
import type { StreamBounds } from './webhooks/stream/event-streams.ts';
import { Watch } from './wire/watch.ts';

export interface ApiParts {
  database: Database;
  backends: Backends;
  backendWebhookSecret: string;
  masterKey: string | undefined;
  internalPsk: string | undefined;
  trustedProxies: number;
  failedKeysPerMinute: number;
  /** The units that requests without a key may cost in a minute, for each network of clients. */
  publicRatePerMinute: number;
  publicUrl: string;
  mediaPublicUrl: string;
  mediaStore: MediaStore;
  mediaMaxBytes: number;
  /** The disk of the media store. */
  disk: MediaDisk;
  /** Fetches through the guarded egress what a client of the backend names by its address. */
  fetchFile: FetchFile;
  /** Says why no event will ever be posted to a URL; null when one may be, or when only a look-up tells. */
  refusesPost: (url: string) => RefusedUrl | null;
  host: string;
  port: number;
  /** The ranges of the backend's network, from which only its events are answered. */
  backendNetwork: readonly string[];
  /** The automations of this release. */
  automations: Catalogue;
  /** Lets an automation's code run in virtual time. */
  dryRun: DryRunner;
  /** Temporal's web UI and the namespace there; null when its address is not known. */
  temporalUi: { url: string; namespace: string } | null;
  /** True where the messaging network is the sandbox of `npm start`. */
  isSimulated: boolean;
  /** Gives the console's files. */
  readConsole: ReadConsole;
  modelIds: readonly string[];
  /** The tokens that prompt and answer may have together, for each model whose configuration says so. */
  contextTokens?: ReadonlyMap<string, number>;
  /** Every agency has these limits unless an operator has set others for it. */
  limits: Limits;
  checks: readonly HealthCheck[];
  version: string;
  /** The transactions that apply events of the backend at the same time. */
  applyLoops: number;
  /** Only tests set this, because some have nobody who does what is asked of a session. */
  outcomeWaitMs?: number;
  /** Only tests set this, which do not wait as long for a reader that does not read. */
  streamBounds?: StreamBounds;
  log: Logger;
  /** The listener of `/metrics`, which is never that of the API. */
  metricsAt: MetricsAddress;
  /** Appended to `/metrics`, for example Temporal's own numbers. */
  extraMetrics?: ExtraMetrics;
}

/** The server of a picture decides how long a fetch takes. */
const PICTURE_FETCHES = { perOwner: 4, inAll: 16, shares: EQUAL_SHARES };

/** Each has a thread of its own for as long as ten seconds. */
const DRY_RUNS = { perOwner: 1, inAll: 2, waitingPerOwner: 5 };

/** As few, because each may wait as long for the backend. */
const ACCOUNT_CALLS = { perOwner: 8, inAll: 32, shares: EQUAL_SHARES };

/** The API and its other listeners. */
export interface RunningApi extends RunningServer {
  /** The port of `/metrics`; null where another program has it. */
  metricsPort: number | null;
}

/** Serves the API and applies what the backend reports. */
export async function startApi(parts: ApiParts): Promise<RunningApi> {
  const { database, backends, backendWebhookSecret, modelIds, version, log } = parts;
  const onError = (error: unknown): void => log.warn({ err: error }, 'a background step of the API failed');
  const identity = createIdentity(database, onError);
  const admission = new RateLimits({
    standard: parts.limits,
    limitsOf: (agencyId) => identity.limitsOf(agencyId),
    spend: (spent) => database.statement((tx) => spendUnits(tx, spent)),
    onError,
  });
  const health = createHealth(parts.checks, log);
  const { masterKey, publicUrl } = parts;
  const logins = createConsoleLogins({ database, masterKey, publicUrl });
  const messageWatch = new Watch(database.wakeups, 'message');
  const eventWatch = new Watch(database.wakeups, 'event');
  const sessionWatch = new Watch(database.wakeups, 'session');
  const eventStreams = new EventStreams({ database, watch: eventWatch, onError, bounds: parts.streamBounds });
  const { outcomeWaitMs = OUTCOME_WAIT_MS } = parts;
  const mediaLinks = createMediaLinks(database.secrets, parts.mediaPublicUrl);
  const fileStoring = { store: parts.mediaStore, maxBytes: parts.mediaMaxBytes, disk: parts.disk };
  const intake = new EventIntake(database);
  const requestLog = new RequestLog(
    (entries) => database.statement((tx) => insertProxiedRequests(tx, entries)),
    onError,
  );
  const metrics = createMetrics({ processMetrics: true });
  useMeter(metrics.meter);
  registerReaderGauges(metrics.registry, { eventWatch, eventStreams });
  registerPoolGauges(metrics.registry, () => database.pool);
  const qrReads = slotsPerBackend(() => createGate('qr').slots);
  const connectLinks = createConnectLinks(database.secrets, parts.publicUrl);
  const backendIds = backends.servers.map(({ id }) => id);
  const rowNumbers = {
    spending: () => database.read(listSpending),
    storage: () => database.read(listStorage),
    repairs: () => database.read(readRepairState),
    backends: () => database.read((queries) => listBackendStates(queries, backendIds)),
    queues: () => database.read(readQueueState),
    unfitRows: async () => (await database.read(listUnfitRows)).length,
  };
  registerDiskGauge(metrics.registry, parts.disk, onError);
  registerRowGauges(metrics.registry, rowNumbers, onError);
  registerHealthGauges(metrics.registry, { work: () => readWork(database), health }, onError);
  const shedding = new Shedding(database);
  const app = createApp({
    routes,
    temporalUi: parts.temporalUi,
    deps: {
      database,
      idempotency: new Idempotency(database),
      accepting: shedding.before(acceptTogether(database)),
      shedding,
      messageWatch,
      eventWatch,
      backends,
      sessionWatch,
      eventStreams,
      outcomeWaitMs,
      qrReads,
      accountCalls: slotsPerBackend(() => createFairSlots(ACCOUNT_CALLS)),
      backendWebhookSecret,
      intake,
      applyParkedEvent: (id) => applyParkedEvent(database, log, id),
      limits: parts.limits,
      mediaLinks,
      fileStoring,
      uploads: createGate('upload'),
      exportFiles: createExportFiles({ database, store: parts.mediaStore }),
      connectLinks,
      consoleLinks: createConsoleLinks({ publicUrl, masterKey }),
      fetchFile: parts.fetchFile,
      refusesPost: parts.refusesPost,
      pictureFetches: createFairSlots(PICTURE_FETCHES),
      automations: parts.automations,
      dryRun: parts.dryRun,
      dryRuns: createFairSlots(DRY_RUNS),
      temporalUi: parts.temporalUi,
      modelIds,
      promptOptions: (model, maxTokens) =>
        promptOptions(parts.contextTokens?.get(modelIds.includes(model) ? model : (modelIds[0] ?? '')), maxTokens),
      health,
      version,
    },
    identity,
    admission,
    secrets: { masterKey: parts.masterKey, internalPsk: parts.internalPsk },
    failedKeys: new FailedKeys(parts.failedKeysPerMinute),
    publicRates: new PublicRates(parts.publicRatePerMinute),
    trustedProxies: parts.trustedProxies,
    publicUrl: parts.publicUrl,
    logger: log,
    metrics,
    health,
    media: {
      store: parts.mediaStore,
      links: mediaLinks,
      findFile: (id) => database.read((queries) => findFile(queries, id)),
      fetching: {
        begin: (id) => database.statement((tx) => promiseAskedFile(tx, id)),
        isUnderWay: (id) => database.read((queries) => isBeingFetched(queries, id)),
        watch: messageWatch,
      },
    },
    mountConnectPages: (router) => mountConnectPages(router, { database, backends, qrReads, connectLinks }),
    console: {
      database,
      logins,
      readConsole: parts.readConsole,
      publicUrl,
      mediaPublicUrl: parts.mediaPublicUrl,
      version,
      temporalUi: parts.temporalUi,
      isSimulated: parts.isSimulated,
    },
    passthrough: {
      sessions: withOwnKeys(createSessionLookup(database, backends), {
        database,
        calls: {
          makeSessionKey: (session) => backends.of(session).makeSessionKey(session.name),
          deleteSessionKey: (session, id) => backends.of(session).deleteSessionKey(id),
        },
        onError,
      }),
      sends: createSends({
        shedding,
        database,
        messageWatch,
        files: fileStoring,
      }),
      askSession: (scope, sessionId, asked) => ask({ database, sessionWatch, outcomeWaitMs }, scope, sessionId, asked),
      fetchFile: parts.fetchFile,
      recordProxied: (entry) => requestLog.add(entry),
    },
  });
  const teller = new ChangeTeller({
    wakeups: database.wakeups,
    list: (after) => database.read((queries) => listChangedSessions(queries, after)),
    tell: (sessionId) => tellMirrors({ database, mediaLinks }, sessionId),
    onError: (error, sessionId) =>
      log.warn({ err: error, sessionId }, 'changes of the inbox could not be reported; the engine retries them'),
  });
  const applier = new EventApplier(database, log, {
    loops: parts.applyLoops,
    isReceiving: () => intake.isBusy,
    onChanges: () => teller.found(),
  });
  const { extraMetrics } = parts;
  const metricsListener = await serveMetrics(parts.metricsAt, { metrics, extraMetrics, log });
  const handle = backendDoor(isOfBackend(parts.backendNetwork), app.handle);
  const server = await listen({ ...app, handle }, { host: parts.host, port: parts.port }).catch(
    async (error: unknown) => {
      await metricsListener.close();
      throw error;
    },
  );
  applier.start();
  teller.start();
  const receiving = startReceiving(database, log);
  return {
    ...server,
    metricsPort: metricsListener.port,
    async close() {
      messageWatch.close();
      eventWatch.close();
      sessionWatch.close();
      eventStreams.close();
      await receiving.stop();
      await server.close();
      await eventStreams.closed();
      await metricsListener.close();
      await requestLog.close();
      await applier.stop();
      await teller.stop();
      await admission.close();
      logins.close();
      await identity.close();
    },
  };
}
