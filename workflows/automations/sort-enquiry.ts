import { z } from 'zod';
import { TextFilter } from '../../domain/automations/text-filter.ts';
import { EndpointId } from '../../domain/ids.ts';
import { defineAutomation } from './define.ts';
import { StepFailed } from './step-failed.ts';

const MAX_NAME_LENGTH = 128;

export const sortEnquiry = defineAutomation({
  title: 'Sort an enquiry',
  description:
    'Labels the chat of whoever writes for the first time, and asks a system of yours who takes it. Where the system says ' +
    'that a person is needed, or says nothing, a person gets the conversation.',
  version: 1,
  params: z.object({
    when: TextFilter.optional().meta({ description: 'The messages that are enquiries; every one when left out.' }),
    label: z.string().min(1).max(MAX_NAME_LENGTH).optional().meta({
      description: "The name of the account's label that the chat gets; none when left out.",
    }),
    endpoint: EndpointId.optional().meta({ description: 'The endpoint that is asked; none when left out.' }),
    assignee: z.string().max(MAX_NAME_LENGTH).optional().meta({
      description: 'Who gets it where a person is needed; anybody when left out.',
    }),
  }),
  texts: {
    received: { description: 'What the contact is told.', usual: 'Thank you, {name}. We look into it.' },
  },
  answers: {
    taken: z.object({ needsPerson: z.boolean().meta({ description: 'Whether a person is needed.' }) }),
  },
  on: ({ when }) => ({ event: 'message', isFirst: true, ...(when === undefined ? {} : { text: when }) }),
  async run(context, { label, endpoint, assignee }) {
    await context.send('received');
    if (label !== undefined) await unlessItFails(context.label(label), undefined);
    if (endpoint === undefined) return;
    const { needsPerson } = await unlessItFails(context.askWebhook(endpoint, 'taken'), { needsPerson: true });
    if (needsPerson) await context.assignHuman(assignee === undefined ? {} : { assignee });
  },
});

/** An enquiry is sorted as far as it can be: a label that is gone, or a system that is down, must not leave it lying. */
async function unlessItFails<T>(step: Promise<T>, otherwise: T): Promise<T> {
  return step.catch((error: unknown) => {
    if (error instanceof StepFailed) return otherwise;
    throw error;
  });
}
