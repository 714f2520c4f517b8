import { z } from 'zod';
import { explained } from './explained.ts';
import { SessionId } from './ids.ts';
import { CAPABILITY_NAMES, wordsOfCapability } from './network/capabilities.ts';

const MEANINGS = Object.fromEntries(
  CAPABILITY_NAMES.map((name) => [name, `Whether it can ${wordsOfCapability(name).does}.`]),
);

const Supported = z
  .object({
    supported: z.boolean().meta({ description: 'True if the session can do it.' }),
    instead: z.string().nullable().meta({
      description: 'The alternative if the session cannot do it. Null if it can.',
    }),
  })
  .meta({ id: 'Capability', description: 'Whether a session can do something.' });

/** The capabilities of a session, by the engine of its backend. */
export const SessionCapabilities = z
  .object({
    sessionId: SessionId,
    platform: z.string().nullable().meta({ description: "The backend's engine behind the session, such as `NOWEB`." }),
    version: z.string().nullable().meta({ description: 'The version of the backend.' }),
    capabilities: z
      .record(z.string(), Supported)
      .meta({ description: explained('The capabilities, by name.', MEANINGS) }),
  })
  .meta({ id: 'SessionCapabilities', description: 'The capabilities of a session.' });
