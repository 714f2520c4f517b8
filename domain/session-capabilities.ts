import { z } from 'zod';
import { explained } from './explained.ts';
import { SessionId } from './ids.ts';
import { CAPABILITY_NAMES, wordsOfCapability } from './network/capabilities.ts';

const MEANINGS = Object.fromEntries(
  CAPABILITY_NAMES.map((name) => [name, `Whether it can ${wordsOfCapability(name).does}.`]),
);

const Supported = z
  .object({
    supported: z.boolean().meta({ description: 'True where the session can.' }),
    instead: z.string().nullable().meta({
      description: 'What is done, or can be done, where the session cannot. Null where it can.',
    }),
  })
  .meta({ id: 'Capability', description: 'Whether a session can do something.' });

/** What a session can, by the engine of the backend that is behind it. */
export const SessionCapabilities = z
  .object({
    sessionId: SessionId,
    platform: z.string().nullable().meta({ description: "The backend's engine behind the session, such as `NOWEB`." }),
    version: z.string().nullable().meta({ description: 'The version of the backend.' }),
    capabilities: z.record(z.string(), Supported).meta({ description: explained('By name.', MEANINGS) }),
  })
  .meta({ id: 'SessionCapabilities', description: 'What a session can.' });
