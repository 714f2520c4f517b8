import { z } from 'zod';
import { defineAutomation } from './define.ts';

export const assignUnanswered = defineAutomation({
  title: 'Assign what nobody has answered',
  description:
    'Gives a conversation to a person when neither the agent nor a person has answered for a while, also when a person has ' +
    'it already. Event: `conversation.assigned` tells who has it now.',
  version: 1,
  params: z.object({
    afterMinutes: z.int().min(1).max(1_440).default(15).meta({ description: 'How long nobody must have answered.' }),
    assignees: z.array(z.string().min(1).max(128)).max(50).default([]).meta({
      description: 'Of them it is given to whoever has the fewest conversations; to nobody by name when empty.',
    }),
    tellsContact: z.boolean().default(false).meta({ description: 'Whether the contact is told that somebody comes.' }),
  }),
  texts: {
    patience: {
      description: 'Said to the contact, if they are told.',
      usual: 'Thank you for your patience. Somebody will answer you soon.',
    },
  },
  on: ({ afterMinutes }) => ({ event: 'unanswered', forMinutes: afterMinutes }),
  besidePeople: true,
  async run(context, { assignees, tellsContact }) {
    await context.assignHuman({ among: assignees, reason: 'unanswered' });
    if (tellsContact) await context.send('patience');
  },
});
