import { z } from 'zod';
import { TextFilter } from '../../domain/automations/text-filter.ts';
import { EndpointParam } from '../../domain/automations/endpoint-param.ts';
import { defineAutomation } from './define.ts';
import { StepFailed } from './step-failed.ts';

const MAX_NAME_LENGTH = 128;
/** What no model has read may be urgent. */
const UNKNOWN = { about: 'other', isUrgent: true } as const;

export const sortEnquiry = defineAutomation({
  title: 'Sort an enquiry',
  description:
    "Labels the chat of anyone who writes for the first time, asks the agent's model what it is about, and asks a " +
    'system of yours whether a person is needed. Urgent enquiries, and those that the model or the system did not ' +
    'answer, go to a person.',
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
    endpoint: EndpointParam.optional().meta({ description: 'The endpoint that is asked. If omitted, none.' }),
    assignee: z.string().max(MAX_NAME_LENGTH).optional().meta({
      description: 'Whom the conversation is assigned to if a person is needed. If omitted, nobody by name.',
    }),
  }),
  texts: {
    received: { description: 'What the contact is told.', usual: 'Thank you, {name}. We look into it.' },
    numbered: {
      description: 'What the contact is told if the system has given the enquiry a number.',
      usual: 'Your enquiry has the number {number}.',
      values: ['number'],
    },
  },
  answers: {
    enquiry: z.object({
      about: z.enum(['purchase', 'support', 'other']).meta({
        description: 'What the customer wants: to buy, help with what was bought, or something else.',
      }),
      isUrgent: z.boolean().meta({ description: 'Whether waiting for a day would do harm or lose the customer.' }),
    }),
    taken: z.object({
      needsPerson: z.boolean().meta({ description: 'Whether a person is needed.' }),
      number: z.int().optional().meta({ description: 'The number of the enquiry, which the contact is told.' }),
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
