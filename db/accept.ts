import { sql } from 'kysely';
import { LANES } from '../domain/message.ts';
import type { MessageOrigin } from '../domain/message.ts';
import type { TenantScope } from '../domain/scope.ts';
import type { Tx } from './database.ts';
import { newId } from './new-id.ts';
import { promote } from './promote.ts';

export interface NewSend {
  conversationId: string;
  sessionId: string;
  contactId: string | null;
  text: string;
  origin: Extract<MessageOrigin, 'api' | 'person' | 'ai'>;
  /** When the message is worthless. */
  expiresAt: Date;
  /** What an AI message must still find when it is claimed, else it is cancelled (design 6.4). */
  fence?: { conversationEpoch: number; tenantEpoch: number; turnId: string };
}

/**
 * Accepts one message: its row, its place in the conversation's queue, its history and, where it is the head, the
 * promise to deliver it — one transaction, so that what is answered 2xx is never lost.
 * Returns null when the turn of an AI message has been accepted before.
 */
export async function acceptSend(tx: Tx, scope: TenantScope, send: NewSend): Promise<string | null> {
  const id = newId('msg');
  const lane = send.origin === 'api' ? LANES.bulk : LANES.reply;
  const { rows } = await sql<{ id: string }>`
    with conversation as (
      update conversation set last_seq = last_seq + 1,
        last_message_id = ${id}, last_message_body = ${send.text.slice(0, 500)}, last_message_from_me = true,
        last_message_at = greatest(last_message_at, ${tx.now}::timestamptz)
      where id = ${send.conversationId} and agency_id = ${scope.agencyId} and tenant_id = ${scope.tenantId}
        and not exists (select 1 from message where turn_id = ${send.fence?.turnId ?? null})
      returning last_seq
    ), accepted as (
      insert into message (id, agency_id, tenant_id, session_id, conversation_id, contact_id, direction, origin, kind, body,
        occurred_at, status, lane, chat_seq, conversation_epoch, tenant_epoch, turn_id, expires_at, created_at, updated_at)
      select ${id}, ${scope.agencyId}, ${scope.tenantId}, ${send.sessionId}, ${send.conversationId}, ${send.contactId},
        'out', ${send.origin}, 'text', ${send.text}, ${tx.now}, 'queued', ${lane}, last_seq,
        ${send.fence?.conversationEpoch ?? null}, ${send.fence?.tenantEpoch ?? null}, ${send.fence?.turnId ?? null},
        ${send.expiresAt}, ${tx.now}, ${tx.now}
      from conversation returning id
    )
    insert into message_history (message_id, at, status) select id, ${tx.now}, 'queued' from accepted
    returning message_id as id`.execute(tx.sql);
  if (rows.length === 0) return null;
  await promote(tx, send.conversationId);
  return id;
}
