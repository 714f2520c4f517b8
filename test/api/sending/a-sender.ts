import { sql } from 'kysely';
import { z } from 'zod';
import type { RunningApi } from '../../support/api.ts';
import { anAgency, call } from '../../support/client.ts';
import type { Answer } from '../../support/client.ts';
import { rowsOf } from '../../support/rows.ts';

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

export async function aSender(api: RunningApi, agencyId: string): Promise<Sender> {
  const { dashboardKey, scopedKey, session } = await anAgency(api, { agencyId });
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

let people = 0;
/** The number of somebody whom nobody has written to before. */
export function somebody(): string {
  people += 1;
  return `+1555200${String(people).padStart(4, '0')}`;
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
