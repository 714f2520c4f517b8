import { z } from 'zod';
import { MessageId } from '../../ids.ts';

const MAX_CONTACTS = 10;

const Place = z
  .strictObject({
    latitude: z.number().min(-90).max(90).meta({ description: 'Degrees north of the equator; south is negative.' }),
    longitude: z.number().min(-180).max(180).meta({ description: 'Degrees east of Greenwich; west is negative.' }),
    name: z.string().max(256).optional().meta({ description: 'The text under the map.' }),
  })
  .meta({ id: 'SendLocation', description: 'A place on the map.' });

const Card = z
  .strictObject({
    name: z.string().min(1).max(256).meta({ description: 'The name of the person, in 1 to 256 characters.' }),
    phone: z
      .string()
      .min(1)
      .max(64)
      .meta({
        description:
          "The person's phone number with its country code. A number without one is read in the tenant's default " +
          'country.',
      }),
    organization: z.string().max(256).optional().meta({ description: 'The place where the person works.' }),
    email: z.email().max(256).optional().meta({ description: "The person's e-mail address." }),
  })
  .meta({ id: 'SendContact', description: 'A person. The engine creates the contact card.' });
export type Card = z.infer<typeof Card>;

const Question = z
  .strictObject({
    name: z.string().min(1).max(255).meta({ description: 'The question, 1 to 255 characters.' }),
    options: z
      .array(z.string().min(1).max(100))
      .min(2)
      .max(12)
      .meta({ description: 'Two to twelve answers of 1 to 100 characters. No two may be the same.' }),
    multipleAnswers: z.boolean().default(false).meta({ description: 'True if one person may choose several answers.' }),
  })
  .check(({ value, issues }) => {
    for (const [index, option] of value.options.entries()) {
      if (value.options.indexOf(option) === index) continue;
      issues.push({
        code: 'custom',
        input: option,
        path: ['options', index],
        message: 'says the same as an earlier option',
      });
    }
  })
  .meta({ id: 'SendPoll', description: 'A question with answers to choose from.' });

/** The contents that stand alone in a request: each is one message of its kind, without a text beside it. */
export const LoneContent = {
  location: Place.optional(),
  contacts: z
    .array(Card)
    .min(1)
    .max(MAX_CONTACTS)
    .optional()
    .meta({ description: `One to ${MAX_CONTACTS} people, shown as contact cards in one message.` }),
  poll: Question.optional(),
  sticker: z
    .strictObject({
      url: z
        .url({ protocol: /^https?$/ })
        .max(2_048)
        .meta({ description: 'The address of the picture, http or https.' }),
    })
    .optional()
    .meta({ description: 'A sticker. No engine of the backend can send one yet, so the response is 501.' }),
  forward: z
    .strictObject({
      messageId: MessageId.meta({ description: 'A message that the same session has sent or received.' }),
    })
    .optional()
    .meta({ description: 'A message of the same session to forward, marked as forwarded.' }),
};
