import { z } from 'zod';

const MAX_ID_LENGTH = 128;

/**
 * An id of ours, as a request names it. Its form is shown and not demanded: what has another form names nothing, and gets the
 * same 404 as any other id that nobody knows.
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
/** A person or a chat, as people write one: a phone number, a chat id or a contactId. */
export const PersonRef = z.string().min(1).max(128);
