import { z } from 'zod';
import { explained } from '../explained.ts';
import { Target } from '../scope.ts';

const Name = z.string().trim().min(1).max(128);

const STATES = {
  reading: 'The conversation is open.',
  writing: 'The person writes an answer.',
} as const;
const ViewerState = z.enum(['reading', 'writing']).meta({ description: explained('The activity.', STATES) });

const ViewerId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, hyphens or underscores')
  .meta({ description: 'An id that the browser tab chose, 1 to 64 letters, digits, hyphens or underscores.' });

export const ShowViewer = z
  .strictObject({
    ...Target,
    viewerId: ViewerId,
    name: Name.optional().meta({
      description: 'The name of the person, 1 to 128 characters. Defaults to the header `X-Engine-Actor`.',
    }),
    state: z
      .enum(['reading', 'writing', 'left'])
      .meta({ description: explained('The activity.', { ...STATES, left: 'The conversation is closed.' }) }),
  })
  .meta({ id: 'ShowViewer', description: 'The activity of one person in a conversation.' });
export type ShowViewer = z.infer<typeof ShowViewer>;

const Viewer = z
  .object({
    viewerId: ViewerId,
    name: z.string().nullable().meta({ description: 'The name of the person. Null if none was given.' }),
    state: ViewerState,
  })
  .meta({ id: 'Viewer', description: 'A person who has a conversation open now.' });
export type Viewer = z.infer<typeof Viewer>;

export const Viewers = z.object({
  viewers: z.array(Viewer).meta({ description: 'The people who have it open now, by name.' }),
});

export const Colleague = z
  .object({
    name: z.string().meta({ description: 'The name, as it was given.' }),
    seenAt: z.iso.datetime().meta({ description: 'When the name was last used.' }),
  })
  .meta({ id: 'Colleague', description: 'A person of the team, by a name that was used with the tenant.' });
