import { sql } from 'kysely';
import { z } from 'zod';
import { StoredPersona } from '../../domain/agent/sales-agent.ts';
import { row, run } from '../rows.ts';
import type { Queries } from '../tx.ts';
import { saidLately, SaidRow } from './loop.ts';
import { phoneWaitMs } from '../sending/phone-wait.ts';
import type { Batch } from './turn.ts';

const OwedRow = z.object({
  id: z.string(),
  kind: z.string(),
  body: z.string(),
  /** The contact has deleted the message for everybody. */
  isRevoked: z.boolean(),
  at: z.string(),
  receivedAt: z.string(),
  occurredMs: z.number(),
  receivedMs: z.number(),
  /** The earlier turn about this message that no model answered, and when a model is asked again. */
  retry: z.object({ turnId: z.string(), atMs: z.number() }).nullable(),
});
/** An inbound message that is owed a turn; times in milliseconds, `at` and `receivedAt` as PostgreSQL writes them. */
export type OwedMessage = z.output<typeof OwedRow>;

const DeskRow = z.object({
  conversationId: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  sessionName: z.string(),
  chatId: z.string(),
  contactId: z.string().nullable(),
  /** The reason why the agent is silent, whatever the contact writes; null where it may speak. */
  silence: z.enum(['group', 'human', 'paused']).nullable(),
  persona: StoredPersona.nullable(),
  timeZone: z.string(),
  typingAtMs: z.number().nullable(),
  typingUntilMs: z.number().nullable(),
  running: z
    .object({
      id: z.string(),
      messageIds: z.array(z.string()),
      restarts: z.int(),
      firstStartedMs: z.number(),
    })
    .nullable(),
  /** The restarts of the previous turn if it was given up for newer messages; else null. */
  givenUpRestarts: z.int().nullable(),
  /** The messages that are owed a turn, oldest first. */
  owed: z.array(OwedRow),
  /** The last messages of both sides, in the order of time. */
  said: z.array(SaidRow),
});

/** The state of a conversation that decides whether and when the agent answers. */
export interface AgentDesk extends z.output<typeof DeskRow> {
  /**
   * The milliseconds until it may be known whether a person has written on the phone; null when nothing suggests it.
   */
  phoneWaitMs: number | null;
}

/** One turn takes at most this many messages, more than a contact writes at once; the rest belong to the next turn. */
export const MAX_OWED = 200;

/**
 * Reads the desk of a conversation. Under the conversation's lock, which callers hold, the answer stays true until the
 * commit, except for the tenant's own state.
 */
export async function readAgentDesk(queries: Queries, conversationId: string): Promise<AgentDesk | null> {
  const desk = await row(queries, DeskRow)`
    select c.id as "conversationId", c.agency_id as "agencyId", c.tenant_id as "tenantId", c.session_id as "sessionId",
      s.name as "sessionName", c.chat_id as "chatId", c.contact_id as "contactId",
      agent_silence(c, t, is_suspended(a.status)) as silence, t.persona,
      coalesce(t.settings->>'timeZone', 'UTC') as "timeZone",
      (extract(epoch from c.typing_at) * 1000)::float8 as "typingAtMs",
      (extract(epoch from c.typing_until) * 1000)::float8 as "typingUntilMs",
      (select jsonb_build_object('id', r.id, 'messageIds', r.inbound_message_ids, 'restarts', r.restarts,
          'firstStartedMs',
          (select (extract(epoch from min(b.started_at)) * 1000)::float8 from (select started_at from ai_turn b
            where b.conversation_id = c.id and b.id <= r.id order by b.id desc limit r.restarts + 1) b))
        from ai_turn r where r.conversation_id = c.id and r.outcome = 'running' order by r.id desc limit 1) as running,
      (select case when l.silence_code = 'newer_message' then l.restarts end from ai_turn l
        where l.conversation_id = c.id and l.outcome <> 'running' order by l.id desc limit 1) as "givenUpRestarts",
      coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'kind', o.kind, 'body', o.body,
            'isRevoked', o.revoked_at is not null, 'at', o.occurred_at, 'receivedAt', o.created_at,
            'occurredMs', (extract(epoch from o.occurred_at) * 1000)::float8,
            'receivedMs', (extract(epoch from o.created_at) * 1000)::float8,
            'retry', (select jsonb_build_object('turnId', r.id, 'atMs', (extract(epoch from r.retry_at) * 1000)::float8)
              from ai_turn r where r.id = o.turn_id and r.retry_at is not null))
          order by o.occurred_at, o.id)
        from (select * from message where conversation_id = c.id and awaits_turn
          order by created_at limit ${MAX_OWED}) o), '[]') as owed,
      coalesce((select jsonb_agg(s) from (${saidLately(sql`c.id`)}) s), '[]') as said
    from conversation c join session s on s.id = c.session_id join agency a on a.id = c.agency_id
    join tenant t on t.agency_id = c.agency_id and t.id = c.tenant_id
    where c.id = ${conversationId}`;
  if (!desk) return null;
  // A silent agent has nothing to wait for, so the phone is not looked at.
  return { ...desk, phoneWaitMs: desk.silence === null ? await phoneWaitMs(queries, desk) : null };
}

export function batchOf(messages: readonly OwedMessage[]): Batch {
  const newest = messages.at(-1);
  const first = messages.reduce((a, b) => (b.receivedMs < a.receivedMs ? b : a), messages[0] ?? emptyBatch());
  if (!newest) return emptyBatch();
  return {
    messageIds: messages.map(({ id }) => id),
    messageId: newest.id,
    at: newest.at,
    receivedAt: first.receivedAt,
  };
}

function emptyBatch(): never {
  throw new Error('A turn is about messages.');
}

/** True when the contact sent this very text shortly before, and a turn answered it. */
export async function wasJustAnswered(
  queries: Queries,
  conversationId: string,
  message: Pick<OwedMessage, 'id' | 'body' | 'receivedMs'>,
  withinMs: number,
): Promise<boolean> {
  const count = await run(queries)`
    select 1 from message m join ai_turn t on t.id = m.turn_id and t.outcome = 'reply'
    where m.conversation_id = ${conversationId} and m.direction = 'in' and m.body = ${message.body}
      and m.id <> ${message.id} and m.occurred_at > ${new Date(message.receivedMs - withinMs)}::timestamptz limit 1`;
  return count > 0;
}

/** True when a turn of the conversation bears the note. */
export async function hasNote(queries: Queries, conversationId: string, note: string): Promise<boolean> {
  const count = await run(queries)`
    select 1 from ai_turn where conversation_id = ${conversationId} and ${note} = any(output_notes) limit 1`;
  return count > 0;
}
