import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Watch } from '../../../api/wire/watch.ts';
import { Wakeups } from '../../../db/engine/wakeups.ts';
import type { MediaBounds } from '../../../api/conversations/media.ts';
import { createApp } from '../../../api/app.ts';
import type { AppOptions } from '../../../api/app.ts';
import { createHealth } from '../../../api/wire/health.ts';
import type { HealthCheck } from '../../../api/wire/health.ts';
import { listen } from '../../../api/listen.ts';
import { createLogger } from '../../../api/wire/logger.ts';
import { createMetrics } from '../../../api/wire/metrics/metrics.ts';
import type { PublicRates } from '../../../api/route/public-rates.ts';
import type {
  ActOutcome,
  AskedAct,
  AskedSend,
  BackendAnswer,
  PassedOutcome,
} from '../../../api/passthrough/sends/sends.ts';
import type { UpstreamLimits } from '../../../api/passthrough/upstream.ts';
import type { SessionAtBackend } from '../../../api/passthrough/session-lookup.ts';
import type { ProxiedRequest } from '../../../db/request-log.ts';
import { identity } from './framework-callers.ts';
import { routes } from './framework-routes.ts';
import type { DemoDeps } from './framework-routes.ts';

export const MASTER_KEY = 'master-key-of-the-operator-0123456789';
export const PSK = 'psk-of-the-operator-0123456789abcdef';

export interface DemoOptions {
  checks?: HealthCheck[];
  trustedProxies?: number;
  publicRates?: PublicRates;
  backendUrl?: string;
  limits?: Partial<UpstreamLimits>;
  /** False when the backend makes no keys for single sessions. */
  hasOwnKeys?: boolean;
  /** The server's time limits for a head and for a whole request. */
  timeouts?: { headersTimeout: number; requestTimeout: number; connectionsCheckingInterval: number };
  /** The queue's response to sends; without it, the queue knows none of them. */
  queue?: (asked: AskedSend) => BackendAnswer | undefined;
  /** False when the end of a send that was passed on cannot be written. */
  concludes?: boolean;
  /** The files at addresses that bodies name; the server of one that is a promise drips until that is kept. */
  files?: Readonly<Record<string, Buffer | Promise<Buffer>>>;
  /** One file, which every message of the media route has. */
  media?: { file: Buffer; bounds: Partial<MediaBounds> };
}

const STORED = { key: 'acme/1', sha256: 'a' };

/** The parts in which a store gives a file. */
function* partsOf(file: Buffer): Generator<Buffer> {
  for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536);
}

