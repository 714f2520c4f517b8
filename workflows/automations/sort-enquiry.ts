import { z } from 'zod';
import { TextFilter } from '../../domain/automations/text-filter.ts';
import { EndpointParam } from '../../domain/automations/endpoint-param.ts';
import { defineAutomation } from './define.ts';
import { StepFailed } from './step-failed.ts';

const MAX_NAME_LENGTH = 128;
/** Without a model's reading, an enquiry may be urgent. */
const UNKNOWN = { about: 'other', isUrgent: true } as const;

export const sortEnquiry = defineAutomation({
  title: 'Sort an enquiry',
  description:
    "Labels the chat of a new contact and asks the agent's model for the subject. Then it asks your system whether a " +
    'person is needed. Urgent enquiries, and those without an answer, go to a person.',
  version: 1,
  params: z.object({
    when: TextFilter.optional().meta({ description: 'The messages that are enquiries. If omitted, every message.' }),
    label: z.string().min(1).max(MAX_NAME_LENGTH).optional().meta({
      description: "The name of the account's label that the chat gets. If omitted, none.",
    }),
    asksModel: z.boolean().default(false).meta({
      description:
        "Whether the agent's model reads what the enquiry is about; this uses tokens of the agent's budgets.",
    }),
    endpoint: EndpointParam.optional().meta({ description: 'The endpoint of your system. If omitted, none.' }),
    assignee: z.string().max(MAX_NAME_LENGTH).optional().meta({
      description: 'The person who gets the conversation if one is needed. If omitted, unnamed.',
    }),
  }),
  texts: {
    received: { description: 'The confirmation for the contact.', usual: 'Thank you, {name}. We look into it.' },
    numbered: {
      description: 'The confirmation if the system has given the enquiry a number.',
      usual: 'Your enquiry has the number {number}.',
      values: ['number'],
    },
  },
  answers: {
    enquiry: z.object({
      about: z.enum(['purchase', 'support', 'other']).meta({
        description: 'The customer wants to buy, needs help with a purchase, or something else.',
      }),
      isUrgent: z.boolean().meta({ description: 'Whether waiting for a day would do harm or lose the customer.' }),
    }),
    taken: z.object({
      needsPerson: z.boolean().meta({ description: 'Whether a person is needed.' }),
      number: z.int().optional().meta({ description: 'The number of the enquiry, which the contact receives.' }),
    }),
  },
  on: ({ when }) => ({ event: 'message', isFirst: true, ...(when === undefined ? {} : { text: when }) }),
  async run(context, { label, asksModel, endpoint, assignee }) {
    await context.send('received');
    if (label !== undefined) await unlessItFails(context.label(label), undefined);
    const enquiry = asksModel ? await unlessItFails(context.askAi('enquiry'), UNKNOWN) : null;
    let needsPerson = enquiry?.isUrgent ?? false;
    if (endpoint !== undefined) {
      const taken = await unlessItFails(context.askWebhook(endpoint, 'taken', enquiry ?? {}), { needsPerson: true });
      if (taken.number !== undefined) await context.sendTemplate('numbered', { number: taken.number });
      needsPerson ||= taken.needsPerson;
    }
    if (needsPerson) await context.assignHuman(assignee === undefined ? {} : { assignee });
  },
});

/** An enquiry is sorted as far as it can be: a label that is gone, or a system that is down, must not leave it lying. */
async function unlessItFails<T>(step: Promise<T>, otherwise: NoInfer<T>): Promise<T> {
  return step.catch((error: unknown) => {
    if (error instanceof StepFailed) return otherwise;
    throw error;
  });
}
