import { z } from 'zod';

/** The verdicts on an uncertain message that an operator or a dashboard's user may give after looking into the chat. */
const RESOLUTIONS = ['sent', 'resend', 'failed'] as const;

export const Resolution = z
  .object({
    outcome: z.enum(RESOLUTIONS).meta({
      description:
        'It arrived; it did not and is to be sent again, as a new message; it did not and is not to be sent.',
    }),
    actor: z.string().min(1).max(128).meta({ description: 'Who says so.' }),
    reason: z.string().min(1).max(500).meta({ description: 'Why; kept in the history of the message.' }),
  })
  .meta({ id: 'Resolution' });
export type Resolution = z.infer<typeof Resolution>;
