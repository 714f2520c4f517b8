import { z } from 'zod';
import { parseFlow, READY_FLOWS, readyFlow } from '../../domain/flows/index.ts';
import { defineRoute } from '../deps.ts';

const Template = z
  .object({
    name: z.string().meta({ description: 'Its name.', examples: ['lost-cart'] }),
    title: z.string().meta({ description: 'Its title.' }),
    summary: z.string().meta({ description: 'Its purpose.' }),
    source: z.string().meta({ description: 'The definition as YAML.' }),
  })
  .meta({ id: 'WorkflowTemplate', description: 'A workflow that comes with the engine.' });

/** The texts never change within a release. */
let known: z.output<typeof Template>[] | undefined;

export const workflowTemplateRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/workflow-templates',
    auth: 'agency',
    scope: 'read',
    operationId: 'workflows.listTemplates',
    summary: 'List workflows to copy and change',
    description: 'To use one, create a workflow with its `source` and `form: yaml`.',
    reply: z.object({ templates: z.array(Template).meta({ description: 'All templates.' }) }),
    handle: () => ({ templates: (known ??= READY_FLOWS.map(templateOf)) }),
  }),
];

function templateOf(name: (typeof READY_FLOWS)[number]): z.output<typeof Template> {
  const source = readyFlow(name);
  const read = parseFlow(source, 'yaml');
  if (!('flow' in read)) throw new Error(`The workflow ${name} of this release cannot be read.`);
  const { title, summary } = read.flow.document;
  return { name, title, summary, source };
}
