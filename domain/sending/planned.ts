import { z } from 'zod';
import { MessageError, RenderedAs } from './message.ts';
import { Plan } from './plan.ts';

export const PlannedKind = z.enum(['text', 'buttons', 'list']).meta({
  description: 'What would be sent. Files are planned as a text is.',
});
export type PlannedKind = z.infer<typeof PlannedKind>;

export const PlannedReply = z
  .object({
    plan: Plan.nullable().meta({ description: 'When it would go out. Null where it would not.' }),
    renderedAs: RenderedAs.nullable().meta({
      description: 'How buttons or a list would be shown. Null for a text.',
    }),
    error: MessageError.nullable().meta({ description: 'Why it would not go out. Null where it would.' }),
  })
  .meta({ id: 'PlannedReply', description: 'What would become of a message that is sent now.' });