/** The framework with demo routes, behind a real HTTP server. */
export async function startDemo(options: DemoOptions = {}) {
  const destination = new PassThrough();
  const logged = text(destination);
  const logger = createLogger({ level: 'info', name: 'test', destination });
  const metrics = createMetrics();
  const health = createHealth(options.checks ?? [], logger);
  const seen: unknown[] = [];
  const proxied: ProxiedRequest[] = [];
  const baseUrl = options.backendUrl ?? 'http://127.0.0.1:9';
  const streams = new Set<Readable>();
  const asked: { sessionId: string; act: string }[] = [];
  const passed: { asked: AskedSend; outcome?: PassedOutcome }[] = [];
  const acted: { asked: AskedAct; outcome?: ActOutcome }[] = [];
  const atBackend = {
    backend: 'default',
    baseUrl,
    apiKey: 'key-of-the-backend',
    hasOwnKey: options.hasOwnKeys ?? true,
    status: 'WORKING',
    platform: null,
    chatId: null,
  };
  const sessions: (SessionAtBackend & { owner: string })[] = [
    { id: 'ses_1', name: 'wa_acme_t1', owner: 'acme/t1', ...atBackend },
    { id: 'ses_2', name: 'wa_globex_t1', owner: 'globex/t1', ...atBackend },
    { id: 'ses_3', name: 'sessions', owner: 'acme/t2', ...atBackend },
    { id: 'ses_4', name: 'globexphone', owner: 'globex/t1', ...atBackend },
  ];
  const appOptions: AppOptions<DemoDeps> = {
    routes,
    deps: { seen },
    identity,
    secrets: { masterKey: MASTER_KEY, internalPsk: PSK },
    admission: { admit: async () => ({}) },
    publicUrl: 'https://engine.test',
    logger,
    metrics,
    ...(options.trustedProxies === undefined ? {} : { trustedProxies: options.trustedProxies }),
    ...(options.publicRates === undefined ? {} : { publicRates: options.publicRates }),
    health,
    media: {
      store: {
        put: async () => undefined,
        async get() {
          if (options.media === undefined) return null;
          const stream = Readable.from(partsOf(options.media.file));
          streams.add(stream);
          stream.once('close', () => streams.delete(stream));
          return stream;
        },
        delete: async () => undefined,
        async *keys() {},
      },
      links: { urlOf: () => '', isGenuine: (_id, signature) => signature === 'genuine' },
      fetching: {
        begin: async () => false,
        isUnderWay: async () => false,
        watch: new Watch(new Wakeups('postgres://127.0.0.1:1/none', () => undefined), 'message'),
      },
      async findFile(id) {
        if (options.media === undefined) return null;
        const sizeBytes = options.media.file.length;
        const media = {
          url: null,
          mimeType: 'image/jpeg',
          fileName: null,
          error: null,
          stored: { ...STORED, key: `${id.includes('globex') ? 'globex' : 'acme'}/1`, sizeBytes },
        };
        // `msg_7_of_ses_3` is of the third session; all others are of the first.
        return { sessionId: /ses_\d+/.exec(id)?.[0] ?? 'ses_1', kind: 'image', media };
      },
      ...(options.media === undefined ? {} : { bounds: options.media.bounds }),
    },
    passthrough: {
      sessions: {
        isNameOfSession: async (word) => sessions.some(({ name }) => name === word),
        find: async ({ agencyId, tenantId }, named) => {
          const own = sessions.filter(({ owner }) => owner === `${agencyId}/${tenantId}`);
          return named === undefined ? own[0] : own.find(({ id, name }) => named === id || named === name);
        },
      },
      sends: {
        throughQueue: async (asked) => options.queue?.(asked),
        async note(asked) {
          return String(passed.push({ asked }) - 1);
        },
        async conclude(noted, outcome) {
          if (options.concludes === false) throw new Error('The database is away.');
          Object.assign(passed[Number(noted)] ?? {}, { outcome });
        },
        async noteAct(asked) {
          const noted: (typeof acted)[number] = { asked };
          acted.push(noted);
          return async (outcome) => {
            if (options.concludes === false) throw new Error('The database is away.');
            noted.outcome = outcome;
          };
        },
      },
      async askSession(_scope, sessionId, { act }) {
        asked.push({ sessionId, act });
      },
      async fetchFile(url, room) {
        const bytes = await options.files?.[url];
        if (!bytes) return { refused: 'The address is not a public one.' };
        return (await room(bytes.length)) ? { bytes } : { outcome: 'no_room' };
      },
      recordProxied: (entry) => proxied.push(entry),
      limits: options.limits,
    },
  };
  const server = await listen(createApp(appOptions), {
    host: '127.0.0.1',
    port: 0,
    timeouts: options.timeouts,
  });
  return {
    ...server,
    metrics,
    seen,
    proxied,
    /** The sends that were passed on and noted. */
    passed,
    /** The edits, deletions and reactions that were passed on and noted. */
    acted,
    /** The requests for sessions' supervisors. */
    asked,
    /** The streams of files that are open. */
    openStreams: () => streams.size,
    health,
    /** Stops the server and returns what it logged. */
    logs: async () => {
      await server.close();
      destination.end();
      return logged;
    },
  };
}

export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** A request of a client; JSON unless the headers say otherwise. */
export async function ask(
  demo: Demo,
  method: string,
  path: string,
  options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const response = await fetch(demo.url + path, {
    method,
    headers: {
      ...(options.key === undefined ? {} : { 'x-api-key': options.key }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: bodyOf(options.body) }),
  });
  const answered = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body: unknown = isJson && answered !== '' ? JSON.parse(answered) : answered;
  return { status: response.status, headers: response.headers, body };
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body;
  return Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body);
}
