import { z } from 'zod';
import { ExternalId } from '../scope.ts';

/** Selects the agency whose automations stop or continue. Without an agency, it selects all. */
export const SwitchAutomations = z
  .strictObject({
    agencyId: ExternalId.optional().meta({ description: 'The agency. If omitted, the automations of all agencies.' }),
    actor: z.string().min(1).max(100).optional().meta({ description: 'The person who decides, for the audit log.' }),
    reason: z.string().min(1).max(500).optional().meta({ description: 'The reason, for the audit.' }),
  })
  .default({})
  .meta({
    id: 'SwitchAutomations',
    description: 'The agency, the person and the reason for a stop or restart of automations.',
  });

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
          actor: z.string().nullable().meta({ description: 'The name that the person gave.' }),
          reason: z.string().nullable().meta({ description: 'The reason that they gave.' }),
        }),
      )
      .meta({ description: 'The stops of automations in effect.' }),
  })
  .meta({ id: 'AutomationStops', description: 'The agency whose automations are stopped, the person and the reason.' });
