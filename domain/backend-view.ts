import { z } from 'zod';
import { BACKEND_TROUBLES, BackendId, MAX_WEIGHT } from './backend-server.ts';

export const BackendView = z
  .object({
    id: z.string().meta({ description: 'The id of the backend in the configuration.' }),
    isConfigured: z
      .boolean()
      .meta({ description: 'False if it holds sessions but is not in the configuration: their sends wait.' }),
    weight: z
      .int()
      .min(0)
      .max(MAX_WEIGHT)
      .nullable()
      .meta({ description: 'Its share of new sessions. Null if it is not configured.' }),
    engine: z.string().nullable().meta({ description: 'The engine of its sessions, if the configuration names it.' }),
    sessions: z.int().meta({ description: 'The sessions that it holds.' }),
    sessionsWorking: z.int().meta({ description: 'How many of them are WORKING.' }),
    downSince: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          'Since when it has not returned a list of its sessions, which is requested twice a minute. Null while it ' +
          'does.',
      }),
    trouble: z
      .enum(BACKEND_TROUBLES)
      .nullable()
      .meta({
        description:
          'The reason: it does not respond, or it refuses the engine (`backend_error`) because the configured key is ' +
          'wrong.',
      }),
  })
  .meta({ id: 'BackendView', description: 'A server of the messaging backend, without its address and its key.' });

export const MoveSession = z
  .strictObject({
    backend: BackendId.meta({ description: 'The id of the backend that the session moves to.' }),
    actor: z.string().min(1).max(100).optional().meta({ description: 'The person who decides, for the audit log.' }),
    reason: z.string().min(1).max(500).optional().meta({ description: 'Why, for the audit.' }),
  })
  .meta({ id: 'MoveSession', description: 'The new backend of a session, and the person who moves it.' });
