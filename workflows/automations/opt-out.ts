import { z } from 'zod';
import { START_WORDS, STOP_WORDS } from '../../domain/automations/opt-out-words.ts';
import { Words } from '../../domain/automations/text-filter.ts';
import { defineAutomation } from './define.ts';

export const optOut = defineAutomation({
  title: 'Let contacts opt out',
  description:
    'Anyone who writes one of the stop words gets no more messages, except transactional ones, until they write one ' +
    'of the start words.',
  version: 1,
  params: z.object({
    stopWords: Words.default(STOP_WORDS).meta({
      description:
        'The messages with which a contact opts out. A message must be one of them and contain nothing else.',
    }),
    startWords: Words.default(START_WORDS).meta({
      description: 'The messages with which a contact who has opted out opts in again.',
    }),
  }),
  texts: {
    goodbye: {
      description: 'The last message, sent to a contact who has opted out.',
      usual: 'You will get no more messages from us. Write START if you want them again.',
    },
    welcomeBack: {
      description: 'Sent to a contact who has opted in again.',
      usual: 'You will get our messages again. Write STOP if you do not want them any more.',
    },
  },
  on: ({ stopWords, startWords }) => ({ event: 'message', optOut: { stopWords, startWords } }),
  besidePeople: true,
  async run(context) {
    const { optOut: said } = context.facts.begun;
    if (said === 'out') await context.send('goodbye', { transactional: true });
    if (said === 'in') await context.send('welcomeBack', { transactional: true });
  },
});
