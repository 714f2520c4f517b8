import { z } from 'zod';
import { defineAutomation } from './define.ts';

export const welcomeContact = defineAutomation({
  title: 'Welcome a new contact',
  description:
    "Greets anyone who writes for the first time, with a different text outside the persona's working hours.",
  version: 2,
  params: z.object({}),
  texts: {
    greeting: {
      description: 'The first words that a new contact gets.',
      usual: 'Hello {name}, thank you for writing to us.',
    },
    closedGreeting: {
      description: 'The same, for anyone who writes outside the working hours.',
      usual: 'Hello {name}, thank you for writing to us. We are not here now, and answer as soon as we are back.',
    },
  },
  on: () => ({ event: 'message', isFirst: true }),
  async run(context) {
    // Runs that began with version 1 know one greeting.
    const isOpen = context.version < 2 || (await context.isOpen());
    await context.send(isOpen ? 'greeting' : 'closedGreeting');
  },
});
