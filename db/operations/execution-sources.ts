import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ExecutionStatus } from '../../domain/automations/execution.ts';
import type { ExecutionKind } from '../../domain/operations/execution.ts';
import { idsOfConversation } from '../conversations/ids-of-conversation.ts';

/** Reads the rows of one kind of execution. The table is `x`. */
export interface ExecutionSource {
  table: RawBuilder<unknown>;
  /** Null where it belongs to no session. */
  sessionId: RawBuilder<unknown> | null;
  conversationId: RawBuilder<unknown>;
  contactId: RawBuilder<unknown>;
  messageId: RawBuilder<unknown>;
  isIn(conversationId: string): RawBuilder<boolean>;
  reason: RawBuilder<unknown>;
  createdAt: RawBuilder<unknown>;
  /** True if an execution in Temporal does it, or is promised to. */
  isExecuted: RawBuilder<boolean>;
  /** Exactly one of these conditions holds. A status that the kind never has is left out. */
  is: { running: RawBuilder<boolean> } & { [Status in ExecutionStatus]?: RawBuilder<boolean> };
}

const none = sql`null::text`;

/** No model answered a turn, which was given up, or owes its messages to the next one. */
const UNANSWERED = sql`coalesce(x.silence_code in ('model_failed', 'model_retry'), false)`;

/** The promise of its execution is written with its row. */
const always: RawBuilder<boolean> = sql`true`;

/**
 * A turn that only records that the agent is known to be silent is written with its message (`tell_agent`). It begins
 * no execution, and all its times are the same.
 */
const IS_RECORD: RawBuilder<boolean> = sql`coalesce(x.outcome = 'silence' and x.received_at = x.started_at
  and x.ended_at = x.started_at, false)`;

/** The conditions of `running` are those of partial indexes, so that the few rows that run are found at once. */
export const EXECUTION_SOURCES: Readonly<Record<ExecutionKind, ExecutionSource>> = {
  automation: {
    table: sql`automation_execution`,
    sessionId: sql`x.session_id`,
    conversationId: sql`x.conversation_id`,
    contactId: sql`x.contact_id`,
    messageId: none,
    isIn: (id) => sql`x.conversation_id = any(${idsOfConversation(id)})`,
    reason: sql`coalesce(x.reason,
      case when x.status = 'running' and x.promised_at is null then 'turn' else x.waits_for end)`,
    createdAt: sql`x.created_at`,
    isExecuted: sql`x.promised_at is not null`,
    is: {
      running: sql`x.status = 'running'`,
      completed: sql`x.status = 'completed'`,
      failed: sql`x.status = 'failed'`,
      cancelled: sql`x.status = 'cancelled'`,
    },
  },
  ai: {
    table: sql`ai_turn`,
    sessionId: sql`x.session_id`,
    conversationId: sql`x.conversation_id`,
    contactId: none,
    messageId: none,
    isIn: (id) => sql`x.conversation_id = any(${idsOfConversation(id)})`,
    reason: sql`x.silence_code`,
    createdAt: sql`x.started_at`,
    isExecuted: sql`not ${IS_RECORD}`,
    is: {
      running: sql`x.outcome = 'running'`,
      completed: sql`(x.outcome <> 'running' and not ${UNANSWERED})`,
      failed: sql`(x.outcome <> 'running' and ${UNANSWERED})`,
    },
  },
  actions: {
    table: sql`message_action`,
    sessionId: sql`x.session_id`,
    conversationId: none,
    contactId: none,
    messageId: sql`x.message_id`,
    isIn: (id) => sql`exists (select 1 from message m
      where m.id = x.message_id and m.conversation_id = any(${idsOfConversation(id)}))`,
    reason: sql`x.reason`,
    createdAt: sql`x.created_at`,
    isExecuted: always,
    is: {
      running: sql`x.ended_at is null`,
      completed: sql`(x.ended_at is not null and x.status = 'done')`,
      failed: sql`(x.ended_at is not null and x.status <> 'done')`,
    },
  },
  rehearsal: {
    table: sql`rehearsal`,
    sessionId: sql`x.session_id`,
    conversationId: sql`x.request->>'conversationId'`,
    contactId: none,
    messageId: none,
    isIn: (id) => sql`x.request->>'conversationId' = any(${idsOfConversation(id)})`,
    reason: sql`x.error_code`,
    createdAt: sql`x.created_at`,
    isExecuted: always,
    is: {
      running: sql`x.status = 'running'`,
      completed: sql`x.status = 'done'`,
      failed: sql`x.status = 'failed'`,
    },
  },
  erasure: {
    table: sql`erasure`,
    sessionId: null,
    conversationId: none,
    contactId: sql`x.contact_id`,
    messageId: none,
    isIn: () => sql`false`,
    reason: sql`x.waits_for`,
    createdAt: sql`x.created_at`,
    isExecuted: always,
    is: { running: sql`x.ended_at is null`, completed: sql`x.ended_at is not null` },
  },
  export: {
    table: sql`tenant_export`,
    sessionId: null,
    conversationId: none,
    contactId: none,
    messageId: none,
    isIn: () => sql`false`,
    reason: sql`x.gone_reason`,
    createdAt: sql`x.created_at`,
    isExecuted: always,
    is: {
      running: sql`(x.ended_at is null and x.gone_reason is null)`,
      completed: sql`x.ended_at is not null`,
      cancelled: sql`(x.ended_at is null and x.gone_reason is not null)`,
    },
  },
};
