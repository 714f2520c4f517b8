import { sql } from 'kysely';
import { z } from 'zod';
import { AckLevel, ackName, shownAck } from '../../../domain/network/ack.ts';
import { shownAddress } from '../../../domain/network/chat-id.ts';
import { MessageKind } from '../../../domain/sending/message-kind.ts';
import { isSentByEngine, MessageOrigin, MessageStatus } from '../../../domain/sending/message.ts';
import type { Tx } from '../../engine/tx.ts';

/** The columns of a message that its events and its successors need. */
export const MovedMessage = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  conversationId: z.string(),
  chatId: z.string(),
  /** The address at which the contact is written to: the phone once it is known. */
  contactChatId: z.string().nullable(),
  origin: MessageOrigin,
  kind: MessageKind,
  status: MessageStatus,
  ack: AckLevel.nullable(),
});
export type MovedMessage = z.infer<typeof MovedMessage>;

/**
 * A message that has ended. It has `begun` when it has a workflow, and `holdsSlot` when it was released and no call was
 * made.
 */
export const EndedMessage = MovedMessage.extend({ begun: z.boolean(), holdsSlot: z.boolean() });

/** The columns of {@link MovedMessage}, for queries that select from `message m join conversation c`. */
export const MOVED_COLUMNS = sql`m.id, m.agency_id as "agencyId", m.tenant_id as "tenantId",
  m.session_id as "sessionId",
  m.conversation_id as "conversationId", c.chat_id as "chatId",
  (select k.chat_id from contact k where k.id = c.contact_id) as "contactChatId", m.origin, m.kind, m.status, m.ack`;

/**
 * Tells the dashboard the message's new state, with the reason when the message ended without being sent. It is silent
 * about messages that were written on the phone or found in the history, because the dashboard was never told their
 * ids.
 */
export function emitAck(tx: Tx, message: MovedMessage, status: MessageStatus, reason?: string): void {
  if (!isSentByEngine(message.origin)) return;
  const level = shownAck(status, message.ack);
  tx.emit({
    event: 'message.ack',
    agencyId: message.agencyId,
    tenantId: message.tenantId,
    sessionId: message.sessionId,
    conversationId: message.conversationId,
    payload: {
      messageId: message.id,
      conversationId: message.conversationId,
      to: shownAddress(message.chatId, message.contactChatId),
      status,
      ack: level,
      ackName: ackName(level),
      ...(reason === undefined ? {} : { reason }),
      timestamp: Math.floor(tx.now.getTime() / 1_000),
    },
  });
}
