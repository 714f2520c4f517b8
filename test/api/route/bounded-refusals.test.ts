import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { BACKEND_ROUTES } from '../../../api/passthrough/table/table.ts';
import { parseInput } from '../../../api/route/parse-input.ts';
import { createOpenApiDocument } from '../../../api/openapi.ts';
import { routes } from '../../../api/routes.ts';
import { SendList } from '../../../domain/sending/send.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import { MASTER_KEY, PSK } from '../../support/keys.ts';
import { OWN } from '../console/browser.ts';

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

/** From many objects to few: a body that is too large is refused before the schema. */
const ROWS = [50, 20, 5, 1];
const NAMES_IN_ROW = 18;
const isOfAllowedSize = (body: unknown) =>
  body !== undefined && countOf(body) < 20_000 && JSON.stringify(body).length < 1_000_000;

function countOf(value: unknown): number {
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + 1 + countOf(inner), 0)
    : 0;
}

interface Shape {
  body?: unknown;
  query?: string;
  headers?: Record<string, string>;
}

/** A field that the route takes is given each wrong value, because unknown fields are not looked into. */
const SHAPES: Record<string, (fields: readonly string[], filled: (rows: number) => unknown) => Shape> = {
  'many names': () => ({ body: names(MANY) }),
  'as many names as may be': () => ({ body: names(250) }),
  'names in every field': (fields) => ({ body: Object.fromEntries(fields.map((name) => [name, names(250)])) }),
  'names in every object, also of lists in lists': (_, filled) => ({ body: ROWS.map(filled).find(isOfAllowedSize) }),
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

const Named = z.looseObject({ $ref: z.string().optional() });
const Schema = Named.extend({
  properties: z.record(z.string(), Named).default({}),
  items: Named.optional(),
  maxItems: z.int().default(50),
  anyOf: z.array(Named).default([]),
  oneOf: z.array(Named).default([]),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).default([]),
});
const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        requestBody: z
          .object({
            content: z.record(z.string(), z.object({ schema: Named })),
          })
          .optional(),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }),
});
const document = Document.parse(JSON.parse(JSON.stringify(createOpenApiDocument(routes))));

/** Fields of many bodies at the backend, which the document does not describe. */
const PASSED_ON_FIELDS = ['chatId', 'text', 'file', 'session', 'mentions'];
const isPassedOn = (path: string) => path.startsWith('/api/') && !path.startsWith('/api/v1/');
const passedOn: OfRoute[] = Object.values(BACKEND_ROUTES)
  .flat()
  .filter(({ who }) => who === 'client')
  .map(({ method, path }) => ({ method, path: path.replaceAll(/\{(\w+)\}/g, ':$1') }));

/** A page that connects an account, as the browser that has opened it. */
async function aConnectPage() {
  const made = await call(api, 'POST', `/api/v1/sessions/${acme.session.id}/connect-link`, {
    key: acme.dashboardKey,
    body: {},
  });
  const path = new URL(z.url().parse(made.body['url'])).pathname;
  const page = await fetch(api.url + path, { headers: { accept: 'text/html' } });
  return {
    path,
    status: page.status,
    cookie: page.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; '),
  };
}
const connectPage = await aConnectPage();
const isConnectPage = (path: string) => path.startsWith(connectPage.path);
/** They take no part in the document of the API. */
const others: OfRoute[] = [
  { method: 'POST', path: '/console/session' },
  { method: 'DELETE', path: '/console/session' },
  { method: 'GET', path: connectPage.path },
  { method: 'POST', path: `${connectPage.path}/code` },
];

function fieldsGivenTo(route: OfRoute): readonly string[] {
  if (isPassedOn(route.path)) return PASSED_ON_FIELDS;
  if (route.path === '/console/session') return ['apiKey', 'ticket'];
  return isConnectPage(route.path) ? ['phone'] : fieldsOf(route);
}

function credentialsFor(path: string): Record<string, string> {
  if (path.includes('/internal/')) return { authorization: `PSK ${PSK}` };
  if (path === '/console/session') return OWN;
  if (isConnectPage(path)) return { cookie: connectPage.cookie };
  return { 'x-api-key': isPassedOn(path) ? acme.scopedKey : MASTER_KEY };
}

interface OfRoute {
  method: string;
  path: string;
}

/** The body that a route takes, as the document says. */
function bodyOf({ method, path }: OfRoute): z.output<typeof Named> {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  return operation?.requestBody?.content['application/json']?.schema ?? {};
}

const schemaOf = (named: z.output<typeof Named>) =>
  Schema.parse(named.$ref === undefined ? named : document.components.schemas[named.$ref.split('/').at(-1) ?? '']);

const fieldsOf = (route: OfRoute) => Object.keys(schemaOf(bodyOf(route)).properties);

