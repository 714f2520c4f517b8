import { z } from 'zod';
import { defineAutomation } from './define.ts';

const MINUTES = 60;

export const nudgeUnread = defineAutomation({
  title: 'Nudge whoever has not read',
  description:
    'Writes once more when the contact has not read for hours what was said last, by the agent, the API or a person who ' +
    'has given the conversation back. Contacts who hide that they read get it, too.',
  version: 1,
  params: z.object({
    afterHours: z.int().min(1).max(72).default(24).meta({ description: 'How long it must be unread.' }),
  }),
  texts: {
    nudge: { description: 'What it says.', usual: 'Hello {name}, have you seen our message?' },
  },
  on: ({ afterHours }) => ({ event: 'unread', forMinutes: afterHours * MINUTES }),
  async run(context) {
    await context.send('nudge');
  },
});
