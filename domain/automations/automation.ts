import { z } from 'zod';
import { AgencyField, Target } from '../scope.ts';

export const DefinitionName = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'The name of an automation.', examples: ['welcome-contact'] });

const Version = z.int().meta({ description: 'Grows with each change of what is set.' });
const Params = z.record(z.string(), z.unknown()).meta({ description: 'What is set, by the schema of the definition.' });
const Enabled = z.boolean().meta({ description: 'Whether events start it.' });

export const DefinitionView = z
  .object({
    name: DefinitionName,
    title: z.string().meta({ description: 'What it is called.' }),
    description: z.string().meta({ description: 'What it does.' }),
    version: z.int().meta({ description: 'The version of its code.' }),
    params: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The JSON Schema of what a tenant sets, with what holds where something is left out.' }),
    input: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The JSON Schema of what a request for a run says. Null where it says nothing.' }),
  })
  .meta({ id: 'AutomationDefinition', description: 'An automation that this release has, to be switched on.' });

export const AutomationView = z
  .object({
    automation: DefinitionName,
    enabled: Enabled,
    params: Params,
    version: Version,
    followsAgency: z.boolean().meta({
      description: 'True where the tenant has set nothing of its own: it is as the agency has set it for all tenants.',
    }),
    createdAt: z.iso.datetime().meta({ description: 'When it was set first.' }),
    updatedAt: z.iso.datetime().meta({ description: 'When it was changed last.' }),
  })
  .meta({ id: 'Automation', description: 'What a tenant has set of an automation.' });
export type AutomationView = z.infer<typeof AutomationView>;

const Change = z.object({
  version: Version,
  enabled: Enabled,
  params: Params,
  at: z.iso.datetime().meta({ description: 'When it was set so.' }),
  keyId: z.string().nullable().meta({ description: 'The API key that asked. Null where none did.' }),
});
const LAST = 'The last hundred versions, the newest first.';
const TenantChange = Change.extend({
  followsAgency: z.boolean().meta({ description: 'True where the agency has set it so, for all its tenants.' }),
});

export const AutomationHistory = AutomationView.extend({
  changes: z.array(TenantChange).meta({ description: LAST }),
}).meta({
  id: 'AutomationHistory',
  description: 'What a tenant has set of an automation, and what it had set before.',
});

export const AutomationDefaultView = AutomationView.omit({ followsAgency: true }).meta({
  id: 'AutomationDefault',
  description: 'What an agency has set of an automation for all its tenants that have not set it themselves.',
});
export type AutomationDefaultView = z.infer<typeof AutomationDefaultView>;

export const AutomationDefaultHistory = AutomationDefaultView.extend({
  followers: z.int().meta({ description: 'How many tenants have it so.' }),
  changes: z.array(Change).meta({ description: LAST }),
}).meta({
  id: 'AutomationDefaultHistory',
  description: 'What an agency has set of an automation for all its tenants, and what it had set before.',
});

const SETTING = {
  enabled: z.boolean().meta({ description: 'True to switch it on, false to switch it off.' }),
  params: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'What to set, by the schema of the definition. What is set already when left out.' }),
};

export const SetAutomation = z
  .strictObject({ ...Target, ...SETTING })
  .meta({ id: 'SetAutomation', description: 'Whether an automation is on, and with what.' });

export const SetAutomationDefault = z
  .strictObject({ agencyId: AgencyField, ...SETTING })
  .meta({ id: 'SetAutomationDefault', description: 'Whether an automation is on for all tenants, and with what.' });

const ExecutionKey = z
  .string()
  .min(1)
  .max(128)
  .meta({
    description:
      'Your own name of it, such as the id of an appointment. A run of the automation with the same key that is under way ends ' +
      'as `cancelled`, `replaced`.',
  });

export const CancelByKey = z
  .strictObject({
    ...Target,
    automation: DefinitionName,
    key: z.string().min(1).max(128).meta({ description: 'The key with which the run was asked for.' }),
  })
  .meta({ id: 'CancelByKey', description: 'Which run of an automation is called off.' });

export const RunAutomation = z
  .strictObject({
    ...Target,
    automation: DefinitionName,
    conversationId: z.string().min(1).max(128).meta({ description: 'The conversation for which it runs.' }),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'What it is about, by the `input` of the definition.' }),
    key: ExecutionKey.optional(),
  })
  .meta({ id: 'RunAutomation', description: 'What an automation is run for.' });

const DECISION = {
  ...Target,
  actor: z.string().min(1).max(100).optional().meta({ description: 'Who decides, for the audit.' }),
  reason: z.string().min(1).max(500).optional().meta({ description: 'Why, for the audit.' }),
};

export const SkipWait = z
  .strictObject(DECISION)
  .default({})
  .meta({ id: 'SkipWait', description: 'Who ends a wait, and why.' });

export const HandOverExecution = z
  .strictObject({
    ...DECISION,
    assignee: z.string().min(1).max(128).optional().meta({ description: 'Who takes the conversation, by any name.' }),
  })
  .default({})
  .meta({ id: 'HandOverExecution', description: 'Who takes the conversation of a run over, and why.' });
