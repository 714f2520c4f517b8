import { z } from 'zod';
import { BACKEND_TROUBLES, BackendId, MAX_WEIGHT } from './backend-server.ts';

export const BackendView = z
  .object({
    id: z.string().meta({ description: 'What the configuration calls it.' }),
    isConfigured: z
      .boolean()
      .meta({ description: 'False where it holds sessions and is not in the configuration: their sends wait.' }),
    weight: z
      .int()
      .min(0)
      .max(MAX_WEIGHT)
      .nullable()
      .meta({ description: 'Its share of new sessions. Null where it is not configured.' }),
    engine: z.string().nullable().meta({ description: 'The engine of its sessions, where the configuration says it.' }),
    sessions: z.int().meta({ description: 'The sessions that it holds.' }),
    sessionsWorking: z.int().meta({ description: 'Those of them that are WORKING.' }),
    downSince: z.iso.datetime().nullable().meta({
      description:
        'Since when it gives no list of its sessions, which it is asked for twice a minute. Null while it does.',
    }),
    trouble: z.enum(BACKEND_TROUBLES).nullable().meta({
      description: 'Why: it does not answer, or it refuses the engine (`backend_error`), whose key is wrong there.',
    }),
  })
  .meta({ id: 'BackendView', description: 'A server of the messaging backend, without its address and its key.' });

export const MoveSession = z
  .strictObject({
    backend: BackendId.meta({ description: 'The id of the backend that the session moves to.' }),
    actor: z.string().min(1).max(100).optional().meta({ description: 'Who decides, for the audit.' }),
    reason: z.string().min(1).max(500).optional().meta({ description: 'Why, for the audit.' }),
  })
  .meta({ id: 'MoveSession', description: 'Where a session moves to, and who says so.' });
