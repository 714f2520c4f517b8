import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { configureFlow, FLOW_BOUNDS, FLOW_FUNCTIONS, paramsSchema, parseFlow } from '../../../domain/flows/index.ts';
import { HEAD, problemsOf, problemsOfTasks, validFlow } from './walk.ts';

/** Parts that a definition must not have: each is refused at its place, in a sentence. */
const say = { call: 'send', with: { text: 'Hello' } };
const tasks = (count: number) => Array.from({ length: count }, (_, place) => ({ [`t${place}`]: say }));
const http = (more: Readonly<Record<string, unknown>>) => [
  { a: { call: 'http', with: { method: 'GET', endpoint: 'https://shop.example.com/', ...more } } },
];

describe('the profile refuses', () => {
  it.each([
    ['/do/0/a/run', [{ a: { run: { script: {} } } }], /no `run`/],
    ['/do/0/a/fork', [{ a: { fork: { branches: [] } } }], /no `fork`/],
    ['/do/0/a/emit', [{ a: { emit: { event: {} } } }], /no `emit`/],
    ['/do/0/a/call', [{ a: { call: 'grpc', with: {} } }], /no gRPC/],
    ['/do/0/a/call', [{ a: { call: 'openapi', with: {} } }], /no OpenAPI/],
    ['/do/0/a/call', [{ a: { call: 'asyncapi', with: {} } }], /no AsyncAPI/],
    ['/do/0/a/call', [{ a: { call: 'log@catalog', with: {} } }], /no functions from catalogs/],
    ['/do/0/a/call', [{ a: { call: 'reply', with: {} } }], /No function reply exists\. There are send, /],
    ['/do/1/b/then', [{ a: say }, { b: { ...say, then: 'a' } }], /no later task/],
    ['/do/0/a/then', [{ a: { ...say, then: 'a' } }], /no later task/],
    ['/do/0/a/then', [{ a: { ...say, then: 'nowhere' } }], /has no task nowhere/],
    ['/do/0/a/switch/0/x/then', [{ a: { switch: [{ x: { then: 'a' } }] } }], /no later task/],
    ['/do/0/a', [{ a: {} }], /^A task has one of `set`/],
    ['/do/0', [{ a: say, b: say }], /one key/],
    ['/do/1/a', [{ a: say }, { a: say }], /another task a/],
    ['/do/0/end', [{ end: say }], /name of a task/],
    ['/do/0/a/colour', [{ a: { ...say, colour: 'red' } }], /`colour` does not exist/],
    ['/do/0/a/timeout', [{ a: { ...say, timeout: { after: 'PT1S' } } }], /Only `listen` has a `timeout`/],
    [
      '/do/0/a/listen/foreach',
      [{ a: { listen: { to: { one: { with: { type: 'message' } } }, foreach: {} } } }],
      /no `foreach`/,
    ],
    [
      '/do/0/a/with/colour',
      [{ a: { call: 'send', with: { text: '${ "a" }', colour: 'red' } } }],
      /`colour` does not exist/,
    ],
    ['/do/0/a/with/text', [{ a: { call: 'send', with: {} } }], /./],
    ['/do/0/a/wait', [{ a: { wait: 'P3650D' } }], /at most 90 days/],
    ['/do/0/a/wait', [{ a: { wait: 'soon' } }], /must be a duration/],
    ['/do/0/a/with/within', [{ a: { call: 'ask', with: { text: 'x', within: { days: 3_650 } } } }], /at most 90 days/],
    ['/do/0/a/for', [{ a: { for: { each: 'input', in: '${ [1] }' }, do: [{ b: say }] } }], /exists already/],
  ])('at %s', (pointer, given, message) => {
    expect(problemsOfTasks(given)).toContainEqual({ pointer, message: expect.stringMatching(message) });
  });

  it.each([
    ['/timeout', { timeout: { after: 'P1D' } }, /bounds each wait/],
    ['/output', { output: { as: {} } }, /no output/],
    ['/use/extensions', { use: { extensions: [] } }, /no extensions/],
    ['/use/catalogs', { use: { catalogs: {} } }, /no catalogs/],
    ['/use/functions', { use: { functions: {} } }, /no functions of its own/],
    ['/schedule/after', { schedule: { after: 'P1D' } }, /no `after`/],
    ['/schedule/every', { schedule: { every: 'PT5M' } }, /one day or seven days/],
    ['/schedule', { schedule: { every: 'P1D', cron: '0 9 * * *' } }, /one of `on`, `cron` and `every`/],
    ['/schedule/cron', { schedule: { cron: '*/5 * * * *' } }, /time of day/],
    ['/schedule/on/any', { schedule: { on: { any: [] } } }, /one trigger/],
    [
      '/schedule/on/one/with/type',
      { schedule: { on: { one: { with: { type: 'com.example.fired' } } } } },
      /No event of this type/,
    ],
    [
      '/schedule/on/one/with/colour',
      { schedule: { on: { one: { with: { type: 'message', colour: 'red' } } } } },
      /no such filter/,
    ],
    [
      '/schedule/on/one/with/label',
      { schedule: { on: { one: { with: { type: 'message', label: '${ params.none }' } } } } },
      /must exist/,
    ],
    ['/evaluate', { evaluate: undefined }, /default of the standard is jq/],
    ['/evaluate/language', { evaluate: { language: 'jq' } }, /must be `cel`/],
    [
      '/input/schema/resource',
      { input: { schema: { resource: {}, document: { type: 'object', properties: {} } } } },
      /no remote/,
    ],
    ['/document/dsl', { document: { ...HEAD.document, dsl: '0.8' } }, /version 1\.0/],
    [
      '/document/metadata/audience',
      { document: { ...HEAD.document, metadata: { audience: { label: 'VIP' } } } },
      /Only a workflow with/,
    ],
  ])('at %s', (pointer, more, message) => {
    expect(problemsOfTasks([{ a: say }], more)).toContainEqual({ pointer, message: expect.stringMatching(message) });
  });

  it.each([
    ['/do/0/a/with/endpoint', { endpoint: 'https://${ contact.name }/' }, /no expressions/],
    ['/do/0/a/with/endpoint', { endpoint: 'https://{host}/x' }, /host of the address is fixed/],
    ['/do/0/a/with/endpoint', { endpoint: 'https://me@shop.example.com/' }, /names no user/],
    ['/do/0/a/with/endpoint', { endpoint: 'file:///etc/passwd' }, /https address/],
    ['/do/0/a/with/endpoint', { endpoint: ' https://{host}/x' }, /host of the address is fixed/],
    ['/do/0/a/with/endpoint', { endpoint: 'https:{host}/x' }, /host of the address is fixed/],
    ['/do/0/a/with/endpoint', { endpoint: 'https:\\{host}/x' }, /host of the address is fixed/],
    ['/do/0/a/with/endpoint', { endpoint: 'https://shop.example\t{host}/x' }, /host of the address is fixed/],
    ['/do/0/a/with/headers/Idempotency-Key', { headers: { 'Idempotency-Key': '1' } }, /header that the engine sets/],
    ['/do/0/a/with/headers/x-name', { headers: { 'x-name': 'Zo\u00eb \u{1f600}' } }, /Latin letters/],
    ['/do/0/a/with/redirect', { redirect: true }, /follows no redirects/],
    ['/do/0/a/with/headers/Authorization', { headers: { Authorization: 'x' } }, /secret belongs into/],
    [
      '/do/0/a/with/endpoint/authentication/bearer/use',
      secret({ bearer: { use: 'token' } }),
      /not listed in `use\.secrets`/,
    ],
    ['/do/0/a/with/endpoint/authentication/digest', secret({ digest: { use: 'token' } }), /`bearer` and `basic`/],
  ])('in an HTTP call at %s', (pointer, more, message) => {
    expect(problemsOfTasks(http(more))).toContainEqual({ pointer, message: expect.stringMatching(message) });
  });

  it('says everything at once', () => {
    const given = [{ a: { run: {} } }, { b: { call: 'none' } }, { c: { wait: 'P100D' } }];
    expect(problemsOfTasks(given, { timeout: {} }).map(({ pointer }) => pointer)).toEqual([
      '/timeout',
      '/do/0/a/run',
      '/do/1/b/call',
      '/do/2/c/wait',
    ]);
  });
});

