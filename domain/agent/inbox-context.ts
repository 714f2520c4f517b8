import { z } from 'zod';
import { DIRECTIONS } from '../conversation.ts';
import { ExternalId } from '../scope.ts';
import { ConversationId } from '../ids.ts';

export const ReadInboxContext = z
  .object({
    agencyId: ExternalId.optional(),
    tenantId: ExternalId.optional(),
    conversationId: ConversationId,
  })
  .meta({ id: 'ReadInboxContext' });

export const InboxContext = z
  .object({
    systemPrompt: z.string().meta({
      description:
        'For a model that takes one text: who the agent is and how it answers, then what is known and what was said, as quoted data.',
    }),
    instructions: z.string().meta({
      description: 'The first part of it alone, for a model that takes roles: what only the tenant and the engine say.',
    }),
    promptMessages: z
      .array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() }))
      .meta({ description: 'The rest of it, for such a model.' }),
    memories: z
      .array(
        z.object({
          id: z.string(),
          contactId: z.string().nullable(),
          fact: z.string(),
          category: z.string(),
          source: z.string(),
          confidence: z.number().nullable(),
        }),
      )
      .meta({
        description: 'Those that the prompt tells: facts of the tenant (`contactId` null), then those of the contact.',
      }),
    messages: z
      .array(
        z.object({
          messageId: z.string(),
          direction: z.enum(DIRECTIONS),
          kind: z.string(),
          body: z.string(),
          timestamp: z.int(),
          media: z.object({ mimeType: z.string().nullable(), fileName: z.string().nullable() }).nullable(),
        }),
      )
      .meta({ description: 'Those that the prompt shows, oldest first. Files are named, not fetched.' }),
    contactId: z.string().nullable(),
    conversationId: z.string(),
  })
  .meta({ id: 'InboxContext' });
