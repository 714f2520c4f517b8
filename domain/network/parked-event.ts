import { z } from 'zod';

/**
 * A `parked` event waits for an operator; an `applied` event has been applied after all; an `ignored` event belongs to
 * no session of this engine, so it changes nothing.
 */
export const PARKED_EVENT_STATUSES = ['parked', 'applied', 'ignored'] as const;
export const ParkedEventStatus = z.enum(PARKED_EVENT_STATUSES);
export type ParkedEventStatus = z.infer<typeof ParkedEventStatus>;

const Time = z.iso.datetime();

export const ParkedEventView = z
  .object({
    id: z.string().meta({ description: 'Its number, for the route that applies it.' }),
    sessionName: z.string().meta({ description: "The backend's name for it; empty if the event could not be read." }),
    status: z.enum(PARKED_EVENT_STATUSES).meta({
      description:
        '`parked` waits for an operator; `applied` was applied later; `ignored` belongs to no session of this ' +
        'engine.',
    }),
    attempts: z.int().meta({ description: 'How many times the engine tried to apply it.' }),
    error: z.string().nullable().meta({
      description: 'Why the last attempt failed; `NeverApplied` if there was no attempt before its time was over.',
    }),
    sizeBytes: z.int().meta({ description: 'The size of its body, which is kept in `parked_event`.' }),
    receivedAt: Time.meta({ description: 'When the backend posted it.' }),
    parkedAt: Time.meta({ description: 'When it was parked.' }),
    endedAt: Time.nullable().meta({ description: 'When it was applied or ignored. Null while it waits.' }),
  })
  .meta({ id: 'ParkedEvent', description: 'An event of the messaging backend that could not be applied.' });
export type ParkedEventView = z.infer<typeof ParkedEventView>;