function secret(authentication: unknown) {
  return { endpoint: { uri: 'https://shop.example.com/', authentication } };
}

describe('an expression is refused', () => {
  const expression = (text: string) => problemsOfTasks([{ a: { set: { x: text } } }]);

  it.each([
    ['${ input. }', /cannot be read/],
    ['${ missing.name }', /Unknown variable: missing/],
    ['${ nothing(1) }', /not valid|cannot be read/],
    ['${ 1 + "a" }', /not valid/],
    ['${ contact.name.matches("(a+)+$") }', /`matches` is not available/],
    ['${ $secrets.token }', /Secrets do not exist in expressions/],
    ['${ secrets.token }', /Unknown variable: secrets/],
    ['${ "open', /has no `}`/],
    ['${ }', /is empty/],
    [`\${ ${'1 + '.repeat(600)}1 }`, /characters|cannot be read/],
    [`\${ ${'('.repeat(200)}1${')'.repeat(200)} }`, /cannot be read/],
  ])('%s', (text, message) => {
    expect(expression(text)).toContainEqual({ pointer: '/do/0/a/set/x', message: expect.stringMatching(message) });
  });

  it('outside the list in which its variable exists', () => {
    const loop = { for: { each: 'pet', in: '${ [1] }' }, do: [{ b: { set: { x: '${ pet }' } } }] };
    expect(problemsOfTasks([{ loop }])).toEqual([]);
    expect(problemsOfTasks([{ loop }, { after: { set: { x: '${ pet }' } } }])).toEqual([
      { pointer: '/do/1/after/set/x', message: expect.stringMatching(/Unknown variable: pet/) },
    ]);
  });
});

