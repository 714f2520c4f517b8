import { z } from 'zod';
import { explained } from '../explained.ts';

/** The verdicts on an uncertain message that an operator or a dashboard's user may give after looking into the chat. */
const RESOLUTIONS = ['sent', 'resend', 'failed'] as const;

export const Resolution = z
  .object({
    outcome: z.enum(RESOLUTIONS).meta({
      description: explained('The outcome.', {
        sent: 'It arrived.',
        resend: 'It did not arrive and is sent again as a new message.',
        failed: 'It did not arrive and is not sent again.',
      }),
    }),
    actor: z.string().min(1).max(128).meta({ description: 'The person who says so, 1 to 128 characters.' }),
    reason: z
      .string()
      .min(1)
      .max(500)
      .meta({ description: 'Why, 1 to 500 characters; kept in the history of the message.' }),
  })
  .meta({ id: 'Resolution' });
export type Resolution = z.infer<typeof Resolution>;
