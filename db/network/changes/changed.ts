import { z } from 'zod';
import { chatKind } from '../../../domain/network/chat-id.ts';
import type { EventPayload } from '../../../domain/webhooks/event.ts';
import type { Tx } from '../../engine/tx.ts';

export const Changed = z
  .object({
    id: z.string(),
    agencyId: z.string(),
    tenantId: z.string(),
    conversationId: z.string(),
    chatId: z.string(),
    contactId: z.string().nullable(),
    participant: z.string().nullable(),
    fromMe: z.boolean(),
    isRevoked: z.boolean(),
    isElsewhere: z.boolean(),
  })
  .transform((message) => ({ ...message, isGroup: chatKind(message.chatId) === 'group' }));

/**
 * A message that somebody has done something to, under its conversation's lock. Dashboards hear of it when `tells` is
 * true.
 */
export type Changed = z.output<typeof Changed> & { sessionId: string; tells: boolean };

/** The fields that every event about a changed message carries. */
export function changedFields(tx: Tx, { id, conversationId, contactId, chatId, fromMe }: Changed) {
  return {
    messageId: id,
    conversationId,
    contactId,
    chatId,
    fromMe,
    timestamp: Math.floor(tx.now.getTime() / 1_000),
  };
}

type ChangeEvent = Extract<EventPayload, { event: `message.${'edited' | 'revoked' | 'reaction' | 'vote'}` }>;

/** Tells dashboards of the change. Later changes of a revoked message are not reported. */
export function tellChange(tx: Tx, message: Changed, event: ChangeEvent): void {
  if (!message.tells || message.isRevoked) return;
  const { agencyId, tenantId, sessionId, conversationId } = message;
  tx.emit({ ...event, agencyId, tenantId, sessionId, conversationId });
}
