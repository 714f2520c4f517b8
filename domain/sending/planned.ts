import { z } from 'zod';
import { MessageError, RenderedAs } from './message.ts';
import { Plan } from './plan.ts';

export const PlannedKind = z.enum(['text', 'buttons', 'list']).meta({
  description: 'The message to plan. Files are planned like a text.',
});
export type PlannedKind = z.infer<typeof PlannedKind>;

export const PlannedReply = z
  .object({
    plan: Plan.nullable().meta({ description: 'When it would go out. Null if it would not.' }),
    renderedAs: RenderedAs.nullable().meta({
      description: 'How buttons or a list would be shown. Null for a text.',
    }),
    error: MessageError.nullable().meta({ description: 'Why it would not go out. Null if it would.' }),
  })
  .meta({ id: 'PlannedReply', description: 'The outcome of a message that is sent now.' });
