import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/engine/database.ts';
import { rowsOf } from './rows.ts';

const Served = z.object({
  eventTypes: z.array(
    z.object({
      type: z.string(),
      schema: z.record(z.string(), z.unknown()),
      example: z.record(z.string(), z.unknown()),
    }),
  ),
});
export type ServedEventType = z.infer<typeof Served>['eventTypes'][number];

export async function servedEventTypes(url: string): Promise<ServedEventType[]> {
  const response = await fetch(`${url}/api/v1/webhooks/event-types`);
  return Served.parse(await response.json()).eventTypes;
}

/** By type. A field that the schema does not name is a mistake of ours, though a receiver must bear it. */
export function eventValidators(types: readonly ServedEventType[]): Map<string, ValidateFunction> {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  return new Map(
    types.map(({ type, schema }) => [type, ajv.compile(z.record(z.string(), z.unknown()).parse(closed(schema)))]),
  );
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return inner['type'] === 'object' && inner['additionalProperties'] === undefined && inner['properties'] !== undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** Every event that the database holds fits the schema that the engine serves for its type. */
export async function checkEvents(url: string, database: Database): Promise<void> {
  const events = await rowsOf(
    database,
    sql<{ type: string; body: string }>`select type, body from event
    union all select type, full_body from event where full_body is not null`,
  );
  if (events.length === 0) return;
  // To compile the schemas of all types takes half a second, and a file has events of a few.
  const written = new Set(events.map(({ type }) => type));
  const validators = eventValidators((await servedEventTypes(url)).filter(({ type }) => written.has(type)));
  const problems = events.flatMap(({ type, body }) => {
    const validate = validators.get(type);
    if (!validate) return [`${type} is in no catalogue`];
    if (validate(JSON.parse(body))) return [];
    const errors = (validate.errors ?? []).map(
      (error) => `${error.instancePath} ${error.message ?? ''} ${JSON.stringify(error.params)}`,
    );
    return [`${type}: ${errors.join('; ')}`];
  });
  if (problems.length > 0) {
    throw new Error(`Events do not fit their schemas:\n${[...new Set(problems)].join('\n')}`);
  }
}
