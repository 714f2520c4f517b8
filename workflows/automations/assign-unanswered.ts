import { z } from 'zod';
import { defineAutomation } from './define.ts';

export const assignUnanswered = defineAutomation({
  title: 'Assign unanswered conversations',
  description:
    'Gives a conversation to a person if neither the agent nor a person has answered for a while, even if a person ' +
    'already has it. The event `conversation.assigned` reports who has it now.',
  version: 1,
  params: z.object({
    afterMinutes: z
      .int()
      .min(1)
      .max(1_440)
      .default(15)
      .meta({ description: 'For how many minutes nobody must have answered.' }),
    assignees: z.array(z.string().min(1).max(128)).max(50).default([]).meta({
      description:
        'The conversation goes to the one of these with the fewest conversations. If empty, to nobody by name.',
    }),
    tellsContact: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether the contact gets a note that a person will answer.' }),
  }),
  texts: {
    patience: {
      description: 'Sent to the contact, if the contact is told.',
      usual: 'Thank you for your patience. Someone will answer you soon.',
    },
  },
  on: ({ afterMinutes }) => ({ event: 'unanswered', forMinutes: afterMinutes }),
  besidePeople: true,
  async run(context, { assignees, tellsContact }) {
    await context.assignHuman({ among: assignees, reason: 'unanswered' });
    if (tellsContact) await context.send('patience');
  },
});