describe('a definition is refused beyond its bounds', () => {
  it('of size', () => {
    const text = JSON.stringify({ ...HEAD, do: [{ a: { set: { x: 'x'.repeat(FLOW_BOUNDS.sourceBytes) } } }] });
    expect(problemsOf(text)).toEqual([
      { pointer: '', message: expect.stringMatching(/bytes, and JSON may have 1048576/) },
    ]);
    expect(problemsOf(`a: ${'x'.repeat(FLOW_BOUNDS.yamlBytes)}`, 'yaml')).toEqual([
      { pointer: '', message: expect.stringMatching(/bytes, and YAML may have/) },
    ]);
  });

  it('of tasks', () => {
    expect(problemsOfTasks(tasks(FLOW_BOUNDS.tasks))).toEqual([]);
    expect(problemsOfTasks(tasks(10_000))).toEqual([
      { pointer: '/do', message: expect.stringMatching(/may have 1000 tasks/) },
    ]);
  });

  it('of tasks, with little CPU', () => {
    const cases = Array.from({ length: 50 }, (_, n) => ({ [`c${n}`]: { when: 'true', then: 'zz' } }));
    const many = [
      ...Array.from({ length: 500 }, (_, n) => ({ [`s${n}`]: { switch: cases } })),
      ...Array.from({ length: 60_000 }, () => ({ a: 1 })),
    ];
    const since = process.cpuUsage();
    expect(problemsOf({ ...HEAD, do: many })).toEqual([
      { pointer: '/do', message: expect.stringMatching(/may have 1000 tasks/) },
    ]);
    // Comparing each case with each task would take many times as long.
    expect(process.cpuUsage(since).user / 1_000).toBeLessThan(3_000);
  });

  it('of expressions', () => {
    const long = `\${ ${'1 + '.repeat(240)}1 }`;
    const given = tasks(200).map((_, place) => ({ [`t${place}`]: { set: { x: long } } }));
    expect(problemsOfTasks(given)).toEqual([
      { pointer: expect.any(String), message: expect.stringMatching(/131072 characters in all/) },
    ]);
    expect(problemsOfTasks(given.slice(0, 100))).toEqual([]);
  });

  it('of depth, however deep the text is', () => {
    const nested = (depth: number): unknown[] => (depth === 0 ? [{ a: say }] : [{ a: { do: nested(depth - 1) } }]);
    expect(problemsOfTasks(nested(FLOW_BOUNDS.depth - 1))).toEqual([]);
    expect(problemsOfTasks(nested(FLOW_BOUNDS.depth))).toEqual([
      { pointer: expect.any(String), message: expect.stringMatching(/20 levels/) },
    ]);
    expect(problemsOf('['.repeat(100_000) + ']'.repeat(100_000))).toEqual([
      { pointer: '', message: expect.any(String) },
    ]);
    expect(problemsOf('{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000))).toEqual([
      { pointer: '', message: expect.any(String) },
    ]);
  });

  it('of aliases', () => {
    const lol = ['a: &a [x, x, x, x, x, x, x, x, x]'];
    for (const [before, name] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg'].map((pair) => pair.split('')))
      lol.push(`${name ?? ''}: &${name ?? ''} [${Array.from({ length: 9 }, () => `*${before ?? ''}`).join(', ')}]`);
    expect(problemsOf(lol.join('\n'), 'yaml')).toEqual([{ pointer: '', message: expect.stringMatching(/aliases/) }]);
  });

  it.each([
    ['no JSON', '{"document":', 'json'],
    ['no YAML', 'a: [1', 'yaml'],
    ['twice the same key', 'a: 1\na: 2', 'yaml'],
    ['no object', '[]', 'json'],
    ['nothing', '', 'yaml'],
    ['a tag', 'a: !!js/function x', 'yaml'],
  ] as const)('%s', (_, text, form) => {
    expect(problemsOf(text, form).length).toBeGreaterThan(0);
  });

  it('keys of JavaScript name nothing', () => {
    const text = `{"__proto__": {"do": []}, ${JSON.stringify({ ...HEAD, do: [{ a: say }] }).slice(1)}`;
    expect(problemsOf(text)).toEqual([{ pointer: '/__proto__', message: expect.any(String) }]);
    expect(problemsOfTasks([{ constructor: { call: 'toString', with: {} } }])).toEqual([
      { pointer: '/do/0/constructor/call', message: expect.stringMatching(/No function toString exists/) },
    ]);
  });

  it('whatever it is, parsing answers', () => {
    for (const given of [null, 1, 'x', [], {}, { do: null }, { document: [] }, undefined, () => 1, new Date()])
      expect(problemsOf(given).length).toBeGreaterThan(0);
  });
});

describe('the parameters of a tenant', () => {
  const input = {
    schema: {
      document: {
        type: 'object',
        required: ['endpoint'],
        properties: {
          hours: { type: 'integer', default: 24, minimum: 1, maximum: 168, description: 'Hours to wait.' },
          words: { type: 'array', items: { type: 'string' }, default: ['menu'] },
          endpoint: { type: 'string', format: 'endpoint' },
        },
      },
    },
  };
  const schedule = { on: { one: { with: { type: 'message', text: { is: 'equal', words: '${ params.words }' } } } } };
  const flow = validFlow({ ...HEAD, input, schedule, do: [{ a: say }] });
  const endpoint = 'whe_019a8f2f-0c00-7096-9f51-8dae2f405172';

  it('have defaults, and make the trigger', () => {
    expect(configureFlow(flow, { endpoint, words: ['hi'] })).toEqual({
      params: { hours: 24, words: ['hi'], endpoint },
      trigger: { event: 'message', text: { is: 'equal', words: ['hi'] } },
    });
  });

  it.each([
    [{ endpoint, hours: 0 }, '/params/hours'],
    [{ endpoint, colour: 'red' }, '/params/colour'],
    [{}, '/params/endpoint'],
    [{ endpoint: 'https://x' }, '/params/endpoint'],
    [{ endpoint, words: [''] }, '/params'],
  ])('are refused: %j', (params, pointer) => {
    expect(configureFlow(flow, params)).toEqual({ wrong: [{ pointer, message: expect.any(String) }] });
  });

  it('have a schema for forms', () => {
    expect(Object.keys(paramsSchema(flow).shape)).toEqual(['hours', 'words', 'endpoint']);
  });

  it('are refused if they are too long in all', () => {
    const long = {
      type: 'string',
      description: 'x'.repeat(500),
      enum: Array.from({ length: 10 }, () => 'y'.repeat(200)),
    };
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, place) => [`p${place}`, long]));
    const given = { input: { schema: { document: { type: 'object', properties } } } };
    expect(problemsOfTasks([{ a: say }], given)).toContainEqual({
      pointer: '/input/schema/document',
      message: expect.stringMatching(/may have 32768 characters/),
    });
  });

  it('are refused in the definition if a default does not fit', () => {
    const wrong = { schema: { document: { type: 'object', properties: { n: { type: 'integer', default: 'x' } } } } };
    expect(problemsOfTasks([{ a: say }], { input: wrong })).toEqual([
      { pointer: '/input/schema/document/properties/n/default', message: expect.stringMatching(/does not fit/) },
    ]);
  });
});

