import { z } from 'zod';
import { flowFunction } from './function.ts';

const Nothing = z.strictObject({}).default({});
const name = z.string().min(1).max(128);

/** Functions about the people of the business, the agent, and facts about the contact. */
export const CARE = {
  assignHuman: flowFunction({
    title: 'Hand over to a person',
    doc: 'Gives the conversation to a person. The agent is silent from then on.',
    kind: 'visible',
    input: z
      .strictObject({
        assignee: name.optional().meta({ description: 'The person. If omitted, nobody by name.' }),
        among: z
          .array(name)
          .min(1)
          .max(100)
          .optional()
          .meta({ description: 'People. The one with the fewest conversations receives it.' }),
        reason: z.string().min(1).max(500).optional().meta({ description: 'The reason that the person reads.' }),
      })
      .default({}),
    output: z.object({}),
  }),
  release: flowFunction({
    title: 'Return to the agent',
    doc: 'Gives a conversation back to the agent that this run has handed over. It changes nothing otherwise.',
    kind: 'visible',
    input: Nothing,
    output: z.object({}),
  }),
  letAgentAnswer: flowFunction({
    title: 'Let the agent answer',
    doc: "Has the AI agent answer the contact's last message, under the agent's own rules and budgets.",
    kind: 'visible',
    input: Nothing,
    output: z.object({}),
  }),
  isOpen: flowFunction({
    title: 'Check working hours',
    doc: "Tells whether it is within the tenant's working hours. It is always so if there are none.",
    kind: 'silent',
    input: Nothing,
    output: z.object({ isOpen: z.boolean().meta({ description: 'Whether it is within working hours.' }) }),
  }),
  sleepUntilWorkingHours: flowFunction({
    title: 'Wait for working hours',
    doc: 'Waits until the next working hours begin. It does not wait within them.',
    kind: 'wait',
    input: Nothing,
    output: z.object({}),
  }),
  remember: flowFunction({
    title: 'Remember a fact',
    doc: 'Keeps a fact about the contact, which the agent knows from then on.',
    kind: 'silent',
    input: z.strictObject({
      text: z.string().min(1).max(500).meta({ description: 'The fact.' }),
      days: z.int().min(1).max(3_650).optional().meta({ description: 'For how many days. If omitted, forever.' }),
    }),
    output: z.object({}),
  }),
  label: flowFunction({
    title: 'Label the chat',
    doc: "Adds the account's label of this name to the chat, or removes it.",
    kind: 'call',
    input: z.strictObject({
      name: z.string().min(1).max(100).meta({ description: 'The name of the label.' }),
      mode: z.enum(['add', 'remove']).default('add').meta({ description: 'Whether to add or remove it.' }),
    }),
    output: z.object({}),
  }),
  log: flowFunction({
    title: 'Note a step',
    doc: 'Notes a word, and ids or numbers, in the timeline of the run.',
    kind: 'silent',
    input: z.strictObject({
      word: z
        .string()
        .regex(/^[\w.:-]{1,128}$/, 'must be a word without spaces')
        .meta({ description: 'The word.' }),
      detail: z
        .record(
          z.string().regex(/^[\w.:-]{1,128}$/),
          z.union([z.string().regex(/^[\w.:-]{1,128}$/), z.number(), z.boolean()]),
        )
        .optional()
        .meta({ description: 'Ids, numbers and flags.' }),
    }),
    output: z.object({}),
  }),
};
