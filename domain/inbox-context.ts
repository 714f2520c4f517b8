import { z } from 'zod';
import { ExternalId } from './scope.ts';

export const ReadInboxContext = z
  .object({
    agencyId: ExternalId.optional(),
    tenantId: ExternalId.optional(),
    conversationId: z.string().min(1).max(128),
  })
  .meta({ id: 'ReadInboxContext' });

export const InboxContext = z
  .object({
    systemPrompt: z.string().meta({
      description:
        'For a model: who the agent is and how it answers, then what is known and what was said, as quoted data.',
    }),
    memories: z
      .array(
        z.object({
          id: z.string(),
          fact: z.string(),
          category: z.string(),
          source: z.string(),
          confidence: z.number().nullable(),
        }),
      )
      .meta({ description: 'Those of the contact that the prompt tells.' }),
    messages: z
      .array(
        z.object({
          messageId: z.string(),
          direction: z.enum(['in', 'out']),
          kind: z.string(),
          body: z.string(),
          timestamp: z.int(),
          media: z.object({ mimeType: z.string().nullable(), fileName: z.string().nullable() }).nullable(),
        }),
      )
      .meta({ description: 'The last ones, oldest first. Files are named, not fetched.' }),
    contactId: z.string().nullable(),
    conversationId: z.string(),
  })
  .meta({ id: 'InboxContext' });
