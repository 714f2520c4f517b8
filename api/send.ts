import type { AcceptOutcome } from '../db/accept.ts';
import { EngineError, notFound } from '../domain/error.ts';
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

/** Answers 202 with the ids of what was accepted, or 404 for what the request named and is not there. */
export function accepted(result: AcceptOutcome): Answer<SendAccepted> {
  switch (result.outcome) {
    case 'accepted': {
      const { messageId, conversationId, contactId } = result;
      const messages = [{ messageId, kind: 'text', status: 'queued' as const }];
      return answer(
        202,
        { messageId, conversationId, contactId, status: 'queued' as const, messages },
        { location: `/api/v1/inbox/messages/${messageId}/status` },
      );
    }
    case 'no_session':
      throw notFound('session');
    case 'no_contact':
      throw notFound('contact');
    case 'no_conversation':
      throw notFound('conversation');
    case 'turn_has_sent':
      throw new Error('Requests belong to no turn.');
  }
}
