import type { EntityMetadata, EntityProperty } from '@mikro-orm/core';
import { z } from 'zod';

/** A column as `information_schema` tells it, with the words that a check of its table lets it have. */
export const Column = z.object({
  table: z.string(),
  name: z.string(),
  type: z.string(),
  isNullable: z.boolean(),
  words: z.array(z.string()).nullable(),
});
type Column = z.output<typeof Column>;

/** MikroORM's names for column types that PostgreSQL reads in the same way; the rest has one name. */
const FAMILIES: [RegExp, string][] = [
  [/^(varchar|text$|char)/, 'text'],
  [/^timestamptz/, 'timestamptz'],
  [/^(int|smallint|int2)$/, 'int4'],
  [/^bigint$/, 'int8'],
  [/^boolean$/, 'bool'],
  [/^(float|real|double precision)/, 'float8'],
  [/^text\[\]$/, '_text'],
];

const familyOf = (type: string): string => FAMILIES.find(([form]) => form.test(type))?.[1] ?? type;

/** Returns the differences between an entity and its table, a sentence each with the fix. */
export function entityDifferences(entities: readonly EntityMetadata[], columns: readonly Column[]): string[] {
  const known = new Map(columns.map((column) => [`${column.table}.${column.name}`, column]));
  return entities.flatMap((entity) =>
    entity.props.flatMap((property) => {
      const place = `${entity.tableName}.${property.fieldNames[0]}`;
      const said = `${entity.className}.${property.name}`;
      const column = known.get(place);
      if (!column) {
        return `${said} has no column ${place}: add the column in a migration, or remove the property from the entity.`;
      }
      return [...typeDifference(property, column), ...wordDifference(property, column)].map(
        (what) => `${said} ${what}: say the same in the entity as in the migrations.`,
      );
    }),
  );
}

function typeDifference(property: EntityProperty, column: Column): string[] {
  const told = property.columnTypes[0] ?? 'unknown';
  const differences: string[] = [];
  // An array's type says what its elements become; the column is read by its own.
  if (property.array !== true && familyOf(told) !== familyOf(column.type)) {
    differences.push(`is ${told} in the entity and ${column.type} in the database`);
  }
  if ((property.nullable ?? false) !== column.isNullable) {
    differences.push(`may ${column.isNullable ? '' : 'not '}be null in the database`);
  }
  return differences;
}

function wordDifference(property: EntityProperty, { words }: Column): string[] {
  if (words === null) return [];
  const told = property.items?.map(String) ?? [];
  if (told.length === 0) return [`is one of (${words.join(', ')}) in the database and any text in the entity`];
  const isSame = told.length === words.length && words.every((word) => told.includes(word));
  return isSame ? [] : [`is one of (${words.join(', ')}) in the database and of (${told.join(', ')}) in the entity`];
}
