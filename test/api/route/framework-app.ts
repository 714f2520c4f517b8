import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { NoContent, answer, binary } from '../../../api/wire/answer.ts';
import type { MediaBounds } from '../../../api/conversations/media.ts';
import { createApp } from '../../../api/app.ts';
import type { AppOptions } from '../../../api/app.ts';
import { createHealth } from '../../../api/wire/health.ts';
import type { HealthCheck } from '../../../api/wire/health.ts';
import { listen } from '../../../api/listen.ts';
import { createLogger } from '../../../api/wire/logger.ts';
import { createMetrics } from '../../../api/wire/metrics.ts';
import type { AskedSend, BackendAnswer, PassedOutcome } from '../../../api/passthrough/sends/sends.ts';
import type { UpstreamLimits } from '../../../api/passthrough/upstream.ts';
import type { SessionAtBackend } from '../../../api/passthrough/whose.ts';
import type { ProxiedRequest } from '../../../db/request-log.ts';
import { createRouting } from '../../../api/route/route.ts';
import { notFound } from '../../../domain/error.ts';
import { identity } from './framework-callers.ts';

export const MASTER_KEY = 'master-key-of-the-operator-0123456789';
export const PSK = 'psk-of-the-operator-0123456789abcdef';

interface DemoDeps {
  seen: unknown[];
}

const { defineRoute } = createRouting<DemoDeps>();

const ThingParams = z.object({ id: z.string().regex(/^thg_\w+$/) });
const Thing = z.object({ id: z.string(), tenantId: z.string() }).meta({ id: 'Thing' });
const OWNERS: Record<string, string> = { thg_1: 'acme/t1', thg_2: 'globex/t1' };

/** Tells a test that the slow route runs, and lets the test end it. */
export const slowRequest = { began: Promise.withResolvers<void>(), ends: Promise.withResolvers<void>() };

