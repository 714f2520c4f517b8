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
    description: explained('Why the session is considered silent.', SILENCE_TEXTS),
  }),
  since: z.iso.datetime().meta({
    description:
      'When a contact was last heard; if none has been heard since the session began to work, when it began to work.',
  }),
  missed: z.int().meta({
    description:
      'How many messages of contacts the backend shows but has not reported. The engine fetches them next, and they arrive as `message`.',
  }),
  timestamp: z.int().meta({ description: 'When the engine found this, in Unix seconds.' }),
});

export const RecoveredEventPayload = z.object({
  ...session,
  reason: z.string().meta({
    enum: Object.keys(RECOVERED_TEXTS),
    description: explained('Why the session is no longer considered silent.', RECOVERED_TEXTS),
  }),
  silentSince: z.iso.datetime().meta({ description: 'Since when it was silent, as in `session.silent`.' }),
  restarts: z.int().meta({ description: 'How often the engine restarted it for silence within about a day.' }),
  timestamp: z.int().meta({ description: 'When the engine found this, in Unix seconds.' }),
});
