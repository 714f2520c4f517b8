import { z } from 'zod';
import { DIRECTIONS } from '../conversation.ts';
import { Target } from '../scope.ts';
import { ContactId, ConversationId, MemoryId, MessageId } from '../ids.ts';

export const ReadInboxContext = z
  .strictObject({ ...Target, conversationId: ConversationId })
  .meta({ id: 'ReadInboxContext', description: 'The conversation that the prompt is for.' });

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
      .array(
        z.object({
          role: z
            .enum(['user', 'assistant'])
            .meta({ description: 'Who speaks: `user` the contact, `assistant` our side.' }),
          content: z.string().meta({ description: 'What is said.' }),
        }),
      )
      .meta({ description: 'The rest of it, for such a model.' }),
    memories: z
      .array(
        z.object({
          id: MemoryId,
          contactId: ContactId.nullable().meta({ description: 'Whom it is about. Null for a fact about the tenant.' }),
          fact: z.string().meta({ description: 'The fact, in one line.' }),
          category: z.string().meta({ description: 'What sort of fact it is.' }),
          source: z.string().meta({ description: 'Where it comes from.' }),
          confidence: z
            .number()
            .nullable()
            .meta({ description: 'How sure it is, from 0 to 1. Null where that is not known.' }),
        }),
      )
      .meta({
        description: 'Those that the prompt tells: facts of the tenant (`contactId` null), then those of the contact.',
      }),
    messages: z
      .array(
        z.object({
          messageId: MessageId,
          direction: z.enum(DIRECTIONS).meta({ description: '`in` from the contact, `out` from our side.' }),
          kind: z.string().meta({ description: 'What sort of message it is, such as `text` or `image`.' }),
          body: z.string().meta({ description: 'Its words.' }),
          timestamp: z.int().meta({ description: 'When it was written, in Unix seconds.' }),
          media: z
            .object({
              mimeType: z.string().nullable().meta({ description: 'The media type of the file.' }),
              fileName: z.string().nullable().meta({ description: 'The name of the file.' }),
            })
            .nullable()
            .meta({ description: 'Its file, by name. Null where it has none.' }),
        }),
      )
      .meta({ description: 'Those that the prompt shows, oldest first. Files are named, not fetched.' }),
    contactId: ContactId.nullable().meta({ description: 'The contact of the conversation. Null for groups.' }),
    conversationId: ConversationId,
  })
  .meta({ id: 'InboxContext', description: 'The prompt of a conversation, and what it is made of.' });
