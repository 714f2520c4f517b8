import { z } from 'zod';

const MAX_ID_LENGTH = 128;

/**
 * An id of the engine in a request. The form with the prefix is documented and not demanded: an id of another form gets
 * the same 404 as any unknown id.
 */
const idWith = (prefix: string) =>
  z
    .string()
    .min(1)
    .max(MAX_ID_LENGTH)
    .meta({ examples: [`${prefix}_019b76da-a800-7c3e-9d52-5f0c1b7a64e1`] });

export const MessageId = idWith('msg');
export const ConversationId = idWith('cnv');
export const ContactId = idWith('con');
export const SessionId = idWith('ses');
export const MemoryId = idWith('mem');
export const RehearsalId = idWith('reh');
export const EndpointId = idWith('whe');
export const EventId = idWith('evt');

/** An API key's id, as its list shows it. */
export const KeyId = z.string().min(1).max(MAX_ID_LENGTH);

/** A session by its id or by its name. */
export const SessionRef = z.string().min(1).max(160);
/** A contact or a chat in a form that callers write: a phone number, a chat id or a contactId. */
export const PersonRef = z.string().min(1).max(128);
