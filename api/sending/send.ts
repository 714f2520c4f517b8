import type { AcceptOutcome, NewSend } from '../../db/sending/accept.ts';
import type { Database } from '../../db/engine/database.ts';
import { EngineError, invalid, notFound } from '../../domain/error.ts';
import { rendersNatively } from '../../domain/sending/interactive.ts';
import { formerProcess, kindNotSupported } from '../../domain/sending/native/native-kinds.ts';
import { EXPIRES_AFTER_MS, SCHEDULE_WITHIN_MS } from '../../domain/sending/message-state.ts';
import type { Scope } from '../../domain/scope.ts';
import { reasonText } from '../../domain/sending/reasons.ts';
import type { Part } from '../../domain/sending/parts.ts';
import type { SendAccepted } from '../../domain/sending/send.ts';
import type { KeyHolder } from '../route/caller.ts';
import { answer } from '../wire/answer.ts';
import type { Answer } from '../wire/answer.ts';
import { addressBook } from './recipient.ts';
import type { AddressBook, RecipientFields } from './recipient.ts';

export interface Timing {
  sendAt?: string | undefined;
  expiresAt?: string | undefined;
}

/** The fields that the bodies of all sending routes share. */
export interface SendFields extends RecipientFields, Timing {
  replyTo?: string | undefined;
  priority?: 'normal' | 'bulk' | undefined;
  transactional?: boolean | undefined;
}

interface Place {
  caller: Pick<KeyHolder, 'keyId'>;
  scope: Scope;
  database: Database;
  session: string | undefined;
}

/** Makes a sending route's request into what the database takes; `content` are its messages, or makes them. */
export async function newSend(
  { caller, scope, database, session }: Place,
  fields: SendFields,
  content: readonly Part[] | ((book: AddressBook) => Promise<Pick<NewSend, 'parts' | 'forwardsIn'>>),
): Promise<NewSend> {
  const book = addressBook(database, scope, { keyId: caller.keyId });
  return {
    session,
    recipient: await book.recipientOf(fields),
    ...(typeof content === 'function' ? await content(book) : { parts: content }),
    origin: 'api',
    bulk: fields.priority === 'bulk',
    transactional: fields.transactional,
    replyTo: fields.replyTo,
    ...timingOf(fields, database.clock.now()),
  };
}

/** Returns when a message becomes due and when it expires; a `sendAt` in the past means at once. */
export function timingOf(timing: Timing, now: Date): Pick<NewSend, 'sendAt' | 'expires'> {
  const sendAt = timing.sendAt === undefined ? undefined : new Date(timing.sendAt);
  if (sendAt && sendAt.getTime() > now.getTime() + SCHEDULE_WITHIN_MS) {
    throw invalid({ pointer: '/sendAt', message: 'must be at most a year ahead' });
  }
  if (timing.expiresAt === undefined) return { sendAt, expires: { afterMs: EXPIRES_AFTER_MS.default } };
  const at = new Date(timing.expiresAt);
  if (at <= now || (sendAt && at <= sendAt)) {
    throw invalid({ pointer: '/expiresAt', message: 'must be in the future and later than sendAt' });
  }
  return { sendAt, expires: { at } };
}

/** Pointers to the things that a request names and that may not exist. */
export interface Named {
  session?: string | undefined;
  contact?: string | undefined;
  conversation?: string | undefined;
}

export function namedIn(body: RecipientFields & { session?: string | undefined }): Named {
  return {
    session: body.session === undefined ? undefined : '/session',
    contact: body.contactId === undefined ? '/to' : '/contactId',
    conversation: '/conversationId',
  };
}

/** Answers 202 with the ids of what was accepted, or 404 when something that the request names does not exist. */
export function accepted(result: AcceptOutcome, named: Named): Answer<SendAccepted> {
  switch (result.outcome) {
    case 'accepted': {
      const { messageId, conversationId, contactId, chatId, platform, quotes, scheduledFor, plan, ended } = result;
      const waits = scheduledFor === null ? 'queued' : 'scheduled';
      const status = ended === undefined ? waits : 'failed';
      const error = ended === undefined ? {} : { error: { code: ended, message: reasonText(ended) } };
      const kind = result.messages[0]?.kind;
      const isInteractive = kind === 'buttons' || kind === 'list';
      return answer(
        202,
        {
          messageId,
          conversationId,
          contactId,
          status,
          ...(scheduledFor === null ? {} : { scheduledFor }),
          ...(isInteractive
            ? { renderedAs: rendersNatively(kind, platform, { chatId, quotes }) ? 'native' : 'text' }
            : {}),
          messages: result.messages.map((message) => ({ ...message, status, ...error })),
          ...(ended === undefined ? { plan } : {}),
        },
        { location: `/api/v1/inbox/messages/${messageId}/status` },
      );
    }
    case 'no_session':
      throw notFound('session', named.session);
    case 'no_contact':
      throw notFound('contact', named.contact);
    case 'no_conversation':
      throw notFound('conversation', named.conversation);
    case 'not_supported':
      throw kindNotSupported(result.kinds, result.platform);
    case 'former_process':
      throw formerProcess();
    case 'other_session':
      throw invalid({ pointer: '/forward/messageId', message: 'belongs to another session' });
    case 'no_reply_target':
      throw new EngineError('not_found', 'Message not found in this conversation, or it has not been sent yet.', {
        fields: [{ pointer: '/replyTo', message: 'is not a message of this conversation that can be quoted' }],
      });
    case 'turn_has_sent':
      throw new Error('Requests belong to no turn.');
  }
}
