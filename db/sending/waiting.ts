import { z } from 'zod';
import { MessageKind } from '../../domain/sending/message-kind.ts';
import { MessageStatus } from '../../domain/sending/message.ts';
import type { Scope } from '../../domain/scope.ts';
import { lockConversation } from '../conversations/conversation.ts';
import { Timestamp } from '../engine/columns.ts';
import type { Tx } from '../engine/tx.ts';
import { row, rows, run } from '../engine/rows.ts';
import { endMessage } from './outcome.ts';
import { promote } from './promote.ts';

/** A send of ours, read under its conversation's lock. */
const LockedMessage = z.object({
  id: z.string(),
  conversationId: z.string(),
  kind: MessageKind,
  /** True for the first or only message of its request. */
  isFirst: z.boolean(),
  status: MessageStatus,
  isReleased: z.boolean(),
  /** The time at which the message became or becomes due. */
  dueAt: Timestamp,
  expiresAt: Timestamp.nullable(),
});
export type LockedMessage = z.infer<typeof LockedMessage>;

const Place = z.object({ id: z.string(), conversationId: z.string() });

/**
 * Locks the message, and reads it and the messages of its request that still wait, in their order. Null when the scope
 * has no such message.
 */
export async function lockRequest(
  tx: Tx,
  scope: Scope,
  messageId: string,
): Promise<{ message: LockedMessage; waiting: LockedMessage[] } | null> {
  const place = await row(tx, Place)`
    select id, conversation_id as "conversationId" from message
    where id = message_of(${messageId}) and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
      and (${scope.sessionId}::text is null or session_id = ${scope.sessionId})
      and direction = 'out' and is_sent_by_engine(origin)`;
  if (!place) return null;
  await lockConversation(tx, place.conversationId);
  const messages = await rows(tx, LockedMessage)`
    select m.id, m.conversation_id as "conversationId", m.kind, m.status,
      m.id = coalesce(m.request_id, m.id) as "isFirst", m.released_at is not null as "isReleased",
      coalesce(m.scheduled_at, m.created_at) as "dueAt", m.expires_at as "expiresAt"
    from message asked join message m on m.id = asked.id
      or (m.request_id = asked.request_id and m.status in ('queued', 'scheduled'))
    where asked.id = ${place.id} order by m.id for no key update of m`;
  const message = messages.find(({ id }) => id === place.id);
  if (!message) return null;
  return { message, waiting: messages.filter(({ status }) => status === 'queued' || status === 'scheduled') };
}

/** Cancels the last message first, because the end of a message lets the next one go. */
export async function cancelMessages(tx: Tx, messages: readonly LockedMessage[], actor: string): Promise<void> {
  for (const { id } of messages.toReversed()) {
    await endMessage(tx, id, { status: 'cancelled', reason: 'cancelled_by_request', detail: null, actor });
  }
}

export interface Change {
  text?: string | undefined;
  sendAt?: Date | undefined;
  expiresAt?: Date | undefined;
}

/**
 * Changes a message that still waits: its own text, and the times of all waiting messages of its request. Messages that
 * are put off lose their places in the queue, and get new places from `queue_scheduled` when they are due.
 */
export async function changeMessage(
  tx: Tx,
  message: LockedMessage,
  waiting: readonly LockedMessage[],
  change: Change,
  actor: string,
): Promise<void> {
  const { text, sendAt, expiresAt } = change;
  const ids = sendAt === undefined && expiresAt === undefined ? [message.id] : waiting.map(({ id }) => id);
  if (text !== undefined) {
    await run(tx)`update message set body = ${text} where id = ${message.id}`;
    await run(tx)`update conversation set last_message_body = left(${text}, 500)
      where id = ${message.conversationId} and last_message_id = ${message.id}`;
  }
  const times = [...(sendAt ? ['sendAt'] : []), ...(expiresAt ? ['expiresAt'] : [])];
  const changed = [...(text === undefined ? [] : ['text']), ...times];
  await run(tx)`update message set updated_at = ${tx.now}, expires_at = coalesce(${expiresAt ?? null}, expires_at)
    where id = any(${ids}::text[])`;
  if (sendAt) {
    await run(tx)`
      update message set status = 'scheduled', scheduled_at = greatest(${sendAt}, ${tx.now}::timestamptz),
        chat_seq = null,
        ready_at = null, held_by = null, held_until = null
      where id = any(${ids}::text[]) and (status = 'scheduled' or ${sendAt} > ${tx.now}::timestamptz)`;
  }
  await run(tx)`
    insert into message_history (message_id, at, status, reason, detail, actor)
    select id, ${tx.now}, status, 'changed_by_request',
      case when id = ${message.id} then ${changed.join(', ')} else ${times.join(', ')} end,
      ${actor} from message where id = any(${ids}::text[]) order by id`;
  await promote(tx, message.conversationId);
  if (sendAt) tx.wake('schedule');
}
