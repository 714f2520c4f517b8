import { z } from 'zod';

/** As much of a JSON schema as the backend's document uses. */
export interface Schema {
  $ref?: string | undefined;
  type?: string | undefined;
  nullable?: boolean | undefined;
  enum?: unknown[] | undefined;
  required?: string[] | undefined;
  properties?: Record<string, Schema> | undefined;
  items?: Schema | undefined;
  allOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
}

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.string().optional(),
    nullable: z.boolean().optional(),
    enum: z.array(z.unknown()).optional(),
    // The document also has `required: true` on single properties, which means nothing in JSON schema.
    required: z.array(z.string()).optional().catch(undefined),
    properties: z.record(z.string(), Schema).optional(),
    items: Schema.optional(),
    allOf: z.array(Schema).optional(),
    oneOf: z.array(Schema).optional(),
  }),
);

const Answer = z.object({ content: z.record(z.string(), z.object({ schema: Schema.optional() })).optional() });
const Parameter = z.object({ in: z.string(), name: z.string() });
const Operation = z.object({
  parameters: z.array(Parameter).default([]),
  responses: z.record(z.string(), Answer),
});

const Document = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
});
export type Document = z.infer<typeof Document>;
export type Operation = z.infer<typeof Operation>;

export const parseDocument = (text: string): Document => Document.parse(JSON.parse(text));

export interface DocumentedRoute {
  method: string;
  path: string;
  operation: Operation;
}

/** Two names of one parameter are the same route. */
const shape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

export function findRoute({ paths }: Document, method: string, path: string): DocumentedRoute | undefined {
  for (const [documented, operations] of Object.entries(paths)) {
    const operation = operations[method.toLowerCase()];
    if (operation && shape(documented) === shape(path)) return { method, path: documented, operation };
  }
  return undefined;
}
