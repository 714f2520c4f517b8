import { z } from 'zod';
import { ConversationId } from '../ids.ts';
import { Target } from '../scope.ts';

/** The reasons for which the agent owes its answer to a person. The first is also the cause and the silence. */
export const AGENT_LATE = 'agent_late';
export const OWED_REASONS = [AGENT_LATE, 'reply_expired', 'reply_failed'] as const;
export type OwedReason = (typeof OWED_REASONS)[number];

/** One request settles at most this many chats. */
const MAX_SETTLED = 200;

export const SettleOwed = z
  .strictObject({
    ...Target,
    action: z.enum(['answer', 'hand_over']).meta({
      description:
        '`answer`: the agent answers these chats again, also those that it handed over because it was late. ' +
        '`hand_over`: a person gets them.',
    }),
    assignee: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .meta({
        description:
          "With `hand_over`: who gets them, a name or an id of the dashboard's own. Chats that the agent handed over before " +
          'and that nobody has are then included.',
      }),
    actor: z.string().min(1).max(128).optional().meta({
      description: 'The person who requests it: a name or an id, 1 to 128 characters.',
    }),
    reason: z.string().min(1).max(500).optional().meta({
      description: 'The reason, 1 to 500 characters; it is in the history.',
    }),
    limit: z
      .int()
      .min(1)
      .max(MAX_SETTLED)
      .optional()
      .meta({ description: `How many chats at most, 1 to ${MAX_SETTLED}; 100 if omitted.` }),
  })
  .meta({ id: 'SettleOwed', description: 'The action for chats that wait for an answer.' });
export type SettleOwed = z.infer<typeof SettleOwed>;

export const OwedSettled = z
  .object({
    action: z.enum(['answer', 'hand_over']).meta({ description: 'The requested action.' }),
    conversationIds: z
      .array(ConversationId)
      .meta({ description: 'The conversations that were settled now, the longest wait first.' }),
    moreOwed: z.boolean().meta({ description: 'True if more chats are owed an answer: repeat the request.' }),
    silence: z.enum(['paused', 'human']).nullable().meta({
      description: 'With `answer`: why the agent answers nobody in this tenant now. Null if it does.',
    }),
  })
  .meta({ id: 'OwedSettled', description: 'The chats that the request has settled.' });
