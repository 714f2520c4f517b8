import { z } from 'zod';
import { explained } from '../explained.ts';
import { SessionId } from '../ids.ts';
import { RECOVERED_TEXTS, SILENCE_TEXTS } from '../sessions/comparison.ts';

const session = {
  sessionId: SessionId,
  name: z.string().meta({ description: "The session's name at the backend." }),
};

export const SilentEventPayload = z.object({
  ...session,
  reason: z.string().meta({
    enum: Object.keys(SILENCE_TEXTS),
    description: explained('Why it is taken for silent.', SILENCE_TEXTS),
  }),
  since: z.iso.datetime().meta({
    description: 'When a contact was last heard, or when it began to work, if nobody was heard since.',
  }),
  missed: z.int().meta({
    description:
      'How many messages of contacts the backend shows that it has not told of. They are fetched next, and come as `message`.',
  }),
  timestamp: z.int().meta({ description: 'When it was found, in Unix seconds.' }),
});

export const RecoveredEventPayload = z.object({
  ...session,
  reason: z.string().meta({
    enum: Object.keys(RECOVERED_TEXTS),
    description: explained('Why it is not taken for silent any more.', RECOVERED_TEXTS),
  }),
  silentSince: z.iso.datetime().meta({ description: 'Since when it was silent, as `session.silent` has said.' }),
  restarts: z.int().meta({ description: 'How often the engine has restarted it for silence within about a day.' }),
  timestamp: z.int().meta({ description: 'When it was found, in Unix seconds.' }),
});