/** Fills each object that the schema takes with names that it does not know, and each list with that many items. */
function filledOf(named: z.output<typeof Named>, rows: number, levels = 6): unknown {
  const { properties, items, maxItems, anyOf, oneOf, const: only, enum: some } = schemaOf(named);
  if (levels === 0) return undefined;
  const inner = (schema: z.output<typeof Named>) => filledOf(schema, rows, levels - 1);
  if (items !== undefined) return many(() => inner(items), Math.min(rows, maxItems));
  const filled = Object.entries(properties).map(([name, schema]) => [name, inner(schema)] as const);
  if (filled.length > 0) return { ...names(NAMES_IN_ROW), ...Object.fromEntries(filled) };
  return only ?? some[0] ?? [...anyOf, ...oneOf].map(inner).find((each) => typeof each === 'object');
}

const isUnknownName = ({ message }: { message: string }) => message.startsWith('is not a ');

const Refusal = z.object({ errors: z.array(z.object({ pointer: z.string(), message: z.string() })).default([]) });

const typeOf = (path: string) => (isConnectPage(path) ? 'application/x-www-form-urlencoded' : 'application/json');

async function answerTo(method: string, path: string, { body, query = '', headers = {} }: Shape) {
  const target = 'agencyId=acme&tenantId=t1';
  const answer = await fetch(`${api.url}${path}?${target}&${query}`, {
    method,
    headers: {
      ...credentialsFor(path),
      ...(body === undefined ? {} : { 'content-type': typeOf(path) }),
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
    for (const { method, path } of [...routes, ...passedOn, ...others]) {
      const fields = fieldsGivenTo({ method, path });
      const shape = shapeOf(fields, (rows) => filledOf(bodyOf({ method, path }), rows));
      if (shape.body !== undefined && method === 'GET') continue;
      const concrete = path
        .replace(':tenantId', 't1')
        .replace(':agencyId', 'acme')
        .replaceAll(/:\w+/g, acme.session.id);
      const { status, text } = await answerTo(method, concrete, shape);
      if (status < 400) continue;
      refused += 1;
      const { errors } = isConnectPage(path) ? { errors: [] } : Refusal.parse(JSON.parse(text));
      const named = errors.filter(isUnknownName).length;
      // There is no backend here to pass a request on to.
      const isAnswered = status < 500 || isPassedOn(path);
      const isBounded = text.length <= MAX_ANSWER_BYTES && errors.length <= MAX_ERRORS && isAnswered;
      if (!isBounded || named > MAX_NAMED) {
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

  it('looks for few of many unknown names, also where each of a thousand rows has some', () => {
    const row = { title: 'x', ...names(NAMES_IN_ROW) };
    const sections = many(() => ({ title: 'x', rows: many(() => row, 50) }), 20);
    const body = { to: '15550170001', message: { title: 'x', button: 'x', sections } };
    const given = { params: {}, query: { tennantId: '1' }, body };
    const fields: z.output<typeof Refusal>['errors'] = [];
    try {
      parseInput('tenant', { query: z.strictObject({}), body: SendList }, given);
    } catch (error) {
      fields.push(...z.object({ fields: Refusal.shape.errors }).parse(error).fields);
    }
    expect(fields.filter(isUnknownName)).toHaveLength(MAX_NAMED);
    expect(fields.at(0)).toEqual({
      pointer: '',
      message: `has unknown fields: the 19 named here and ${1_000 * NAMES_IN_ROW - 19} more`,
    });
  });

  it.each([
    ['names', names(257), 'must have at most 256 names in an object'],
    ['levels', { text: deep(64) }, 'must have at most 64 levels'],
    ['items', { attachments: many(() => 1, 2_001) }, 'must have at most 2000 items in a list'],
  ])('of too many %s comes before the schema', async (_, body, message) => {
    const { status, text } = await answerTo('POST', '/api/v1/messages/send', { body });
    expect([status, Refusal.parse(JSON.parse(text)).errors]).toEqual([422, [{ pointer: '', message }]]);
  });

  it('is tried on routes whose fields are known, on those of the backend, and on a page that is open', () => {
    expect(passedOn.length).toBeGreaterThan(50);
    expect([connectPage.status, connectPage.cookie !== '']).toEqual([200, true]);
    expect(routes.filter((route) => fieldsOf(route).length > 0).length).toBeGreaterThan(40);
  });

  it('names the first of many unknown parameters, and counts the others', async () => {
    const query = many((index) => `tennantId${index}=1`, 120).join('&');
    const { status, text } = await answerTo('GET', '/api/v1/inbox/chats', { query });
    const { errors } = Refusal.parse(JSON.parse(text));
    expect([status, errors.length]).toEqual([422, MAX_NAMED + 1]);
    expect(errors.at(0)).toEqual({
      pointer: 'query',
      message: 'has unknown parameters: the 20 named here and 100 more',
    });
  });
});
