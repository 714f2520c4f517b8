import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { EVENT_CATALOGUE } from '../../../domain/webhooks/event-catalogue.ts';
import type { MessageEventPayload } from '../../../domain/webhooks/event.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { openSigningSecrets } from '../../../db/webhooks/endpoint-secrets.ts';
import { findEndpoint } from '../../../db/webhooks/endpoint-view.ts';
import type { EndpointRow } from '../../../db/webhooks/endpoint-view.ts';
import type { RunningApi } from '../../support/api.ts';
import { call, registerDashboard } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';
import { rowsOf } from '../../support/rows.ts';

export const SECRET = 'the-secret-of-a-dashboard-0123456789';
const WithKey = z.object({ apiKey: z.string() });
const WithId = z.object({ id: z.string() });
const WithEndpoints = z.object({ endpoints: z.array(z.object({ id: z.string(), source: z.string() })) });

/** An agency with two tenants of a session each, whose events are made by hand. */
export interface Scene {
  agencyId: string;
  key: string;
  /** Bound to the session of tenant `t1`. */
  scopedKey: string;
  /** By tenant. */
  sessions: Record<'t1' | 't2', string>;
  /** The endpoint of the dashboard's registration. */
  dashboardEndpoint: string;
  post(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: object): Promise<Answer>;
  del(path: string): Promise<Answer>;
  get(path: string, key?: string): Promise<Answer>;
  /** Creates an endpoint and insists on 201. */
  endpoint(body?: object): Promise<{ id: string; secret: string }>;
  /** Emits a `message` in a conversation of a tenant, in a transaction of its own; returns the event's id. */
  message(conversation: string, more?: { tenantId?: 't1' | 't2'; body?: string }): Promise<string>;
}

export function aMessageEvent(
  of: { agencyId: string; tenantId: string; sessionId: string },
  conversationId: string,
  text = 'hello',
): Parameters<Tx['emit']>[0] {
  const { example } = EVENT_CATALOGUE.message;
  if (example.event !== 'message') throw new Error('The example is of another kind.');
  const payload: z.infer<typeof MessageEventPayload> = { ...example.payload, conversationId, body: text };
  return { event: 'message', ...of, conversationId, payload };
}

export async function aScene(api: RunningApi, agencyId: string): Promise<Scene> {
  const dashboardUrl = `http://127.0.0.1:9/${agencyId}`;
  const key = await registerDashboard(api, { agencyId, dashboardUrl, webhookSecret: SECRET });
  const sessionOf = async (tenantId: string): Promise<string> => {
    const created = await call(api, 'POST', '/api/v1/sessions', { key, body: { agencyId, tenantId } });
    return WithId.parse(created.body).id;
  };
  const sessions = { t1: await sessionOf('t1'), t2: await sessionOf('t2') };
  const made = await call(api, 'POST', '/api/v1/api-keys', { key, body: { agencyId, tenantId: 't1', name: 'n8n' } });
  const scopedKey = WithKey.parse(made.body).apiKey;
  const listed = await call(api, 'GET', '/api/v1/webhooks/endpoints', { key });
  const dashboardEndpoint = WithEndpoints.parse(listed.body).endpoints[0]?.id ?? '';
  const at = (path: string) => `/api/v1/webhooks${path}`;
  const scene: Scene = {
    agencyId,
    key,
    scopedKey,
    sessions,
    dashboardEndpoint,
    post: (path, body = {}, headers = {}) => call(api, 'POST', at(path), { key, body, headers }),
    patch: (path, body) => call(api, 'PATCH', at(path), { key, body }),
    del: (path) => call(api, 'DELETE', at(path), { key }),
    get: (path, by = key) => call(api, 'GET', at(path), { key: by }),
    async endpoint(body = {}) {
      // Equal URLs would get an event once.
      const answer = await scene.post('/endpoints', { url: `http://127.0.0.1:9/${randomUUID()}`, ...body });
      if (answer.status !== 201) throw new Error(`It was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return z.object({ id: z.string(), secret: z.string() }).parse(answer.body);
    },
    async message(conversation, { tenantId = 't1', body = 'hello' } = {}) {
      const conversationId = `cnv_${conversation}`;
      const event = aMessageEvent({ agencyId, tenantId, sessionId: sessions[tenantId] }, conversationId, body);
      await api.database.transaction(async (tx) => tx.emit(event));
      const [row] = await rowsOf(
        api.database,
        sql<{ id: string }>`select id from event where conversation_id = ${conversationId} order by id desc limit 1`,
      );
      return row?.id ?? '';
    },
  };
  return scene;
}

export interface Waiting {
  id: string;
  eventId: string;
  lane: string;
  status: string;
  /** It is the first of its lane. */
  ready: boolean;
  outOfOrder: boolean;
  attempts: number;
  ladderStep: number;
}

/** The deliveries of an endpoint in the order of their lanes. */
export async function deliveriesOf(api: RunningApi, endpointId: string): Promise<Waiting[]> {
  return rowsOf(
    api.database,
    sql<Waiting>`select id::text as id, event_id as "eventId", lane, status,
      status = 'pending' and is_lane_head(endpoint_id, lane, place, out_of_order) as ready, out_of_order as "outOfOrder", attempts,
      ladder_step as "ladderStep" from delivery where endpoint_id = ${endpointId} order by delivery.id`,
  );
}

/** Ends deliveries as their attempts would have. */
export async function end(api: RunningApi, ids: readonly string[], status: 'delivered' | 'failed'): Promise<void> {
  const now = api.database.clock.now();
  await rowsOf(
    api.database,
    sql`update delivery set status = ${status}, ready = false, done_at = ${now}, attempts = 12, ladder_step = 12,
      last_class = ${status === 'failed' ? 'server_error' : 'delivered'} where id = any(${ids}::bigint[])`,
  );
}

let agencies = 0;
/** An agency of its own with an endpoint that has these conversations' events, in this order. */
export async function anEndpointWith(
  api: RunningApi,
  conversations: string[],
  options: object,
): Promise<{ scene: Scene; id: string; rows: Waiting[] }> {
  agencies += 1;
  const scene = await aScene(api, `agency${agencies}`);
  const { id } = await scene.endpoint(options);
  for (const conversation of conversations) await scene.message(conversation);
  return { scene, id, rows: await deliveriesOf(api, id) };
}

export const idsOf = (rows: Waiting[], ...places: number[]): string[] => places.map((place) => rows[place]?.id ?? '');

export async function storedEndpoint(api: RunningApi, agencyId: string, id: string): Promise<EndpointRow> {
  const row = await api.database.read((queries) => findEndpoint(queries, agencyId, id));
  if (!row) throw new Error('The endpoint is not there.');
  return row;
}

export async function signingSecrets(api: RunningApi, agencyId: string, id: string): Promise<string[] | null> {
  return openSigningSecrets(api.database.secrets, await storedEndpoint(api, agencyId, id), api.database.clock.now());
}
