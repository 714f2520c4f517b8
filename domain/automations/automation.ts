import { z } from 'zod';
import { AgencyField, Target } from '../scope.ts';

export const DefinitionName = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'The name of an automation.', examples: ['welcome-contact'] });

const Version = z.int().meta({ description: 'Increases with each change of the setting.' });
const Params = z
  .record(z.string(), z.unknown())
  .meta({ description: 'The parameters, by the schema of the definition.' });
const Enabled = z.boolean().meta({ description: 'Whether events start it.' });

export const DefinitionView = z
  .object({
    name: DefinitionName,
    title: z.string().meta({ description: 'Its name.' }),
    description: z.string().meta({ description: 'A description of the automation.' }),
    version: z.int().meta({ description: 'The version of its code.' }),
    params: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The JSON Schema of the parameters that a tenant sets, with their defaults.' }),
    input: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The JSON Schema of the input in a request for a run. Null if it takes none.' }),
  })
  .meta({ id: 'AutomationDefinition', description: 'An automation of this release that can be switched on.' });

export const AutomationView = z
  .object({
    automation: DefinitionName,
    enabled: Enabled,
    params: Params,
    version: Version,
    followsAgency: z.boolean().meta({
      description: 'True if the tenant has no setting of its own and follows what the agency has set for all tenants.',
    }),
    createdAt: z.iso.datetime().meta({ description: 'When it was first set.' }),
    updatedAt: z.iso.datetime().meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Automation', description: "A tenant's setting of an automation." });
export type AutomationView = z.infer<typeof AutomationView>;

const Change = z.object({
  version: Version,
  enabled: Enabled,
  params: Params,
  at: z.iso.datetime().meta({ description: 'When this was set.' }),
  keyId: z.string().nullable().meta({ description: 'The API key that made the request. Null if there was none.' }),
});
const LAST = 'The last hundred versions, newest first.';
const TenantChange = Change.extend({
  followsAgency: z.boolean().meta({ description: 'True if the agency set this for all its tenants.' }),
});

export const AutomationHistory = AutomationView.extend({
  changes: z.array(TenantChange).meta({ description: LAST }),
}).meta({
  id: 'AutomationHistory',
  description: "A tenant's setting of an automation, and its earlier settings.",
});

export const AutomationDefaultView = AutomationView.omit({ followsAgency: true }).meta({
  id: 'AutomationDefault',
  description: "An agency's setting of an automation for all its tenants that have not set it themselves.",
});
export type AutomationDefaultView = z.infer<typeof AutomationDefaultView>;

export const AutomationDefaultHistory = AutomationDefaultView.extend({
  followers: z.int().meta({ description: 'How many tenants follow it.' }),
  changes: z.array(Change).meta({ description: LAST }),
}).meta({
  id: 'AutomationDefaultHistory',
  description: "An agency's setting of an automation for all its tenants, and its earlier settings.",
});

const SETTING = {
  enabled: z.boolean().meta({ description: 'True to switch it on, false to switch it off.' }),
  params: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'The parameters, by the schema of the definition. If omitted, the current ones stay.' }),
};

export const SetAutomation = z
  .strictObject({ ...Target, ...SETTING })
  .meta({ id: 'SetAutomation', description: 'Whether an automation is on, and its parameters.' });

export const SetAutomationDefault = z.strictObject({ agencyId: AgencyField, ...SETTING }).meta({
  id: 'SetAutomationDefault',
  description: 'Whether an automation is on for all tenants, and its parameters.',
});

const ExecutionKey = z
  .string()
  .min(1)
  .max(128)
  .meta({
    description:
      'Your own key for the run, such as the id of an appointment. A run of the automation in progress with the ' +
      'same key ends as `cancelled`, `replaced`.',
  });

export const CancelByKey = z
  .strictObject({
    ...Target,
    automation: DefinitionName,
    key: z.string().min(1).max(128).meta({ description: 'The key with which the run was requested.' }),
  })
  .meta({ id: 'CancelByKey', description: 'Which run of an automation to cancel.' });

export const RunAutomation = z
  .strictObject({
    ...Target,
    automation: DefinitionName,
    conversationId: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .meta({ description: 'The conversation that it runs for. Required without `to`.' }),
    to: z.string().min(1).max(128).optional().meta({
      description: 'The contact instead of a conversation: a phone number in any spelling, or a chat id.',
    }),
    session: z.string().min(1).max(128).optional().meta({
      description: "With `to`: the account that writes, by id or name. If omitted, the tenant's default.",
    }),
    input: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'The input, by the `input` schema of the definition.' }),
    key: ExecutionKey.optional(),
  })
  .refine(({ conversationId, to }) => (conversationId === undefined) !== (to === undefined), {
    path: ['conversationId'],
    message: 'is required, or `to`: give one of the two',
  })
  .refine(({ to, session }) => to !== undefined || session === undefined, {
    path: ['session'],
    message: 'belongs to `to`: a conversation has its own session',
  })
  .meta({ id: 'RunAutomation', description: 'The conversation or the contact that an automation runs for.' });
export type RunAutomation = z.output<typeof RunAutomation>;

const DECISION = {
  ...Target,
  actor: z.string().min(1).max(100).optional().meta({ description: 'The person who decides, for the audit log.' }),
  reason: z.string().min(1).max(500).optional().meta({ description: 'The reason, for the audit.' }),
};

export const SkipWait = z
  .strictObject(DECISION)
  .default({})
  .meta({ id: 'SkipWait', description: 'The person who ends a wait, and the reason.' });

export const HandOverExecution = z
  .strictObject({
    ...DECISION,
    assignee: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .meta({ description: 'The person who takes the conversation, under any name.' }),
  })
  .default({})
  .meta({
    id: 'HandOverExecution',
    description: 'The person who takes over the conversation of a run, and the reason.',
  });
