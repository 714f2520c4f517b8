import { z } from 'zod';
import type { FlowRow, FlowVersionRow } from '../../db/flows/flow.ts';
import { FLOW_FORMS } from '../../db/flows/flow.ts';
import { automationOfFlow } from '../../domain/automations/name.ts';
import { WorkflowDefinitionId } from '../../domain/ids.ts';
import { AgencyField } from '../../domain/scope.ts';

const MAX_SOURCE_LENGTH = 1_048_576;

const Form = z.enum(FLOW_FORMS).meta({ description: 'Whether the text is JSON or YAML.' });
const Version = z.int().meta({ description: 'Increases with each change of the definition.' });
const Title = z.string().meta({ description: "The definition's title." });

const DEFINITION = {
  definition: z.union([z.record(z.string(), z.unknown()), z.string().min(1).max(MAX_SOURCE_LENGTH)]).meta({
    description: "The definition: an object, or its text. The guide 'Workflows' describes the language.",
    examples: [
      {
        document: { dsl: '1.0.0', namespace: 'shop', name: 'greeting', version: '1.0.0' },
        evaluate: { language: 'cel' },
        do: [{ greet: { call: 'send', with: { text: 'Hello!' } } }],
      },
    ],
  }),
  form: Form.default('json').meta({ description: 'For a text: whether it is JSON or YAML.' }),
};

export const WriteWorkflow = z
  .strictObject({ agencyId: AgencyField, ...DEFINITION })
  .meta({ id: 'WriteWorkflow', description: "An agency's workflow." });
export type WriteWorkflow = z.output<typeof WriteWorkflow>;

export const ChangeWorkflow = z
  .strictObject({
    agencyId: AgencyField,
    ...DEFINITION,
    basedOn: z.int().min(1).optional().meta({
      description: 'The version that you have changed. The request is refused if a newer one is stored.',
    }),
  })
  .meta({ id: 'ChangeWorkflow', description: "A new version of an agency's workflow." });

export const CopyWorkflow = z
  .strictObject({ agencyId: AgencyField })
  .default({})
  .meta({ id: 'CopyWorkflow', description: 'The agency of the workflow.' });

const Problem = z.object({
  pointer: z.string().meta({ description: 'The place in the definition, as a JSON pointer.' }),
  message: z.string().meta({ description: 'The problem.' }),
});

export const WorkflowCheck = z
  .object({
    valid: z.boolean().meta({ description: 'True if it has no problem.' }),
    problems: z.array(Problem).meta({ description: 'The problems. Empty for a valid definition.' }),
    params: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The JSON Schema of the parameters that a tenant sets. Null with problems.' }),
  })
  .meta({ id: 'WorkflowCheck', description: 'The result of a check. Nothing is stored.' });

const WORKFLOW = {
  id: WorkflowDefinitionId,
  automation: z.string().meta({
    description: 'The name under which tenants switch it on with `PUT /api/v1/automations/:automation`.',
    examples: ['flow-019b76da-a800-7c3e-9d52-5f0c1b7a64e1'],
  }),
  title: Title,
  version: Version,
  form: Form,
  createdAt: z.iso.datetime().meta({ description: 'When it was created.' }),
  updatedAt: z.iso.datetime().meta({ description: 'When it was last changed.' }),
};

export const WorkflowView = z
  .object(WORKFLOW)
  .meta({ id: 'Workflow', description: 'A workflow that an agency has defined.' });

export const WorkflowStory = z
  .object({
    ...WORKFLOW,
    source: z
      .string()
      .meta({ description: 'The text of the current version. Create a workflow with it to import it.' }),
    definition: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The definition of the current version as JSON, also if its text is YAML.' }),
    params: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The JSON Schema of the parameters that a tenant sets.' }),
    tenants: z.int().meta({ description: 'The number of tenants that have switched it on.' }),
    versions: z
      .array(
        z.object({
          version: Version,
          title: Title,
          createdAt: z.iso.datetime().meta({ description: 'When it was stored.' }),
          keyId: z.string().nullable().meta({ description: 'The API key that stored it.' }),
        }),
      )
      .meta({ description: 'The last hundred versions, newest first.' }),
  })
  .meta({ id: 'WorkflowStory', description: "An agency's workflow with its text and versions." });

export function shownFlow({ agencyId: _agencyId, createdAt, updatedAt, ...flow }: FlowRow) {
  return {
    ...flow,
    automation: automationOfFlow(flow.id),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export const shownVersion = ({ createdAt, ...version }: FlowVersionRow) => ({
  ...version,
  createdAt: createdAt.toISOString(),
});
