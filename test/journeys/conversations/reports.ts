import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import type { TestEngine } from '../../support/engine.ts';
import { BACKEND_WEBHOOK_SECRET } from '../../support/keys.ts';
import { rowsOf, untilRows } from '../../support/rows.ts';
import { modelCalls, textsSeenBy } from '../../support/sandbox-record.ts';

const Listed = z.object({
  chats: z.array(
    z.object({
      chatId: z.string(),
      unreadCount: z.number(),
      lastMessage: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
});
const Page = z.object({ messages: z.array(z.record(z.string(), z.unknown())) });

let people = 0;

/** A payload of the backend, as far as a test cares; the rest is what NOWEB sends. */
export type Payload = Record<string, unknown> & { id: string };

/** An agency whose agent is on, and the backend that reports to it. */
export async function anAnsweredSession(engine: TestEngine, agencyId: string) {
  const agency: Agency = await anAgencyWithScopedKey(engine, { agencyId });
  const { id: sessionId, name } = agency.session;
  const agent = (path: string, body: object) =>
    call(engine, 'PUT', `/api/v1/ai-sales-agent/${path}`, {
      key: agency.dashboardKey,
      body: { agencyId: agency.agencyId, tenantId: agency.tenantId, ...body },
    });
  await agent('persona', {
    agentName: 'Ada',
    systemPrompt: 'You sell boats.',
    quietPeriodMs: 60,
    extractMemories: false,
  });
  await agent('state', { enabled: true, mode: 'bot_active' });

  async function post(event: string, payload: object, over: object = {}): Promise<void> {
    const body = JSON.stringify({
      id: `evt_${randomUUID()}`,
      timestamp: Date.now(),
      event,
      session: name,
      engine: 'NOWEB',
      payload,
      ...over,
    });
    const response = await fetch(`${engine.url}/v1/internal/backend/events`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-webhook-request-id': randomUUID(),
        'x-webhook-hmac': createHmac('sha512', BACKEND_WEBHOOK_SECRET).update(body).digest('hex'),
      },
      body,
    });
    if (response.status !== 200) throw new Error(`The engine answered ${response.status}.`);
  }

  const waiting = sql`backend_event where session_name = ${name} and applied_at is null`;
  return {
    agency,
    sessionId,
    /** A chat of a person whom nobody knows; the ending is of none who does something by themselves. */
    person: () => `1555${String(7_100_100 + ++people)}@c.us`,
    newId: () => `3A${randomUUID().replaceAll('-', '').toUpperCase().slice(0, 20)}`,
    /** Tells a message as the backend does, and waits until it is applied. */
    async tell(payload: Payload, over: object = {}): Promise<void> {
      const timestamp = Math.floor(Date.now() / 1_000);
      await post('message.any', { timestamp, fromMe: payload.id.startsWith('true_'), source: 'app', ...payload }, over);
      await untilRows(engine.database, waiting, 0);
    },
    async post(event: string, payload: object): Promise<void> {
      await post(event, payload);
      await untilRows(engine.database, waiting, 0);
    },
    /** The events of messages that dashboards get, in their order. */
    told: async (chatId: string) =>
      (
        await rowsOf(
          engine.database,
          sql<{ payload: Record<string, unknown> }>`
            select v.body::jsonb->'payload' as payload from event v join conversation c on c.id = v.conversation_id
            where v.type = 'message' and c.session_id = ${sessionId} and c.chat_id = ${chatId} order by v.sequence`,
        )
      ).map(({ payload }) => payload),
    /** The chat as the inbox lists it. */
    async chat(chatId: string): Promise<Record<string, unknown>> {
      const [chat] = await rowsOf(
        engine.database,
        sql<Record<string, unknown>>`select id, unread_count as unread, last_message_body as line, mode
          from conversation where session_id = ${sessionId} and chat_id = ${chatId} and merged_into is null`,
      );
      return chat ?? {};
    },
    /** The chat as the list of the inbox shows it. */
    async listed(chatId: string) {
      const { body } = await call(engine, 'GET', '/api/v1/inbox/chats?limit=1000', { key: agency.scopedKey });
      return Listed.parse(body).chats.find((chat) => chat.chatId === chatId);
    },
    /** The messages as the inbox shows them, the newest first. */
    async inbox(chatId: string): Promise<Record<string, unknown>[]> {
      const [chat] = await rowsOf(
        engine.database,
        sql<{ id: string }>`select id from conversation
          where session_id = ${sessionId} and chat_id = ${chatId} and merged_into is null`,
      );
      const path = `/api/v1/inbox/conversations/${chat?.id ?? ''}/messages`;
      return Page.parse((await call(engine, 'GET', path, { key: agency.scopedKey })).body).messages;
    },
    turns: async (chatId: string) =>
      rowsOf(
        engine.database,
        sql<{ outcome: string; code: string | null }>`
          select t.outcome, t.silence_code as code from ai_turn t join conversation c on c.id = t.conversation_id
          where c.session_id = ${sessionId} and c.chat_id = ${chatId} order by t.started_at, t.id`,
      ),
    heard: (chatId: string) => textsSeenBy(engine, name, chatId),
    /** The prompts, as one text for each request. */
    asked: async () => (await modelCalls(engine)).map((messages) => JSON.stringify(messages)),
    script: (...replies: object[]) => engine.control('POST', '/llm/script', { replies }),
    /** The wait for the content of all messages is over. */
    async endWaits(): Promise<void> {
      await rowsOf(engine.database, sql<object>`update awaited_content set until = now() - interval '1 second'`);
      await untilRows(engine.database, sql`awaited_content`, 0);
    },
  };
}