export const routes = [
  defineRoute({
    method: 'POST',
    path: '/api/v1/things',
    auth: 'tenant',
    scope: 'send',
    operationId: 'things.createThings',
    summary: 'Makes a thing.',
    body: z
      .object({
        agencyId: z.string().optional(),
        to: z.string().min(1),
        parts: z.array(z.object({ size: z.int() })).optional(),
      })
      .meta({ id: 'MakeThing' }),
    status: 202,
    reply: z.object({ to: z.string(), scope: z.unknown(), keyId: z.string() }),
    handle: ({ body, scope, caller }, { seen }) => {
      seen.push(body);
      return answer(202, { to: body.to, scope, keyId: caller.keyId }, { location: '/api/v1/things/thg_1' });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/things',
    auth: 'tenant',
    scope: 'read',
    operationId: 'things.readThings',
    summary: 'Lists things.',
    query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
    reply: z.object({ limit: z.int(), scope: z.unknown() }),
    handle: ({ query, scope }) => ({ limit: query.limit, scope }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/things/:id',
    auth: 'tenant',
    scope: 'read',
    operationId: 'things.readThingsId',
    summary: 'Shows a thing.',
    params: ThingParams,
    reply: Thing,
    errors: ['session_not_ready'],
    handle: ({ params, scope }) => {
      if (OWNERS[params.id] !== `${scope.agencyId}/${scope.tenantId}`) throw notFound('thing');
      const row = { id: params.id, tenantId: scope.tenantId, secret: 'not for clients' };
      return row;
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/things/newest',
    auth: 'tenant',
    scope: 'read',
    operationId: 'things.readThingsNewest',
    summary: 'Shows the newest thing.',
    reply: z.object({ newest: z.literal(true) }),
    handle: () => ({ newest: true as const }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/things/:id',
    auth: 'tenant',
    scope: 'send',
    operationId: 'things.deleteThingsId',
    summary: 'Deletes a thing.',
    params: ThingParams,
    status: 204,
    reply: NoContent,
    handle: () => undefined,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/things/restart',
    auth: 'tenant',
    scope: 'send',
    operationId: 'things.createThingsRestart',
    summary: 'Takes nothing but the tenant.',
    reply: z.object({ tenantId: z.string() }),
    handle: ({ scope }) => ({ tenantId: scope.tenantId }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/v1/tenants/:tenantId/settings',
    auth: 'tenant',
    scope: 'send',
    operationId: 'things.updateTenantsTenantIdSettings',
    createsTenant: true,
    summary: 'Sets up a tenant.',
    params: z.object({ tenantId: z.string() }),
    reply: z.object({ tenantId: z.string() }),
    handle: ({ scope }) => ({ tenantId: scope.tenantId }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/api-keys',
    auth: 'agency',
    scope: 'keys',
    operationId: 'things.createApiKeys',
    summary: 'Acts for an agency.',
    reply: z.object({ agencyId: z.string() }),
    handle: ({ caller }) => ({ agencyId: caller.agencyId }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/things',
    auth: 'master',
    operationId: 'things.readAdminThings',
    summary: 'Counts all things.',
    reply: z.object({ keyId: z.string() }),
    handle: ({ caller }) => ({ keyId: caller.keyId }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/internal/things',
    auth: 'psk',
    operationId: 'things.readInternalThings',
    summary: 'Shows things to our own services.',
    reply: z.object({ keyId: z.string() }),
    handle: ({ caller }) => ({ keyId: caller.keyId }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/callback',
    auth: 'backend',
    operationId: 'things.createCallback',
    summary: 'Takes what the backend reports.',
    maxBodyBytes: 2_000_000,
    reply: z.object({ bytes: z.int() }),
    handle: ({ body }) => ({ bytes: body.length }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/qr',
    auth: 'public',
    operationId: 'things.readQr',
    summary: 'Shows a picture.',
    contentTypes: { 'image/png': 'The code as a picture.' },
    reply: z.object({ value: z.string() }),
    handle: () => binary('image/png', Buffer.from([137, 80, 78, 71])),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/unfit',
    auth: 'public',
    operationId: 'things.readUnfit',
    summary: 'Answers something else than it declares.',
    reply: z.object({ age: z.int() }),
    handle: () => ({ age: 1.5 }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/broken',
    auth: 'public',
    operationId: 'things.readBroken',
    summary: 'Fails.',
    reply: NoContent,
    handle: () => {
      throw new Error('connection to postgres://user:pw@db failed');
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/slow',
    auth: 'public',
    operationId: 'things.readSlow',
    summary: 'Takes its time.',
    reply: z.object({ done: z.literal(true) }),
    handle: async () => {
      slowRequest.began.resolve();
      await slowRequest.ends.promise;
      return { done: true as const };
    },
  }),
];

export interface DemoOptions {
  checks?: HealthCheck[];
  backendUrl?: string;
  limits?: Partial<UpstreamLimits>;
  /** What the queue answers to sends; it does not know any of them when this is left out. */
  queue?: (asked: AskedSend) => BackendAnswer | undefined;
  /** The files at addresses that bodies name. */
  files?: Readonly<Record<string, Buffer>>;
  /** One file, which every message of the media route has. */
  media?: { file: Buffer; bounds: Partial<MediaBounds> };
  extraMetrics?: () => Promise<string>;
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
  const seen: unknown[] = [];
  const proxied: ProxiedRequest[] = [];
  const baseUrl = options.backendUrl ?? 'http://127.0.0.1:9';
  const streams = new Set<Readable>();
  const passed: { asked: AskedSend; outcome?: PassedOutcome }[] = [];
  const atBackend = { baseUrl, status: 'WORKING', platform: null, chatId: null };
  const sessions: (SessionAtBackend & { owner: string })[] = [
    { id: 'ses_1', name: 'wa_acme_t1', owner: 'acme/t1', ...atBackend },
    { id: 'ses_2', name: 'wa_globex_t1', owner: 'globex/t1', ...atBackend },
    { id: 'ses_3', name: 'sessions', owner: 'acme/t2', ...atBackend },
  ];
  const appOptions: AppOptions<DemoDeps> = {
    routes,
    deps: { seen },
    identity,
    secrets: { masterKey: MASTER_KEY, internalPsk: PSK },
    admission: { admit: async () => ({}) },
    publicUrl: 'https://engine.test',
    logger,
    metrics: createMetrics(),
    ...(options.extraMetrics ? { extraMetrics: options.extraMetrics } : {}),
    health: createHealth(options.checks ?? [], logger),
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
      },
      links: { urlOf: () => '', isGenuine: (_id, signature) => signature === 'genuine' },
      async findMessage(id) {
        if (options.media === undefined) return null;
        const sizeBytes = options.media.file.length;
        const media = {
          url: null,
          mimeType: 'image/jpeg',
          fileName: null,
          error: null,
          stored: { ...STORED, sizeBytes },
        };
        return { sessionId: id.includes('another') ? 'ses_2' : 'ses_1', kind: 'image', media };
      },
      ...(options.media === undefined ? {} : { bounds: options.media.bounds }),
    },
    passthrough: {
      sessions: {
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
          Object.assign(passed[Number(noted)] ?? {}, { outcome });
        },
      },
      async fetchFile(url) {
        const bytes = options.files?.[url];
        return bytes ? { bytes } : { refused: 'The address is not a public one.' };
      },
      backendApiKey: 'key-of-the-backend',
      recordProxied: (entry) => proxied.push(entry),
      limits: options.limits,
    },
  };
  const server = await listen(createApp(appOptions), { host: '127.0.0.1', port: 0 });
  return {
    ...server,
    seen,
    proxied,
    /** The sends that were passed on and noted. */
    passed,
    /** The streams of files that are open. */
    openStreams: () => streams.size,
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
