import { z } from 'zod';
import { explained } from '../explained.ts';
import { ContactId } from '../ids.ts';
import { Target } from '../scope.ts';

const BY_TEXTS = {
  word: 'The contact wrote one of the opt-out words.',
  request: 'A request to the API recorded it.',
} as const;

export const OPT_OUT_CAUSES = ['word', 'request'] as const;
export type OptOutCause = (typeof OPT_OUT_CAUSES)[number];

export const OptOut = z
  .object({
    contactId: ContactId,
    chatId: z.string().meta({ description: 'The address at which messages would reach the person.' }),
    phone: z.string().nullable().meta({
      description: 'The phone number, in digits with its country code. Null if only a hidden id is known.',
    }),
    since: z.iso.datetime().meta({ description: 'When the person opted out.' }),
    by: z.enum(OPT_OUT_CAUSES).meta({ description: explained('How it became known.', BY_TEXTS) }),
  })
  .meta({ id: 'OptOut', description: 'A person who wants no more messages from a tenant.' });
export type OptOut = z.infer<typeof OptOut>;

export const SetOptOut = z
  .strictObject({ ...Target })
  .meta({ id: 'SetOptOut', description: 'The person who opted out.' });
