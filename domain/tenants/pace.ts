import { z } from 'zod';

/** The pace at which a session sends; 0 is no limit. */
export const Pace = z
  .object({
    perMinute: z.int().min(0).max(6_000).meta({ description: 'Sends per minute of each session. 0 means no limit.' }),
    burst: z.int().min(1).max(1_000).meta({ description: 'Sends that may go out at once after a quiet time.' }),
    firstContactsPerDay: z.int().min(0).max(100_000).meta({
      description:
        'Conversations per day that a session may open with people who have never written. 0 means no limit. It starts at a fifth and reaches the full number on the seventh day of the session.',
    }),
  })
  .meta({ id: 'Pace', description: 'How fast each session sends.' });
export type Pace = z.infer<typeof Pace>;
