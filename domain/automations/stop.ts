import { z } from 'zod';
import { ExternalId } from '../scope.ts';

/** Whose automations are stopped, or go on; those of all agencies where none is named. */
export const SwitchAutomations = z
  .strictObject({
    agencyId: ExternalId.optional().meta({ description: 'The agency. If omitted, the automations of all agencies.' }),
    actor: z.string().min(1).max(100).optional().meta({ description: 'Who decides, for the audit.' }),
    reason: z.string().min(1).max(500).optional().meta({ description: 'The reason, for the audit.' }),
  })
  .default({})
  .meta({ id: 'SwitchAutomations', description: 'Whose automations to stop or restart, who does it and why.' });

export const AutomationStops = z
  .object({
    hasChanged: z.boolean().meta({ description: 'False if it was already so.' }),
    stops: z
      .array(
        z.object({
          agencyId: ExternalId.nullable().meta({ description: 'The agency. Null if it applies to all.' }),
          stoppedBy: z.enum(['operator', 'configuration']).meta({
            description: 'Whether a request did it, or the setting `AUTOMATIONS`.',
          }),
          stoppedAt: z.iso.datetime().meta({ description: 'When.' }),
          actor: z.string().nullable().meta({ description: 'Who did it, by the name that they gave.' }),
          reason: z.string().nullable().meta({ description: 'The reason that they gave.' }),
        }),
      )
      .meta({ description: 'What stops automations now.' }),
  })
  .meta({ id: 'AutomationStops', description: 'Whose automations are stopped, by whom and why.' });
