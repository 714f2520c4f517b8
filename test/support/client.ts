import { z } from 'zod';
import { PSK } from './keys.ts';
import type { TestEngine } from './engine.ts';
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
  options: { key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(engine.url + path, {
    method,
    headers: {
      ...(options.key === undefined ? {} : { 'x-api-key': options.key }),
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson ? z.record(z.string(), z.unknown()).or(z.array(z.unknown())).parse(JSON.parse(text)) : { text };
  return { status: response.status, headers: response.headers, body: Array.isArray(body) ? { items: body } : body };
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

export async function registerDashboard(
  engine: TestEngine,
  agency: { agencyId: string; dashboardUrl: string; webhookSecret?: string },
): Promise<string> {
  const registered = await call(engine, 'POST', '/v1/internal/dashboard/register', {
    headers: { authorization: `PSK ${PSK}` },
    body: { dashboardName: 'Test', webhookSecret: 'x'.repeat(40), ...agency },
  });
  return WithKey.parse(registered.body).apiKey;
}

/** An agency with a dashboard, a session that works, and a key bound to it. */
export async function anAgencyWithScopedKey(
  engine: TestEngine,
  options: { agencyId: string; tenantId?: string; dashboardUrl?: string; webhookSecret?: string },
): Promise<Agency> {
  const { agencyId, tenantId = 't1', dashboardUrl = 'http://127.0.0.1:9/', ...rest } = options;
  const dashboardKey = await registerDashboard(engine, { agencyId, dashboardUrl, ...rest });
  const target = { agencyId, tenantId };
  const created = await call(engine, 'POST', '/api/v1/sessions', { key: dashboardKey, body: target });
  const session = Named.parse(created.body);
  await awaitWorking(engine, dashboardKey, target);
  const key = await call(engine, 'POST', '/api/v1/api-keys', { key: dashboardKey, body: { ...target, name: 'n8n' } });
  return { agencyId, tenantId, dashboardKey, session, scopedKey: WithKey.parse(key.body).apiKey };
}

export async function awaitWorking(
  engine: TestEngine,
  key: string,
  target: { agencyId: string; tenantId: string },
): Promise<void> {
  const query = new URLSearchParams(target).toString();
  await eventually(
    async () => {
      const answer = await call(engine, 'GET', `/api/v1/sessions/status?${query}`, { key });
      return answer.body['status'] === 'WORKING';
    },
    { what: 'the session to be WORKING' },
  );
}
