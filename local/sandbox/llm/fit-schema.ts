import { z } from 'zod';

const Schema = z.looseObject({
  $ref: z.string().optional(),
  $defs: z.record(z.string(), z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
  minItems: z.number().optional(),
  minLength: z.number().optional(),
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
});
type Schema = z.infer<typeof Schema>;

/** Names of fields in which a schema asks for the text that the contact will read. */
const SPOKEN = /^(reply|text|message|answer|content|response|body)$/i;

/** Makes the smallest value that fits a simple JSON schema; a string that the contact will read becomes `spoken`. */
export function fitSchema(schema: unknown, spoken: string): unknown {
  const root = Schema.parse(schema);
  const fit = (part: unknown, name: string): unknown => {
    const here: Schema = Schema.safeParse(part).data ?? {};
    if (here.$ref !== undefined) return fit(root.$defs?.[here.$ref.split('/').at(-1) ?? ''], name);
    if (here.const !== undefined) return here.const;
    if (here.enum) return here.enum[0];
    if (here.default !== undefined) return here.default;
    const choice = here.anyOf?.[0] ?? here.oneOf?.[0] ?? here.allOf?.[0];
    return choice === undefined ? fitType(here, name) : fit(choice, name);
  };
  const fitType = (here: Schema, name: string): unknown => {
    switch (Array.isArray(here.type) ? here.type[0] : here.type) {
      case 'string':
        return SPOKEN.test(name) ? spoken : 'x'.repeat(here.minLength ?? 0);
      case 'integer':
      case 'number':
        return here.minimum ?? (here.exclusiveMinimum === undefined ? 0 : here.exclusiveMinimum + 1);
      case 'boolean':
        return false;
      case 'array':
        return Array.from({ length: here.minItems ?? 0 }, () => fit(here.items, name));
      case 'null':
        return null;
      default: {
        const wanted = here.required ?? Object.keys(here.properties ?? {});
        return Object.fromEntries(wanted.map((key) => [key, fit(here.properties?.[key], key)]));
      }
    }
  };
  return fit(root, '');
}
