import { sql } from 'kysely';
import { z } from 'zod';
import { startApiOn } from '../../support/api.ts';
import type { RunningApi } from '../../support/api.ts';
import { call } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';
import { PSK } from '../../support/keys.ts';
import { rowsOf } from '../../support/rows.ts';
import { takeServers } from '../../support/servers.ts';

const WithKey = z.object({ apiKey: z.string() });
const Named = z.object({ id: z.string(), name: z.string() });

export const Sent = z.object({
  messageId: z.string(),
  conversationId: z.string(),
  contactId: z.string().nullable(),
  status: z.string(),
  messages: z.array(z.object({ messageId: z.string(), kind: z.string(), status: z.string() })),
});
export type Sent = z.infer<typeof Sent>;

/** A tenant with a session that is not connected, so that what it sends stays where it was put. */
export interface Sender {
  agencyId: string;
  dashboardKey: string;
  scopedKey: string;
  session: { id: string; name: string };
  post(path: string, body?: object, key?: string): Promise<Answer>;
  patch(path: string, body: object): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** Sends and insists on 202. */
  send(body: object, path?: string): Promise<Sent>;
}

export async function anApi(): Promise<RunningApi> {
  const { databaseUrl } = await takeServers();
  return startApiOn(databaseUrl, 'sending-api');
}

export async function aSender(api: RunningApi, agencyId: string): Promise<Sender> {
  const registered = await call(api, 'POST', '/v1/internal/dashboard/register', {
    headers: { authorization: `PSK ${PSK}` },
    body: { agencyId, dashboardName: 'Test', dashboardUrl: 'http://127.0.0.1:9/', webhookSecret: 'x'.repeat(40) },
  });
  const dashboardKey = WithKey.parse(registered.body).apiKey;
  const target = { agencyId, tenantId: 't1' };
  const session = Named.parse((await call(api, 'POST', '/api/v1/sessions', { key: dashboardKey, body: target })).body);
  const made = await call(api, 'POST', '/api/v1/api-keys', { key: dashboardKey, body: { ...target, name: 'n8n' } });
  const scopedKey = WithKey.parse(made.body).apiKey;
  const post = (path: string, body: object = {}, key = scopedKey) => call(api, 'POST', path, { key, body });
  return {
    agencyId,
    dashboardKey,
    scopedKey,
    session,
    post,
    patch: (path, body) => call(api, 'PATCH', path, { key: scopedKey, body }),
    get: (path) => call(api, 'GET', path, { key: scopedKey }),
    async send(body, path = '/api/v1/messages/send') {
      const answer = await post(path, body);
      if (answer.status !== 202) throw new Error(`It was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return Sent.parse(answer.body);
    },
  };
}

export interface Row {
  id: string;
  kind: string;
  body: string;
  content: unknown;
  status: string;
  lane: number;
  bulk: boolean;
  chatSeq: string | null;
  requestId: string | null;
  replyTo: string | null;
  replyToFromMe: boolean | null;
  resendOf: string | null;
  isReleased: boolean;
  expiresAt: Date;
  scheduledAt: Date | null;
}

/** The rows of a conversation, as they were accepted. */
export async function rowsOfConversation(api: RunningApi, conversationId: string): Promise<Row[]> {
  const rows = await rowsOf(
    api.database,
    sql<Omit<Row, 'expiresAt' | 'scheduledAt'> & { expiresAt: string; scheduledAt: string | null }>`
      select id, kind, body, content, status, lane, bulk, chat_seq as "chatSeq", request_id as "requestId",
        reply_to_network_id as "replyTo", reply_to_from_me as "replyToFromMe", resend_of as "resendOf",
        released_at is not null as "isReleased", expires_at as "expiresAt", scheduled_at as "scheduledAt"
      from message where conversation_id = ${conversationId} order by id`,
  );
  return rows.map((row) => ({
    ...row,
    expiresAt: new Date(row.expiresAt),
    scheduledAt: row.scheduledAt === null ? null : new Date(row.scheduledAt),
  }));
}

/** Puts a message where its delivery would have brought it. */
export async function become(api: RunningApi, messageId: string, status: string, networkId?: string): Promise<void> {
  await rowsOf(
    api.database,
    sql`update message set status = ${status}, network_id = coalesce(${networkId ?? null}, network_id) where id = ${messageId}`,
  );
}

/** From now on the session may send; there is no worker that would. */
export async function connect(api: RunningApi, { session }: Sender, platform: string | null = null): Promise<void> {
  await rowsOf(
    api.database,
    sql`update session set status = 'WORKING', platform = coalesce(${platform}, platform) where id = ${session.id}`,
  );
}
