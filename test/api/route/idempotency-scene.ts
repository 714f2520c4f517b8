import { sql } from 'kysely';
import { z } from 'zod';
import { startApiOn } from '../../support/api.ts';
import type { RunningApi } from '../../support/api.ts';
import { call, register as registerAgency } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';
import { countOf, rowsOf, untilBlocked as untilAnyBlocked } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';

export const SEND = '/api/v1/messages/send';
const WithKey = z.object({ apiKey: z.string() });
const WithConversation = z.object({ conversationId: z.string() });

export let databaseUrl: string;
export let first: RunningApi;
export let second: RunningApi;
let dashboardKey: string;
/** Bound to the one session of tenant t1. */
export let sessionKey: string;

export async function startScene(): Promise<void> {
  databaseUrl = await takeDatabase();
  first = await startApiOn(databaseUrl, 'first-api');
  second = await startApiOn(databaseUrl, 'second-api');
  dashboardKey = WithKey.parse((await register('acme')).body).apiKey;
  for (const tenantId of ['t1', 't2']) await post('/api/v1/sessions', { ...as(tenantId), body: {} });
  sessionKey = WithKey.parse((await post('/api/v1/api-keys', { ...as('t1'), body: { name: 'n8n' } })).body).apiKey;
}

export async function stopScene(): Promise<void> {
  await first.close();
  await second.close();
}

export interface Request {
  key?: string;
  query?: string;
  body?: unknown;
  idempotencyKey?: string;
  headers?: Record<string, string>;
  api?: RunningApi;
}

export function post(path: string, request: Request): Promise<Answer> {
  const { key = sessionKey, query = '', body, idempotencyKey, headers, api = first } = request;
  const keyed = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return call(api, 'POST', path + query, { key, body, headers: { ...headers, ...keyed } });
}

/** The dashboard's key, for one of its tenants. */
export function as(tenantId: string) {
  return { key: dashboardKey, query: `?tenantId=${tenantId}` };
}

export function register(agencyId: string, idempotencyKey?: string): Promise<Answer> {
  return registerAgency(first, { agencyId }, idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey });
}

let people = 0;
/** A text to somebody nobody has written to before. */
export function aText(text: string) {
  people += 1;
  return { to: `+1555${2_000_000 + people}`, text };
}

export const messagesOf = (text: string) => countOf(first.database, sql`message where body = ${text}`);
export const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

export async function aConversation(): Promise<string> {
  return WithConversation.parse((await post(SEND, { body: aText('hello') })).body).conversationId;
}

export async function aMessage(conversationId: string): Promise<string> {
  const sent = await post(SEND, { body: { conversationId, text: 'one more' } });
  return z.object({ messageId: z.string() }).parse(sent.body).messageId;
}

export function age(key: string, by: string): Promise<object[]> {
  return rowsOf(
    first.database,
    sql<object>`update idempotency set created_at = created_at - ${by}::interval where key = ${key}`,
  );
}

/** Stops whoever sends in the conversation inside its transaction. */
export async function hold(conversationId: string): Promise<{ release: () => Promise<void> }> {
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = second.database.transaction(async (tx) => {
    await sql`select 1 from conversation where id = ${conversationId} for update`.execute(tx.sql);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  return {
    release: () => {
      released.resolve();
      return holding;
    },
  };
}

export const untilBlocked = (applicationName: string) => untilAnyBlocked(second.database, applicationName);
