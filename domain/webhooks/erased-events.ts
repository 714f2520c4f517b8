import { z } from 'zod';
import { ContactId, ConversationId, MessageId, SessionId } from '../ids.ts';

export const ContactErasedPayload = z.object({
  contactId: ContactId.meta({ description: 'The contact who was erased. No contact has this id any more.' }),
  mergedFrom: z
    .array(ContactId)
    .meta({ description: 'Contacts that were merged into it before and are erased with it.' }),
  conversationIds: z
    .array(ConversationId)
    .meta({ description: 'The conversations with the person, which are deleted with all their messages.' }),
  timestamp: z.int().meta({ description: 'When it was done, in Unix seconds.' }),
});

/** Stands in an event for a payload that told of a person who was erased since. */
export const ErasedPayload = z
  .object({
    erased: z.literal(true).meta({ description: 'The content of the event was erased.' }),
    messageId: MessageId.optional(),
    conversationId: ConversationId.nullable().optional().meta({ description: 'The conversation that it was about.' }),
    contactId: ContactId.nullable().optional().meta({ description: 'The contact that it was about.' }),
    sessionId: SessionId.optional(),
    timestamp: z.int().optional().meta({ description: 'When it happened, in Unix seconds.' }),
  })
  .meta({ id: 'ErasedPayload', description: 'Replaces a payload about a person whose data has been erased since.' });
