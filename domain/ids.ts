import { z } from 'zod';

const MAX_ID_LENGTH = 128;

/**
 * An id of the engine. The form with the prefix is documented and not demanded: an id of another form gets the same 404
 * as any unknown id.
 */
const idWith = (prefix: string, of: string, tail = '019b76da-a800-7c3e-9d52-5f0c1b7a64e1') =>
  z
    .string()
    .min(1)
    .max(MAX_ID_LENGTH)
    .meta({ description: `The id of ${of}.`, examples: [`${prefix}_${tail}`] });

export const MessageId = idWith('msg', 'a message', '019a8f3e-9d20-7c01-8a2b-3c5d7e9f1a24');
export const ConversationId = idWith('cnv', 'a conversation', '019a8f3d-1b20-7d63-8c2e-5a7b9c1d3e4f');
export const ContactId = idWith('con', 'a contact', '019a8f3d-1b1f-7e74-9d3f-6b8c0d2e4f50');
export const SessionId = idWith('ses', 'a session', '019a8f30-aa00-7f85-8e40-7c9d1e3f5061');
export const MemoryId = idWith('mem', 'a memory');
export const NoteId = idWith('nte', 'a note');
export const RehearsalId = idWith('reh', 'a rehearsal');
export const ErasureId = idWith('era', 'an erasure');
export const ExportId = idWith('exp', 'an export');
export const EndpointId = idWith('whe', 'a webhook endpoint', '019a8f2f-0c00-7096-9f51-8dae2f405172');
export const EventId = idWith('evt', 'an event', '019a8f3e-7c12-71a7-a062-9ebf30516283');

/** An API key's id, as its list shows it. */
export const KeyId = idWith('key', 'an API key');
export const ConsoleLoginId = idWith('clg', 'a login to the console');
export const UploadRef = idWith('upl', 'an upload', '3f9d0c1b2a4e5f60718293a4b5c6d7e8');
export const EventStreamId = idWith('str', 'an open event stream');
export const WorkflowHookId = idWith('hok', 'the address of a workflow');
export const WorkflowDefinitionId = idWith('flw', "an agency's workflow");
export const ConsoleLinkId = idWith('clk', 'a link into the console');

/** A session by its id or by its name. */
export const SessionRef = z
  .string()
  .min(1)
  .max(160)
  .meta({
    description: "A session's id or name. Defaults to the tenant's default session.",
    examples: ['ses_019a8f30-aa00-7f85-8e40-7c9d1e3f5061'],
  });
/** A contact or a chat in a form that callers write: a phone number, a chat id or a contactId. */
export const PersonRef = z.string().min(1).max(128);
