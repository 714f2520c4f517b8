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
        'For a model that takes one text: who the agent is and how it answers, then the facts and the conversation as quoted data.',
    }),
    instructions: z.string().meta({
      description: 'Only the first part of it, for a model that takes roles: what only the tenant and the engine say.',
    }),
    promptMessages: z
      .array(
        z.object({
          role: z
            .enum(['user', 'assistant'])
            .meta({ description: 'The speaker: `user` is the contact, `assistant` is the account.' }),
          content: z.string().meta({ description: 'The text.' }),
        }),
      )
      .meta({ description: 'The rest of it, for such a model.' }),
    memories: z
      .array(
        z.object({
          id: MemoryId,
          contactId: ContactId.nullable().meta({
            description: 'The contact that it is about. Null for a fact about the tenant.',
          }),
          fact: z.string().meta({ description: 'The fact, on one line.' }),
          category: z.string().meta({ description: 'The kind of fact.' }),
          source: z.string().meta({ description: 'The source.' }),
          confidence: z.number().nullable().meta({ description: 'How certain it is, from 0 to 1. Null if not known.' }),
        }),
      )
      .meta({
        description:
          'The facts in the prompt: those about the tenant (`contactId` null), then those about the contact.',
      }),
    messages: z
      .array(
        z.object({
          messageId: MessageId,
          direction: z.enum(DIRECTIONS).meta({ description: '`in` if the contact wrote it, `out` if our side did.' }),
          kind: z.string().meta({ description: 'The kind of message, such as `text` or `image`.' }),
          body: z.string().meta({ description: 'The text of the message.' }),
          timestamp: z.int().meta({ description: 'When the message was written, in Unix seconds.' }),
          media: z
            .object({
              mimeType: z.string().nullable().meta({ description: 'The media type of the file.' }),
              fileName: z.string().nullable().meta({ description: 'The name of the file.' }),
            })
            .nullable()
            .meta({ description: 'Its file, by name. Null if it has none.' }),
        }),
      )
      .meta({ description: 'The messages in the prompt, oldest first. Files are named, not fetched.' }),
    contactId: ContactId.nullable().meta({ description: 'The contact of the conversation. Null for groups.' }),
    conversationId: ConversationId,
  })
  .meta({ id: 'InboxContext', description: 'The prompt of a conversation, and what it consists of.' });
