import { z } from 'zod';
import { explained } from '../explained.ts';
import { ContactId, ConversationId, SessionId } from '../ids.ts';

/** The ways to learn that two contacts are one person. */
export const MERGE_CAUSES = ['message', 'number_check', 'hidden_id_check'] as const;

const fields = {
  contactId: ContactId.meta({ description: 'The contact that stays.' }),
  chatIds: z.array(z.string()).meta({ description: "The addresses that the network named as the same person's." }),
  timestamp: z.int().meta({ description: 'When it was done, in Unix seconds.' }),
};

export const ContactMergedPayload = z.object({
  ...fields,
  mergedFrom: ContactId.nullable().meta({
    description:
      'The contact that was merged. From now on, its id leads to `contactId`.\n\nNull if only conversations ' +
      'were merged.',
  }),
  cause: z.enum(MERGE_CAUSES).meta({
    description: explained('The evidence that they are one person.', {
      message: 'A message that names both addresses.',
      number_check: 'The check of a number before the first message to it.',
      hidden_id_check: "The network's response about whose a hidden id is.",
    }),
  }),
  conversations: z
    .array(
      z.object({
        conversationId: ConversationId,
        sessionId: SessionId,
        mergedFrom: ConversationId.nullable().meta({
          description:
            'The conversation that was merged into this one and whose id now leads to it. Null if this one only belongs to another contact now.',
        }),
      }),
    )
    .meta({ description: 'The conversations that changed, in all sessions of the tenant.' }),
});

export const ContactUnmergedPayload = z.object({
  ...fields,
  partedFrom: ContactId.nullable().meta({ description: 'The contact that had been merged and exists again.' }),
  conversations: z
    .array(
      z.object({
        conversationId: ConversationId,
        sessionId: SessionId,
        partedFrom: ConversationId.nullable().meta({
          description:
            'The conversation that had been merged into this one and exists again. Null if this one only belongs to its former contact again.',
        }),
      }),
    )
    .meta({ description: 'The conversations that changed, in all sessions of the tenant.' }),
});
