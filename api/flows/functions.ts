import { z } from 'zod';
import { EVENT_TRIGGERS, FLOW_FUNCTIONS } from '../../domain/flows/index.ts';
import type { FlowFunction } from '../../domain/flows/index.ts';
import { defineRoute } from '../deps.ts';

const Schema = z.record(z.string(), z.unknown());

const FunctionView = z
  .object({
    name: z.string().meta({ description: 'The name that `call` uses.', examples: ['ask'] }),
    title: z.string().meta({ description: 'Its title.' }),
    summary: z.string().meta({ description: 'Its purpose.' }),
    kind: z.enum(['visible', 'silent', 'wait', 'call']).meta({
      description:
        'Whether a person notices it (`visible`), nobody does (`silent`), it takes time (`wait`), or it reaches ' +
        'another system (`call`).',
    }),
    input: Schema.meta({ description: 'The JSON Schema of its arguments.' }),
    output: Schema.meta({ description: 'The JSON Schema of its output.' }),
  })
  .meta({ id: 'WorkflowFunction', description: 'A function that a task of a workflow can call.' });

const EventTrigger = z
  .object({
    type: z.string().meta({ description: 'The `type` of the event.', examples: ['message'] }),
    filters: Schema.meta({ description: 'The JSON Schema of its filters.' }),
  })
  .meta({ id: 'WorkflowTrigger', description: 'An event that can start a workflow.' });

/** The schemas never change within a release. */
let known: { functions: z.output<typeof FunctionView>[]; triggers: z.output<typeof EventTrigger>[] } | undefined;

export const workflowFunctionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/workflow-functions',
    auth: 'agency',
    scope: 'read',
    operationId: 'workflows.listFunctions',
    summary: 'List functions and triggers of workflows',
    description: 'An editor of workflows makes its forms of these schemas.',
    reply: z.object({
      functions: z.array(FunctionView).meta({ description: 'All functions.' }),
      triggers: z.array(EventTrigger).meta({ description: 'All events that can start a workflow.' }),
    }),
    handle: () => (known ??= { functions: Object.entries(FLOW_FUNCTIONS).map(functionOf), triggers: triggers() }),
  }),
];

function functionOf([name, each]: [string, FlowFunction]): z.output<typeof FunctionView> {
  const { title, doc, kind, input, output } = each;
  return { name, title, summary: doc, kind, input: schemaOf(input, 'input'), output: schemaOf(output, 'output') };
}

const triggers = (): z.output<typeof EventTrigger>[] =>
  EVENT_TRIGGERS.map(({ type, filters }) => ({ type, filters: schemaOf(filters, 'input') }));

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): z.output<typeof Schema> =>
  Schema.parse(z.toJSONSchema(schema, { io }));
