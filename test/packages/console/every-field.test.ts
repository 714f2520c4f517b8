import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createOpenApiDocument } from '../../../api/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { FIELDS } from './shown-fields.ts';
import type { Shown } from './shown-fields.ts';

interface Schema {
  $ref?: string | undefined;
  properties?: Record<string, Schema> | undefined;
  items?: Schema | undefined;
  anyOf?: Schema[] | undefined;
}
const Schema: z.ZodType<Schema> = z.object({
  $ref: z.string().optional(),
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get items() {
    return Schema.optional();
  },
  get anyOf() {
    return z.array(Schema).optional();
  },
});
const Document = z.object({ components: z.object({ schemas: z.record(z.string(), Schema) }) });

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const { schemas } = Document.parse(JSON.parse(JSON.stringify(createOpenApiDocument(routes)))).components;

/** Lists the fields of a schema with those within; one that is not shown hides what is within. */
function fieldsOf(schema: Schema | undefined, shown: Readonly<Record<string, Shown>>, path = ''): string[] {
  if (schema === undefined) return [];
  if (schema.$ref !== undefined) return fieldsOf(schemas[schema.$ref.split('/').at(-1) ?? ''], shown, path);
  if (schema.anyOf) return schema.anyOf.flatMap((each) => fieldsOf(each, shown, path));
  if (schema.items) return fieldsOf(schema.items, shown, path);
  return Object.entries(schema.properties ?? {}).flatMap(([name, within]) => {
    const field = path === '' ? name : `${path}.${name}`;
    const how = shown[field];
    return how && 'not' in how ? [field] : [field, ...fieldsOf(within, shown, field)];
  });
}

/** The code of a renderer without what nobody sees: comments, imports, types, classes and the keys of lists. */
const shownBy = (path: string): string =>
  read(`packages/console/pages/${path}`)
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replaceAll(/^import [\s\S]*?;$/gm, '')
    .replaceAll(/\b(?:key|class|name|type|role)=(?:"[^"]*"|\{`[^`]*`\}|\{[^}]*\})/g, '');

describe.each(Object.entries(FIELDS))('every field of %s', (name, shown) => {
  it('has a renderer in the console, or a line that says why not', () => {
    expect(Object.keys(shown).toSorted()).toEqual([...new Set(fieldsOf(schemas[name], shown))].toSorted());
  });

  it('is read by the renderer that the table names', () => {
    const unread = Object.entries(shown).flatMap(([field, how]) => {
      if ('not' in how) return how.not === '' ? [`${field} has no reason`] : [];
      const last = field.split('.').at(-1) ?? '';
      return new RegExp(`\\b${last}\\b`).test(shownBy(how.by)) ? [] : [`${field} in ${how.by}`];
    });
    expect(unread).toEqual([]);
  });
});
