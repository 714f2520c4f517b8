import { z } from 'zod';
import { ContactId, ConversationId, MessageId, SessionId } from '../ids.ts';

export const ContactErasedPayload = z.object({
  contactId: ContactId.meta({ description: 'The contact who was erased. No contact has this id any more.' }),
  mergedFrom: z
    .array(ContactId)
    .meta({ description: 'Contacts that were merged into it before, and are erased with it.' }),
  conversationIds: z
    .array(ConversationId)
    .meta({ description: 'The conversations with the person, which are gone with all their messages.' }),
  timestamp: z.int().meta({ description: 'When it was done, in Unix seconds.' }),
});

/** Stands in an event for a payload that told of a person who was erased since. */
export const ErasedPayload = z
  .object({
    erased: z.literal(true).meta({ description: 'What the event told was erased.' }),
    messageId: MessageId.optional(),
    conversationId: ConversationId.nullable().optional().meta({ description: 'The conversation that it was about.' }),
    contactId: ContactId.nullable().optional().meta({ description: 'The contact that it was about.' }),
    sessionId: SessionId.optional(),
    timestamp: z.int().optional().meta({ description: 'When it happened, in Unix seconds.' }),
  })
  .meta({ id: 'ErasedPayload', description: 'Stands in for a payload that told of a person who was erased since.' });
