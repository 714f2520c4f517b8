import { z } from 'zod';
import { defineAutomation } from './define.ts';

const MINUTES = 60;

export const nudgeUnread = defineAutomation({
  title: 'Nudge contacts who have not read',
  description:
    'Sends one more message if the contact has not read the last message for hours. Messages of the agent, the API and ' +
    'people who released the conversation count. Contacts who hide their read receipts also get it.',
  version: 1,
  params: z.object({
    afterHours: z
      .int()
      .min(1)
      .max(72)
      .default(24)
      .meta({ description: 'For how many hours the message must be unread.' }),
  }),
  texts: {
    nudge: { description: 'The text.', usual: 'Hello {name}, have you seen our message?' },
  },
  on: ({ afterHours }) => ({ event: 'unread', forMinutes: afterHours * MINUTES }),
  async run(context) {
    await context.send('nudge');
  },
});
