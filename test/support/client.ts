import { z } from 'zod';
import { PSK } from './keys.ts';
import type { TestEngine } from './engine.ts';
import { StreamReader } from './event-stream.ts';
import { eventually } from './eventually.ts';

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Calls the engine as a dashboard would. */
export async function call(
  engine: Pick<TestEngine, 'url'>,
  method: string,
  path: string,
  options: { key?: string; body?: unknown; file?: Buffer<ArrayBuffer>; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const leaving = new AbortController();
  const response = await fetch(engine.url + path, {
    method,
    signal: leaving.signal,
    headers: {
      ...(options.key === undefined ? {} : { 'x-api-key': options.key }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    ...(options.file === undefined ? {} : { body: options.file }),
  });
  if (response.headers.get('content-type') === 'text/event-stream') return beforeReady(response, leaving);
  const text = await response.text();
  // The answer to a HEAD has the type of a body and none.
  const isJson = text !== '' && (response.headers.get('content-type')?.includes('json') ?? false);
  const body = isJson ? z.record(z.string(), z.unknown()).or(z.array(z.unknown())).parse(JSON.parse(text)) : { text };
  return { status: response.status, headers: response.headers, body: Array.isArray(body) ? { items: body } : body };
}

/** A stream goes on, so only the events that were there before are read of it. */
async function beforeReady(response: Response, leaving: AbortController): Promise<Answer> {
  const reader = new StreamReader(response, leaving);
  const events = (await reader.untilReady()).map(({ data }) => data);
  reader.leave();
  return { status: response.status, headers: response.headers, body: { events } };
}

const WithKey = z.object({ apiKey: z.string() });
const Named = z.object({ id: z.string(), name: z.string() });

export interface Agency {
  agencyId: string;
  tenantId: string;
  dashboardKey: string;
  session: { id: string; name: string };
  scopedKey: string;
}

interface Registration {
  agencyId: string;
  rotateKey?: boolean;
  overlapSeconds?: number;
  keepKeys?: boolean;
  dashboardUrl?: string;
  webhookSecret?: string;
}

/** Registers an agency's dashboard, which nothing listens to unless it is named, and returns the answer. */
export function register(engine: Pick<TestEngine, 'url'>, agency: Registration, headers = {}): Promise<Answer> {
  return call(engine, 'POST', '/v1/internal/dashboard/register', {
    headers: { authorization: `PSK ${PSK}`, ...headers },
    body: {
      dashboardName: 'Test',
      dashboardUrl: 'http://127.0.0.1:9/',
      webhookSecret: 'x'.repeat(40),
      ...agency,
    },
  });
}

export async function registerDashboard(engine: Pick<TestEngine, 'url'>, agency: Registration): Promise<string> {
  return WithKey.parse((await register(engine, agency)).body).apiKey;
}

/** An agency with a dashboard, a session that is as new as it is, and a key bound to that, which may set the agent. */
export async function anAgency(
  engine: Pick<TestEngine, 'url'>,
  { tenantId = 't1', ...registration }: Registration & { tenantId?: string },
): Promise<Agency> {
  const { agencyId } = registration;
  const dashboardKey = await registerDashboard(engine, registration);
  const target = { agencyId, tenantId };
  const created = await call(engine, 'POST', '/api/v1/sessions', { key: dashboardKey, body: target });
  const session = Named.parse(created.body);
  const scopes = ['send', 'read', 'sessions', 'passthrough', 'ai:admin'];
  const body = { ...target, name: 'n8n', scopes };
  const key = await call(engine, 'POST', '/api/v1/api-keys', { key: dashboardKey, body });
  return { agencyId, tenantId, dashboardKey, session, scopedKey: WithKey.parse(key.body).apiKey };
}

/** An agency whose session works. */
export async function anAgencyWithScopedKey(
  engine: TestEngine,
  registration: Registration & { tenantId?: string },
): Promise<Agency> {
  const agency = await anAgency(engine, registration);
  await awaitWorking(engine, agency.dashboardKey, { agencyId: agency.agencyId, tenantId: agency.tenantId });
  return agency;
}

export async function awaitWorking(
  engine: TestEngine,
  key: string,
  target: { agencyId: string; tenantId: string },
): Promise<void> {
  const query = new URLSearchParams(target).toString();
  let said = '';
  await eventually(
    async () => {
      const { status, body } = await call(engine, 'GET', `/api/v1/sessions/status?${query}`, { key });
      said = `${status} ${JSON.stringify(body)}`;
      return body['status'] === 'WORKING';
    },
    { what: () => `the session to be WORKING; it is ${said}` },
  );
}
