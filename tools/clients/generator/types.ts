import { nameOf } from './document.ts';
import type { Schema } from './document.ts';

/** Says more than types do, or is looked at elsewhere (`document.ts` has the rest). */
const IGNORED = new Set(
  'minLength maxLength pattern format minimum maximum minItems maxItems uniqueItems examples example default title deprecated propertyNames contentEncoding contentMediaType exclusiveMinimum exclusiveMaximum multipleOf id'.split(
    ' ',
  ),
);
const KNOWN = new Set(
  '$ref type description properties required additionalProperties items anyOf oneOf allOf enum const'.split(' '),
);

/** Writes JSON Schema as TypeScript. */
export class TypeWriter {
  /** The named schemas that it speaks of. */
  readonly names = new Set<string>();
  /** Inputs may be `undefined`, which a request omits. */
  readonly #optional: string;

  constructor({ isGiven }: { isGiven: boolean }) {
    this.#optional = isGiven ? ' | undefined' : '';
  }

  type(schema: Schema): string {
    const strange = Object.keys(schema).find((key) => !KNOWN.has(key) && !IGNORED.has(key) && !key.startsWith('x-'));
    if (strange !== undefined) throw new Error(`The generator does not know the keyword "${strange}" of JSON Schema.`);
    if (schema.$ref !== undefined) return this.#named(schema.$ref);
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum) return union(schema.enum.map(literal));
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return union(choices.map((choice) => this.type(choice)));
    if (schema.allOf) return schema.allOf.map((part) => this.type(part)).join(' & ');
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.type({ ...schema, type })));
    return this.#plain(schema);
  }

  #named(ref: string): string {
    const name = nameOf(ref);
    this.names.add(name);
    return name;
  }

  #plain(schema: Schema): string {
    switch (schema.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type;
      case 'integer':
      case 'number':
        return 'number';
      case 'array':
        return `${inParentheses(this.type(schema.items ?? {}))}[]`;
      case 'object':
        return this.#object(schema);
      case undefined:
        return 'unknown';
      default:
        throw new Error(`The generator does not know the type "${String(schema.type)}" of JSON Schema.`);
    }
  }

  #object({ properties, additionalProperties, required = [] }: Schema): string {
    if (properties) return `{\n${this.fields(properties, required)}\n}`;
    const values = typeof additionalProperties === 'object' ? this.type(additionalProperties) : 'unknown';
    return `Record<string, ${values}>`;
  }

  fields(properties: Record<string, Schema>, required: readonly string[]): string {
    return Object.entries(properties)
      .map(([name, schema]) => {
        const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
        const isRequired = required.includes(name);
        const type = this.type(schema);
        return `${comment(schema.description)}${key}${isRequired ? '' : '?'}: ${type}${isRequired ? '' : this.#optional};`;
      })
      .join('\n');
  }

  /** A named type with its words. */
  declaration(name: string, schema: Schema): string {
    const type = this.type(schema);
    const words = comment(schema.description);
    if (schema.type !== 'object' || !schema.properties) return `${words}export type ${name} = ${type};\n`;
    return `${words}export interface ${name} ${type}\n`;
  }
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'` : String(value);
}

/** A word beside every string says nothing more. */
function union(types: readonly string[]): string {
  const all = [...new Set(types.flatMap((type) => (/^('[^']*'( \| )?)+$/.test(type) ? type.split(' | ') : [type])))];
  return (all.includes('string') ? all.filter((type) => !type.startsWith("'")) : all).join(' | ');
}

/** Text within braces is no part of a union around it. Comments there may hold any sign. */
const outside = (type: string): string => {
  const plain = type.replaceAll(/\/\*\*.*?\*\//g, '');
  const inner = plain.replaceAll(/\{[^{}]*\}/g, '');
  return inner === plain ? inner : outside(inner);
};

const inParentheses = (type: string): string => (/ [|&] /.test(outside(type)) ? `(${type})` : type);

/** The first paragraph: the reference has the rest. */
export function comment(description: string | undefined): string {
  const [words] = (description ?? '').split('\n\n');
  if (words === undefined || words === '') return '';
  return `/** ${words.replaceAll('\n', ' ').replaceAll('*/', '*\\/')} */\n`;
}
