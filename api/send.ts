import { acceptSend } from '../db/accept.ts';
import type { ConversationRef } from '../db/conversation.ts';
import type { Tx } from '../db/database.ts';
import type { Session } from '../db/session.ts';
import { EngineError } from '../domain/error.ts';
import { EXPIRES_AFTER_MS } from '../domain/message-state.ts';
import type { SendAccepted } from '../domain/message.ts';
import { answer } from './answer.ts';
import type { Answer } from './answer.ts';

export interface Content {
  text: string | undefined;
  attachments: readonly unknown[] | undefined;
  /** Where the text stands in the request. */
  textPointer: string;
}

/** The text to send; refuses an empty send and what this version cannot send, rather than dropping it. */
export function textOf(content: Content): string {
  if ((content.attachments?.length ?? 0) > 0) {
    throw new EngineError('not_supported_yet', 'Attachments are not sent yet: send text only.', {
      fields: [{ pointer: '/attachments', message: 'must be empty' }],
    });
  }
  if (content.text === undefined || content.text.trim() === '') {
    throw new EngineError('content_required', 'Send a text.', {
      fields: [{ pointer: content.textPointer, message: 'is required' }],
    });
  }
  return content.text;
}

/** Accepts the send in the caller's transaction and answers 202 with its ids. */
export async function accept(
  tx: Tx,
  session: Session,
  conversation: ConversationRef,
  send: { text: string; origin: 'api' | 'person' },
): Promise<SendAccepted> {
  const messageId = await acceptSend(
    tx,
    { agencyId: session.agencyId, tenantId: session.tenantId },
    {
      conversationId: conversation.id,
      sessionId: session.id,
      contactId: conversation.contactId,
      ...send,
      expiresAt: new Date(tx.now.getTime() + EXPIRES_AFTER_MS.default),
    },
  );
  if (messageId === null) throw new Error('The conversation of an accepted send must exist.');
  return {
    messageId,
    conversationId: conversation.id,
    contactId: conversation.contactId,
    status: 'queued',
    messages: [{ messageId, kind: 'text', status: 'queued' }],
  };
}

export function accepted(send: SendAccepted): Answer<SendAccepted> {
  return answer(202, send, { location: `/api/v1/inbox/messages/${send.messageId}/status` });
}
