import { z } from 'zod';
import { hours } from '../../domain/automations/time.ts';
import { defineAutomation } from './define.ts';

const SCORES = ['1', '2', '3', '4', '5'] as const;

export const askSatisfaction = defineAutomation({
  title: 'Ask how it was',
  description:
    'Asks for a score from 1 to 5 once a person has given the conversation back. A bad score brings a person again.',
  version: 2,
  params: z.object({
    answerWithinHours: z.int().min(1).max(168).default(24).meta({ description: 'How long an answer is waited for.' }),
    badUpTo: z.int().min(1).max(4).default(2).meta({ description: 'The highest score that brings a person.' }),
    assignee: z
      .string()
      .max(128)
      .optional()
      .meta({ description: 'Who is told of a bad score; anybody when left out.' }),
  }),
  texts: {
    question: {
      description: 'Asks for the score.',
      usual: 'How was it? Please answer with a number from 1 (bad) to 5 (very good).',
    },
    again: {
      description: 'Asks again when the answer was no score.',
      usual: 'Please answer with a number from 1 (bad) to 5 (very good).',
    },
    thanks: { description: 'Said after a good score.', usual: 'Thank you!' },
    sorry: { description: 'Said after a bad score.', usual: 'We are sorry. Somebody will write to you.' },
  },
  on: () => ({ event: 'conversation.released' }),
  async run(context, { answerWithinHours, badUpTo, assignee }) {
    await context.send('question');
    const answer = { timeoutMs: hours(answerWithinHours), choices: SCORES };
    let reply = await context.waitForReply(answer);
    // What began with version 1 asks once.
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
