import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { choicesOf, LISTS, requestOf, rowsOf } from '../../../../packages/n8n/engine/operations.ts';
import type { Field, Operation } from '../../../../packages/n8n/engine/operations.ts';
import { operationOf, RESOURCES } from '../../../../packages/n8n/engine/resources.ts';
import { createOpenApiDocument } from '../../../../api/openapi.ts';
import { routes } from '../../../../api/routes.ts';
import { EVENTS } from '../../../../packages/n8n/engine/events.ts';
import { EVENT_TYPES } from '../../../../domain/webhooks/event.ts';

const Schema = z.looseObject({
  $ref: z.string().optional(),
  properties: z.record(z.string(), z.looseObject({ enum: z.array(z.string()).optional() })).optional(),
  required: z.array(z.string()).optional(),
});
const Operated = z.looseObject({
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: Schema })) }).optional(),
});
const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), Operated)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
const document = Document.parse(JSON.parse(JSON.stringify(createOpenApiDocument(routes))));

function described({ method, path }: Operation) {
  const operated = document.paths[path]?.[method.toLowerCase()];
  if (!operated) throw new Error(`The document has no ${method} ${path}.`);
  const { schema } = operated.requestBody?.content['application/json'] ?? {};
  const name = schema?.$ref?.split('/').at(-1);
  const body = name === undefined ? schema : Schema.parse(document.components.schemas[name]);
  return { parameters: operated.parameters, body };
}

/** Something of the type that the field takes. */
function aValue({ type, options }: Field): unknown {
  if (options) return options[0];
  return type === 'number'
    ? 10
    : type === 'json'
      ? '{"a":1}'
      : type === 'dateTime'
        ? '2030-01-01T10:00:00Z'
        : 'some/text';
}

const attachment = Schema.parse(document.components.schemas['Attachment']);

const CASES = RESOURCES.flatMap(({ value, operations }) =>
  operations.map((operation) => ({ resource: value, does: operation.value, operation })),
);

describe("what n8n's node asks of the engine", () => {
  it.each(CASES)('is in the document: $resource $does', ({ operation }) => {
    const { parameters, body } = described(operation);
    for (const { name, in: place, options, required } of operation.fields) {
      const known = {
        path: parameters.map((each) => each.name),
        query: parameters.map((each) => each.name),
        body: Object.keys(body?.properties ?? {}),
        attachment: Object.keys(attachment.properties ?? {}),
        file: ['binary'],
      };
      expect(known[place]).toContain(name);
      const choices = (place === 'attachment' ? attachment : body)?.properties?.[name]?.enum;
      if (options && choices) expect([...choices].toSorted()).toEqual(options);
      if (required && place === 'path') expect(operation.path).toContain(`{${name}}`);
    }
    const given = operation.fields.filter((field) => field.required).map(({ name }) => name);
    expect(given).toEqual(expect.arrayContaining(body?.required ?? []));
    const takesKey = parameters.some(({ name }) => name === 'Idempotency-Key');
    expect(operation.keyed ?? false).toBe(takesKey);
  });

  it.each(CASES)('has each filled field in its place, and the tenant: $resource $does', ({ operation }) => {
    const values = Object.fromEntries(operation.fields.map((field) => [field.name, aValue(field)]));
    const request = requestOf(operation, values, 'shop');
    expect(request.path).not.toContain('{');
    const { body, query } = request;
    expect(operation.method === 'POST' ? body : query).toMatchObject({ tenantId: 'shop' });
    for (const field of operation.fields) {
      if (field.in === 'path') expect(request.path).toContain('some%2Ftext');
      else if (field.in === 'attachment') expect(body).toHaveProperty(`attachments.0.${field.name}`);
      else if (field.in === 'file') expect(body).toHaveProperty('attachments.0.fileId');
      else expect(field.in === 'query' ? query : body).toHaveProperty(field.name);
    }
    expect(Object.keys(operation.method === 'POST' ? query : body)).toEqual([]);
  });

  it('leaves out what nobody has filled in, and says what is missing', () => {
    const send = operationOf('message', 'send');
    const request = requestOf(send, { to: '+15550100020', text: 'Hello', session: '', sendAt: '' }, '');
    expect(request).toEqual({
      method: 'POST',
      path: '/api/v1/messages/send',
      query: {},
      body: { to: '+15550100020', text: 'Hello' },
      keyed: true,
    });
    expect(() => requestOf(send, { to: '+15550100020' }, undefined)).toThrow('Fill in "Text".');
    const run = { automation: 'a', conversationId: 'cnv_1', input: '{' };
    expect(() => requestOf(operationOf('automation', 'run'), run, '')).toThrow('"Input" is no JSON.');
    expect(() => operationOf('message', 'unsend')).toThrow('no operation');
  });

  it.each(['assign', 'release'])('says who acts and why, when it asks to %s a conversation', (does) => {
    const given = { conversationId: 'cnv_1', actor: 'ann', reason: 'solved' };
    expect(requestOf(operationOf('conversation', does), given, undefined)).toMatchObject({
      path: `/api/v1/conversations/cnv_1/${does}`,
      body: { actor: 'ann', reason: 'solved' },
    });
  });

  it('makes an item of each row of a list, and one of any other answer', () => {
    const list = operationOf('conversation', 'getAll');
    expect(rowsOf(list, { chats: [{ id: 'a' }, { id: 'b' }], hasMore: false })).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(rowsOf(operationOf('session', 'getAll'), [{ id: 'ses_1' }])).toEqual([{ id: 'ses_1' }]);
    expect(rowsOf(operationOf('message', 'send'), { messageId: 'msg_1' })).toEqual([{ messageId: 'msg_1' }]);
    expect(rowsOf(operationOf('memory', 'delete'), '')).toEqual([{ success: true }]);
  });
});

describe("the start of a workflow by n8n's node", () => {
  const start = operationOf('automation', 'start');

  it('offers the automations and workflows that the engine lists, by their titles', () => {
    const listed = start.fields.filter((field) => field.listed !== undefined);
    expect(listed).toMatchObject([{ name: 'automation', type: 'options', listed: 'workflows' }]);
    expect(document.paths[LISTS.workflows]).toHaveProperty('get');
    const welcome = { name: 'flow-1', title: 'Ask for the name', description: 'Asks once', version: 3 };
    expect(choicesOf({ definitions: [welcome, { name: 'no title' }] })).toEqual([
      { name: 'Ask for the name', value: 'flow-1', description: 'Asks once' },
    ]);
    expect(choicesOf(null)).toEqual([]);
  });

  it.each([
    [{ conversationId: 'cnv_1', to: '' }, { conversationId: 'cnv_1' }],
    [{ conversationId: '', to: '+15550100020' }, { to: '+15550100020' }],
  ])('names a conversation or a contact, and gives data: %j', (given, named) => {
    const values = { automation: 'flow-1', input: '{"boat":"a dinghy"}', session: '', ...given };
    const { body, path } = requestOf(start, values, undefined);
    expect(path).toBe('/api/v1/automation-executions');
    expect(body).toEqual({ automation: 'flow-1', input: { boat: 'a dinghy' }, ...named });
  });
});

describe("the events that n8n's triggers offer", () => {
  it('are events of the engine, each once', () => {
    const offered = EVENTS.map(([type]) => type);
    expect(EVENT_TYPES).toEqual(expect.arrayContaining(offered));
    expect(new Set(offered).size).toBe(offered.length);
  });
});
