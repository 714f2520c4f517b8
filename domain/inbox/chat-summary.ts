import { z } from 'zod';
import { SilenceCodeField } from '../agent/sales-agent.ts';
import { MirroredChat } from '../conversation.ts';
import { CHAT_STATUSES } from '../sending/message.ts';

/** The spec's chat summary, with the engine's ids. */
export const ChatSummary = MirroredChat.extend({
  waitingSince: z.iso
    .datetime()
    .nullable()
    .meta({
      description:
        'When the contact wrote the first message that nobody has answered. A person answers with an ' +
        'accepted reply or on the phone; the agent and the API answer once their message is sent.\n\n' +
        'Automations, bulk messages and an agent that calls a person do not. Null if nobody waits, for ' +
        'groups, and 30 days after their last message.',
    }),
  lastMessageStatus: z.enum(CHAT_STATUSES).nullable().meta({
    description: 'The status of the newest message. Null if only its text is known.',
  }),
  agentSilence: SilenceCodeField.nullable().meta({
    description:
      'Why the agent said nothing in its last turn. Null if it spoke, called a person, is still in its turn, or had none.',
  }),
}).meta({
  id: 'ChatSummary',
  description: 'A conversation as the list of chats shows it.',
});
export type ChatSummary = z.infer<typeof ChatSummary>;
