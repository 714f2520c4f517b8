import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineEntity, p } from '@mikro-orm/core';
import type { EntityMetadata, EntitySchema } from '@mikro-orm/core';
import { MikroORM } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { Database } from '../../db/engine/database.ts';
import { entities } from '../../db/connect.ts';
import { rows } from '../../db/engine/rows.ts';
import { aDatabase } from './a-database.ts';
import { Column, entityDifferences } from './entity-differences.ts';

describe('entities say what the database says', () => {
  let database: Database;
  let columns: z.output<typeof Column>[];

  beforeAll(async () => {
    database = await aDatabase();
    columns = await database.read(
      (queries) => rows(queries, Column)`
        select c.table_name as "table", c.column_name as name, c.udt_name as type, c.is_nullable = 'YES' as "isNullable",
          (select array_agg(word[1]) from pg_constraint k
            cross join regexp_matches(pg_get_constraintdef(k.oid), '''(\\w+)''::text', 'g') as word
            where k.contype = 'c' and k.conrelid = c.table_name::regclass
              and pg_get_constraintdef(k.oid) ~ ('^CHECK \\(\\(' || c.column_name || ' = ANY \\(ARRAY\\[')) as words
        from information_schema.columns c where c.table_schema = 'public'`,
    );
  });

  afterAll(() => database.close());

  it('tells the developer nothing of the entities that there are', async () => {
    const told = await metadataOf(entities);
    expect(told.flatMap(({ props }) => props).length).toBeGreaterThan(150);
    expect(entityDifferences(told, columns)).toEqual([]);
  });

  it('knows the words of each column that a check holds to some', () => {
    expect(columns.filter(({ words }) => words !== null).map(({ table, name }) => `${table}.${name}`)).toEqual(
      expect.arrayContaining(['agency.status', 'ai_turn.outcome', 'endpoint.ordering', 'message.lost_cause']),
    );
  });

  it('tells the developer of an entity without its column, or with another type or words, what to mend', async () => {
    const Planted = defineEntity({
      name: 'Planted',
      tableName: 'agency',
      properties: {
        id: p.string().primary(),
        motto: p.string(),
        dashboardName: p.integer(),
        status: p.enum(['registered', 'active'] as const),
        createdAt: p.datetime().nullable(),
      },
    });
    const Wordless = defineEntity({
      name: 'Wordless',
      tableName: 'conversation',
      properties: { id: p.string().primary(), mode: p.string() },
    });
    const told = await metadataOf([Planted]);
    expect(entityDifferences(told, columns)).toEqual([
      'Planted.motto has no column agency.motto: add the column in a migration, or remove the property from the entity.',
      'Planted.dashboardName is int in the entity and text in the database: say the same in the entity as in the migrations.',
      'Planted.status is one of (registered, active, suspended) in the database and of (registered, active) in the entity: say the same in the entity as in the migrations.',
      'Planted.createdAt may not be null in the database: say the same in the entity as in the migrations.',
    ]);
    expect(entityDifferences(await metadataOf([Wordless]), columns)).toEqual([
      'Wordless.mode is one of (bot_active, human_takeover) in the database and any text in the entity: say the same in the entity as in the migrations.',
    ]);
  });
});

/** Returns MikroORM's metadata of the entities, which needs no connection. */
async function metadataOf(defined: readonly EntitySchema[]): Promise<EntityMetadata[]> {
  const orm = await MikroORM.init({ entities: [...defined], dbName: 'none' });
  const told = [...orm.getMetadata().getAll().values()];
  await orm.close(true);
  return told;
}
