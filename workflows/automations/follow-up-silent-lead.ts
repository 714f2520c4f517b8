import { z } from 'zod';
import { hours } from '../../domain/automations/time.ts';
import { TextFilter } from '../../domain/automations/text-filter.ts';
import { defineAutomation } from './define.ts';

export const followUpSilentLead = defineAutomation({
  title: 'Follow up a lead that went silent',
  description: 'Asks again if a lead has not written since their request.',
  version: 1,
  params: z.object({
    when: TextFilter.optional().meta({
      description: 'The messages that make a contact a lead. If omitted, every message.',
    }),
    afterHours: z.int().min(1).max(720).default(24).meta({ description: 'How many hours the contact must be silent.' }),
    times: z.int().min(1).max(3).default(1).meta({ description: 'How many times it asks.' }),
  }),
  texts: {
    question: { description: 'The question.', usual: 'Hello {name}, do you still need our help?' },
  },
  on: ({ when }) => ({ event: 'message', ...(when === undefined ? {} : { text: when }) }),
  async run(context, { afterHours, times }) {
    for (let asked = 0; asked < times; asked += 1) {
      // It only watches for silence: the agent answers the contact.
      if ((await context.waitForReply({ timeoutMs: hours(afterHours), ownsForMs: 0 })) !== null) return;
      await context.send('question');
    }
  },
});
