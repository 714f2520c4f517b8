import { z } from 'zod';
import { EndpointParam } from '../../automations/endpoint-param.ts';
import { FLOW_BOUNDS } from '../bounds.ts';
import type { Param } from '../flow.ts';
import type { Json } from '../json.ts';
import { below } from '../json.ts';
import type { Problems } from './problems.ts';

const MAX_PARAMS = 50;
const MAX_TEXT = 4_000;
const NAME = /^[a-z]\w{0,63}$/i;

const Property = z.strictObject({
  type: z.enum(['string', 'number', 'integer', 'boolean', 'array']),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(500).optional(),
  default: z.json().optional(),
  enum: z
    .array(z.union([z.string().max(200), z.number()]))
    .min(1)
    .max(100)
    .optional(),
  items: z.strictObject({ type: z.literal('string') }).optional(),
  minLength: z.int().min(0).max(MAX_TEXT).optional(),
  maxLength: z.int().min(1).max(MAX_TEXT).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxItems: z.int().min(1).max(100).optional(),
  format: z.enum(['date-time', 'endpoint']).optional(),
});

/** The parameters as JSON Schema writes them: one object with a closed list of plain properties. */
const InputSchema = z.strictObject({
  schema: z.strictObject({
    format: z.literal('json').optional(),
    document: z.strictObject({
      type: z.literal('object'),
      properties: z
        .record(
          z.string().regex(NAME, 'must begin with a letter and have at most 64 letters, digits and `_`'),
          Property,
        )
        .refine(
          (properties) => Object.keys(properties).length <= MAX_PARAMS,
          `must have at most ${MAX_PARAMS} parameters`,
        ),
      required: z.array(z.string()).optional(),
      additionalProperties: z.literal(false).optional(),
    }),
  }),
});

/** Reads what a tenant sets when it enables the workflow. */
export function readParams(input: Json | undefined, pointer: string, problems: Problems): Param[] {
  if (input === undefined) return [];
  const read = problems.read(InputSchema, input, pointer, 'input');
  if (!read) return [];
  const at = below(pointer, 'schema', 'document');
  if (JSON.stringify(input).length > FLOW_BOUNDS.paramsLength)
    problems.add(at, `The parameters may have ${FLOW_BOUNDS.paramsLength} characters in all.`);
  const { properties, required = [] } = read.schema.document;
  for (const [place, name] of required.entries())
    if (!Object.hasOwn(properties, name))
      problems.add(below(at, 'required', place), `The parameter ${name} does not exist.`);
  return Object.entries(properties).map(([name, { default: usual, ...property }]): Param => {
    const isRequired = required.includes(name);
    const param = { name, ...property, isRequired };
    if (usual === undefined) return param;
    const schema = schemaOf(param).safeParse(usual);
    if (!schema.success)
      problems.add(
        below(at, 'properties', name, 'default'),
        `The default does not fit: ${schema.error.issues[0]?.message ?? ''}.`,
      );
    return { ...param, default: usual };
  });
}

function schemaOf({ type, enum: words, minLength, maxLength, minimum, maximum, maxItems, format }: Param): z.ZodType {
  if (words) return z.literal(words.filter((word) => typeof word === (type === 'string' ? 'string' : 'number')));
  switch (type) {
    case 'boolean':
      return z.boolean();
    case 'array':
      return z.array(z.string().max(200)).max(maxItems ?? 100);
    case 'string': {
      if (format === 'endpoint') return EndpointParam;
      if (format === 'date-time') return z.iso.datetime({ offset: true });
      return z
        .string()
        .min(minLength ?? 0)
        .max(maxLength ?? MAX_TEXT);
    }
    default: {
      const number = type === 'integer' ? z.int() : z.number();
      return number.min(minimum ?? -Number.MAX_SAFE_INTEGER).max(maximum ?? Number.MAX_SAFE_INTEGER);
    }
  }
}

/** The schema of the parameters of a workflow, with their defaults. */
export function paramsSchema({ params }: { params: readonly Param[] }): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      params.map((param) => {
        const { name, title, description, isRequired, default: usual } = param;
        const described = schemaOf(param).meta({
          ...(title === undefined ? {} : { title }),
          ...(description === undefined ? {} : { description }),
        });
        if (usual !== undefined) return [name, described.default(usual)];
        return [name, isRequired ? described : described.optional()];
      }),
    ),
  );
}
