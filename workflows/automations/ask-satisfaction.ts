import { z } from 'zod';
import { hours } from '../../domain/automations/time.ts';
import { defineAutomation } from './define.ts';

const SCORES = ['1', '2', '3', '4', '5'] as const;

export const askSatisfaction = defineAutomation({
  title: 'Ask for a satisfaction score',
  description:
    'Asks for a score from 1 to 5 after a person has released the conversation. A bad score brings a person back.',
  version: 2,
  params: z.object({
    answerWithinHours: z
      .int()
      .min(1)
      .max(168)
      .default(24)
      .meta({ description: 'How many hours it waits for an answer.' }),
    badUpTo: z.int().min(1).max(4).default(2).meta({ description: 'The highest score that brings a person back.' }),
    assignee: z
      .string()
      .max(128)
      .optional()
      .meta({ description: 'The person who gets the conversation after a bad score. If omitted, unnamed.' }),
  }),
  texts: {
    question: {
      description: 'Asks for the score.',
      usual: 'How was it? Please answer with a number from 1 (bad) to 5 (very good).',
    },
    again: {
      description: 'Asks again if the answer was not a score.',
      usual: 'Please answer with a number from 1 (bad) to 5 (very good).',
    },
    thanks: { description: 'Sent after a good score.', usual: 'Thank you!' },
    sorry: { description: 'Sent after a bad score.', usual: 'We are sorry. Someone will write to you.' },
  },
  on: () => ({ event: 'conversation.released' }),
  async run(context, { answerWithinHours, badUpTo, assignee }) {
    await context.send('question');
    const answer = { timeoutMs: hours(answerWithinHours), choices: SCORES };
    let reply = await context.waitForReply(answer);
    // Runs that began with version 1 ask once.
    if (reply?.choice === null && context.version >= 2) {
      await context.send('again');
      reply = await context.waitForReply(answer);
    }
    if (reply === null || reply.choice === null) return;
    if (Number(reply.choice) > badUpTo) {
      await context.send('thanks');
      return;
    }
    await context.send('sorry');
    await context.assignHuman({ reason: `score ${reply.choice}`, ...(assignee === undefined ? {} : { assignee }) });
  },
});
