import { z } from 'zod';
import { wrongButtons } from '../../automations/choice.ts';
import { BUTTON_BOUNDS } from '../../button-bounds.ts';
import { Duration } from '../duration.ts';
import { flowFunction } from './function.ts';

/** A number that an expression gives is words, too. */
const text = z
  .union([z.string().min(1).max(4_000), z.number().transform(String)], {
    error: 'must be words, at most 4000 characters',
  })
  .meta({ description: 'The words of the message.' });
const transactional = z
  .boolean()
  .optional()
  .meta({ description: 'True if a contact who has opted out receives it, such as a receipt.' });
const Sent = z.object({ messageId: z.string().meta({ description: 'The id of the message.' }) });

const Choices = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(64).meta({ description: 'The name by which later tasks know the choice.' }),
      text: z.string().min(1).max(BUTTON_BOUNDS.textLength).meta({ description: 'The words of the button.' }),
    }),
  )
  .min(1)
  .max(BUTTON_BOUNDS.buttons)
  .superRefine((choices, { issues }) => {
    const message = wrongButtons(choices) ?? sameId(choices);
    if (message !== null) issues.push({ code: 'custom', input: choices, message });
  })
  .meta({ description: 'The possible answers.' });

function sameId(choices: readonly { id: string }[]): string | null {
  const ids = choices.map(({ id }) => id);
  const twice = ids.find((id, place) => ids.indexOf(id) < place);
  return twice === undefined ? null : `The choice ${twice} exists twice.`;
}

const within = Duration.meta({ description: 'How long it waits, at most 90 days.' });
const ownsFor = Duration.optional().meta({
  description: 'How long the agent stays silent meanwhile, at most a day by default. With `PT0S` the agent answers.',
});
const Answered = z.object({
  answered: z.boolean().meta({ description: 'False if the time is over.' }),
  text: z.string().nullable().meta({ description: 'The words of the answer. Null without an answer.' }),
  choice: z
    .string()
    .nullable()
    .meta({ description: 'The id of the choice that the answer is. Null if it is no choice.' }),
  messageId: z.string().nullable().meta({ description: 'The id of the answer. Null without an answer.' }),
});

const waits = ({ within, ownsFor }: { within: number; ownsFor?: number | undefined }) => ({
  timeoutMs: within,
  ...(ownsFor === undefined ? {} : { ownsForMs: ownsFor }),
});

export const SAY = {
  send: flowFunction({
    title: 'Send a message',
    doc: 'Sends a text to the contact.',
    kind: 'visible',
    input: z.strictObject({ text, transactional }),
    output: Sent,
  }),
  sendButtons: flowFunction({
    title: 'Send buttons',
    doc: 'Sends a text with buttons to the contact. It does not wait for the answer.',
    kind: 'visible',
    input: z.strictObject({ text, buttons: Choices, transactional }),
    output: Sent,
  }),
  sendMedia: flowFunction({
    title: 'Send a file',
    doc: 'Sends a picture, a video, an audio file or a document from an https address.',
    kind: 'visible',
    input: z.strictObject({
      url: z
        .url({ protocol: /^https$/ })
        .max(2_000)
        .meta({ description: 'The https address of the file.' }),
      kind: z.enum(['image', 'video', 'audio', 'document']).default('image').meta({ description: 'The kind of file.' }),
      caption: z.string().min(1).max(1_000).optional().meta({ description: 'The words below the file.' }),
      transactional,
    }),
    output: Sent,
  }),
  ask: flowFunction({
    title: 'Ask a question',
    doc:
      'Sends a question, with buttons if it has choices, and waits for the answer. If nobody answers in time, ' +
      '`answered` is false; this is no error.',
    kind: 'wait',
    input: z
      .strictObject({ text, choices: Choices.optional(), within, ownsFor })
      .transform(({ text: question, choices, ...wait }) => ({
        text: question,
        ...(choices ? { choices } : {}),
        ...waits(wait),
      })),
    output: Answered,
  }),
  waitForReply: flowFunction({
    title: 'Wait for a reply',
    doc: 'Waits until the contact writes. If nobody does in time, `answered` is false; this is no error.',
    kind: 'wait',
    input: z
      .strictObject({ within, choices: Choices.optional(), ownsFor })
      .transform(({ choices, ...wait }) => ({ ...(choices ? { choices } : {}), ...waits(wait) })),
    output: Answered,
  }),
  waitForAck: flowFunction({
    title: 'Wait for delivery',
    doc: 'Waits until a message that the run has sent reaches a state. If it does not in time, `isReached` is false.',
    kind: 'wait',
    input: z
      .strictObject({
        messageId: z.string().min(1).max(128).meta({ description: 'The `messageId` of an earlier task.' }),
        level: z.enum(['sent', 'delivered', 'read', 'played']).meta({ description: 'The state to wait for.' }),
        within,
      })
      .transform(({ messageId, level, ...wait }) => ({ messageId, level, ...waits(wait) })),
    output: z.object({ isReached: z.boolean().meta({ description: 'Whether the message has reached the state.' }) }),
  }),
};