/** Functions of the automations' context that workflows replace. */
const WITHOUT = new Map([
  ['sendTemplate', 'the text of `send` has expressions'],
  ['sleep', 'the task `wait`'],
  ['now', 'the variable `now`'],
  ['askWebhook', '`http`, whose response is the output'],
  ['askAi', 'the agent reads conversations by itself'],
]);

describe('the functions', () => {
  it('have a title and a sentence each', () => {
    for (const { title, doc } of Object.values(FLOW_FUNCTIONS)) {
      expect(title).toMatch(/^[A-Z]/);
      expect(doc).toMatch(/\.$/);
    }
  });

  it("have the names of the automations' context, or the language does without them", () => {
    const context = readFileSync(new URL('../../../workflows/automations/context.ts', import.meta.url), 'utf8');
    const methods = [...context.matchAll(/^  (\w+)(?:<.*>)?\(/gm)].map(([, name = '']) => name);
    expect(methods.length).toBeGreaterThan(10);
    expect([...new Set(methods.filter((name) => !(name in FLOW_FUNCTIONS)))].toSorted()).toEqual(
      [...WITHOUT.keys()].toSorted(),
    );
  });

  it('read the same definition as YAML and as JSON', () => {
    const yaml = `
document: { dsl: 1.0.0, namespace: test, name: a-workflow, version: 1.0.0 }
evaluate: { language: cel }
do:
  - a: { call: send, with: &hello { text: Hello } }
  - b: { call: send, with: *hello }
`;
    const json = JSON.stringify({ ...HEAD, do: [{ a: say }, { b: say }] });
    expect(parseFlow(yaml, 'yaml')).toEqual(parseFlow(json, 'json'));
  });
});
