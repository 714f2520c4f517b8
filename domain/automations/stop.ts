import { z } from 'zod';
import { ExternalId } from '../scope.ts';

/** Whose automations are stopped, or go on; those of all agencies where none is named. */
export const SwitchAutomations = z
  .strictObject({
    agencyId: ExternalId.optional().meta({ description: 'The agency. Automations of all agencies when left out.' }),
    actor: z.string().min(1).max(100).optional().meta({ description: 'Who decides, for the audit.' }),
    reason: z.string().min(1).max(500).optional().meta({ description: 'Why, for the audit.' }),
  })
  .default({})
  .meta({ id: 'SwitchAutomations', description: 'Whose automations are stopped or go on, and who says so and why.' });

export const AutomationStops = z
  .object({
    hasChanged: z.boolean().meta({ description: 'False where it was so already.' }),
    stops: z
      .array(
        z.object({
          agencyId: ExternalId.nullable().meta({ description: 'The agency. Null where it holds for all.' }),
          stoppedBy: z.enum(['operator', 'configuration']).meta({
            description: 'Whether somebody did it by a request, or the setting `AUTOMATIONS`.',
          }),
          stoppedAt: z.iso.datetime().meta({ description: 'When.' }),
          actor: z.string().nullable().meta({ description: 'Who, by the name that was given.' }),
          reason: z.string().nullable().meta({ description: 'Why, as they said.' }),
        }),
      )
      .meta({ description: 'What stops automations now.' }),
  })
  .meta({ id: 'AutomationStops', description: 'Whose automations are stopped, by whom and why.' });
