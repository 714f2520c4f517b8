import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { routes } from '../../../api/routes.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency } from '../../support/client.ts';
import { MASTER_KEY, PSK } from '../../support/keys.ts';

const api = await apiOfThisFile('bounded-refusals');
const acme = await anAgency(api, { agencyId: 'acme' });

const MAX_ANSWER_BYTES = 32 * 1_024;
const MAX_ERRORS = 50;
const MAX_NAMED = 20;
/** Large enough for an answer that repeats what is wrong to be far beyond the bound. */
const MANY = 4_000;
/** Node.js itself takes at most 16 KiB of headers and path together. */
const MANY_IN_HEAD = 700;

const many = <T>(make: (index: number) => T, count = MANY): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const names = (count: number) => Object.fromEntries(many((index) => [`tennantId${index}`, 1], count));
const LONG = 'x'.repeat(100_000);

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { text: value };
  return value;
}

interface Shape {
  body?: unknown;
  query?: string;
  headers?: Record<string, string>;
}

/** A field that the route takes is given each wrong value, because unknown fields are not looked into. */
const SHAPES: Record<string, (fields: readonly string[]) => Shape> = {
  'many names': () => ({ body: names(MANY) }),
  'as many names as may be': () => ({ body: names(250) }),
  'names in every field': (fields) => ({ body: Object.fromEntries(fields.map((name) => [name, names(250)])) }),
  'wide arrays': (fields) => ({ body: Object.fromEntries(fields.map((name) => [name, many(() => ({ a: 1 }))])) }),
  'arrays as wide as may be': (fields) => ({
    body: Object.fromEntries(fields.map((name) => [name, many(() => ({ a: 1 }), 900)])),
  }),
  'long words': (fields) => ({ body: Object.fromEntries(fields.map((name) => [name, LONG])) }),
  'a long name': () => ({ body: { [LONG]: LONG } }),
  'deep nesting': (fields) => ({ body: Object.fromEntries(fields.map((name) => [name, deep(3_000)])) }),
  'many query names': () => ({ query: many((index) => `tennantId${index}=1`, MANY_IN_HEAD).join('&') }),
  'a long query': () => ({ query: `limit=${'9'.repeat(9_000)}&cursor=${'x'.repeat(3_000)}` }),
  'many headers': () => ({ headers: Object.fromEntries(many((index) => [`x-${index}`, 'y'], MANY_IN_HEAD)) }),
  'a long key of the request': () => ({ headers: { 'idempotency-key': 'x'.repeat(9_000) } }),
};

const Properties = z.object({ properties: z.record(z.string(), z.unknown()).default({}) });
const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        requestBody: z
          .object({
            content: z.record(z.string(), z.object({ schema: z.looseObject({ $ref: z.string().optional() }) })),
          })
          .optional(),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
});
const document = Document.parse(JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')));

/** The fields that the body of a route takes, as the document says. */
function fieldsOf({ method, path }: { method: string; path: string }): string[] {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const schema = operation?.requestBody?.content['application/json']?.schema;
  const named = schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  return Object.keys(Properties.parse(named ?? {}).properties);
}

const Refusal = z.object({ errors: z.array(z.object({ pointer: z.string(), message: z.string() })).default([]) });

async function answerTo(method: string, path: string, { body, query = '', headers = {} }: Shape) {
  const target = 'agencyId=acme&tenantId=t1';
  const answer = await fetch(`${api.url}${path}?${target}&${query}`, {
    method,
    headers: {
      ...(path.includes('/internal/') ? { authorization: `PSK ${PSK}` } : { 'x-api-key': MASTER_KEY }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      prefer: 'respond-async',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const isStream = answer.headers.get('content-type') === 'text/event-stream';
  if (isStream) await answer.body?.cancel();
  return { status: answer.status, text: isStream ? '' : await answer.text() };
}

describe('a refusal', () => {
  it.each(Object.entries(SHAPES))('of %s does not grow with the request, at any route', async (_, shapeOf) => {
    const wrong: unknown[] = [];
    let refused = 0;
    for (const { method, path } of routes) {
      const fields = fieldsOf({ method, path });
      const shape = shapeOf(fields);
      if (shape.body !== undefined && method === 'GET') continue;
      const concrete = path
        .replace(':tenantId', 't1')
        .replace(':agencyId', 'acme')
        .replaceAll(/:\w+/g, acme.session.id);
      const { status, text } = await answerTo(method, concrete, shape);
      if (status < 400) continue;
      refused += 1;
      const { errors } = Refusal.parse(JSON.parse(text));
      const named = errors.filter(({ message }) => message.startsWith('is not a ')).length;
      // Several objects of one request may each have unknown names.
      const isBounded = text.length <= MAX_ANSWER_BYTES && errors.length <= MAX_ERRORS && status < 500;
      if (!isBounded || (fields.length === 0 && named > MAX_NAMED)) {
        wrong.push([`${method} ${path}`, status, text.length, errors.length, named]);
      }
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(0);
  });

  it('names the first of many unknown fields, and counts the others', async () => {
    const { status, text } = await answerTo('POST', '/api/v1/messages/send', { body: names(120) });
    expect(status).toBe(422);
    const { errors } = Refusal.parse(JSON.parse(text));
    expect(errors.filter(({ message }) => message.startsWith('is not a field of this request.'))).toHaveLength(
      MAX_NAMED,
    );
    expect(errors).toContainEqual({ pointer: '', message: 'has unknown fields: the 20 named here and 100 more' });
  });

  it.each([
    ['names', names(257), 'must have at most 256 names in an object'],
    ['levels', { text: deep(64) }, 'must have at most 64 levels'],
    ['items', { attachments: many(() => 1, 2_001) }, 'must have at most 2000 items in a list'],
  ])('of too many %s comes before the schema', async (_, body, message) => {
    const { status, text } = await answerTo('POST', '/api/v1/messages/send', { body });
    expect([status, Refusal.parse(JSON.parse(text)).errors]).toEqual([422, [{ pointer: '', message }]]);
  });

  it('is tried on routes whose fields are known', () => {
    expect(routes.filter((route) => fieldsOf(route).length > 0).length).toBeGreaterThan(40);
  });

  it('names the first of many unknown parameters, and counts the others', async () => {
    const query = many((index) => `tennantId${index}=1`, 120).join('&');
    const { status, text } = await answerTo('GET', '/api/v1/inbox/chats', { query });
    const { errors } = Refusal.parse(JSON.parse(text));
    expect([status, errors.length]).toEqual([422, MAX_NAMED + 1]);
    expect(errors.at(-1)).toEqual({
      pointer: 'query',
      message: 'has unknown parameters: the 20 named here and 100 more',
    });
  });
});
