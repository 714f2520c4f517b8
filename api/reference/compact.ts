import { isNode, nodeOf, operationsIn } from './node.ts';
import type { Node } from './node.ts';
import { extendSchemas } from './extend-schemas.ts';
import { shareSchemas } from './share-schemas.ts';

/** The answers to refused requests, once for all operations. */
const REFUSALS = {
  '4XX': { name: 'Refused', description: 'The request is refused. `code` gives the reason.' },
  '5XX': { name: 'Failed', description: 'The engine cannot answer now. `code` gives the reason.' },
} as const;

/**
 * Makes the document that programs read: `openapi.json`. It has no examples, and refers to what several operations
 * share. The document for people has the examples and each status (`api/whole-document.ts`).
 */
export function compact(whole: unknown): Node {
  const document = nodeOf(JSON.parse(JSON.stringify(whole)));
  dropExamples(document);
  dropBounds(document);
  shortenDescriptions(document);
  const components = nodeOf(document['components']);
  delete components['examples'];
  const operations = operationsIn(document, 'paths');
  const general = generalCodes(operations);
  components['responses'] = refusals(components['responses'], general);
  for (const operation of operations) {
    operation['x-error-codes'] = codesOf(operation).filter((code) => !general.includes(code));
    joinRefusals(operation);
    dropRateHeaders(operation);
  }
  components['parameters'] = shareParameters([...operations, ...operationsIn(document, 'webhooks')]);
  components['headers'] = shareHeaders(operations);
  const receipts = shareResponses(operationsIn(document, 'webhooks'));
  Object.assign(nodeOf(components['responses']), receipts);
  shareSchemas(document);
  extendSchemas(document);
  return document;
}

/** Writes one path and one component a line, so that a change shows as the lines that it touches. */
export function writeCompact(document: Node): string {
  return `${lines(document, 3)}\n`;
}

function lines(value: unknown, depth: number): string {
  if (depth === 0 || !isNode(value) || Object.keys(value).length === 0) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}:${lines(inner, depth - 1)}`);
  return `{\n${entries.join(',\n')}\n}`;
}

/** A property may be called "example"; elsewhere these two hold data. Parameters keep theirs, which tools send. */
function dropExamples(node: unknown, isParameter = false): void {
  if (Array.isArray(node)) for (const item of node) dropExamples(item, isNode(item) && typeof item['in'] === 'string');
  if (!isNode(node)) return;
  if (!isParameter) {
    delete node['example'];
    delete node['examples'];
  }
  for (const [name, inner] of Object.entries(node)) {
    if (name === 'properties') for (const property of Object.values(nodeOf(inner))) dropExamples(property);
    else dropExamples(inner, isParameter);
  }
}

/** Keeps the first paragraph; the document for people also explains each word of a list. */
function shortenDescriptions(document: Node): void {
  const { info: _, ...rest } = document;
  visit(Object.values(rest), (node) => {
    const { description } = node;
    if (typeof description === 'string') node['description'] = description.split('\n\n')[0];
  });
}

function visit(node: unknown, each: (node: Node) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, each);
  if (!isNode(node)) return;
  each(node);
  for (const inner of Object.values(node)) visit(inner, each);
}

/** Every number of JavaScript has these bounds, so they say nothing. */
function dropBounds(document: Node): void {
  visit(document, (node) => {
    if (node['minimum'] === Number.MIN_SAFE_INTEGER) delete node['minimum'];
    if (node['maximum'] === Number.MAX_SAFE_INTEGER) delete node['maximum'];
  });
}

/** The codes that most operations have: those of keys, bodies and rates. */
function generalCodes(operations: readonly Node[]): string[] {
  const counts = Map.groupBy(operations.flatMap(codesOf), (code) => code);
  return [...counts].filter(([, uses]) => uses.length > operations.length / 2).map(([code]) => code);
}

function codesOf(operation: Node): string[] {
  const codes = operation['x-error-codes'];
  return Array.isArray(codes) ? codes.map(String) : [];
}

/** The introduction describes them, because almost every answer has them. */
function dropRateHeaders(operation: Node): void {
  for (const response of Object.values(nodeOf(operation['responses'])).map(nodeOf)) {
    const { RateLimit: _, 'RateLimit-Policy': __, ...headers } = nodeOf(response['headers']);
    if (Object.keys(headers).length > 0) response['headers'] = headers;
    else delete response['headers'];
  }
}

/** Any refusal may say when to retry, as one of its codes does. */
function refusals(problems: unknown, general: readonly string[]): Node {
  const answers = Object.values(nodeOf(problems)).map(nodeOf);
  const headers = Object.assign({}, ...answers.map((answer) => nodeOf(answer['headers'])));
  const schema = { $ref: '#/components/schemas/Problem' };
  return Object.fromEntries(
    Object.values(REFUSALS).map(({ name, description }) => [
      name,
      { description, headers, content: { 'application/problem+json': { schema } }, 'x-error-codes': general },
    ]),
  );
}

function joinRefusals(operation: Node): void {
  const responses = Object.entries(nodeOf(operation['responses']));
  const good = responses.filter(([status]) => !/^[45]/.test(status));
  const refused = Object.entries(REFUSALS)
    .filter(([range]) => responses.some(([status]) => status.startsWith(range.charAt(0))))
    .map(([range, { name }]) => [range, { $ref: `#/components/responses/${name}` }]);
  operation['responses'] = Object.fromEntries([...good, ...refused]);
}

function shareParameters(operations: readonly Node[]): Node {
  const holders = operations.flatMap((operation) => (Array.isArray(operation['parameters']) ? [operation] : []));
  const parameters = holders.flatMap(({ parameters: list }) => (Array.isArray(list) ? list.map(nodeOf) : []));
  for (const parameter of parameters) dropRepeatedDescription(parameter);
  const shared = share('parameters', parameters, ({ name }) => String(name));
  for (const holder of holders) {
    const { parameters: list } = holder;
    if (Array.isArray(list)) holder['parameters'] = list.map((each) => shared.refer(nodeOf(each)));
  }
  return shared.components;
}

/** A parameter has the description of its schema already. */
function dropRepeatedDescription(parameter: Node): void {
  const schema = nodeOf(parameter['schema']);
  if (schema['description'] === parameter['description']) delete schema['description'];
}

function shareHeaders(operations: readonly Node[]): Node {
  const responses = operations.flatMap(({ responses: answers }) => Object.values(nodeOf(answers)).map(nodeOf));
  const holders = responses.flatMap(({ headers }) => (isNode(headers) ? [headers] : []));
  const entries = holders.flatMap((headers) => Object.entries(headers));
  const nameOf = (header: Node): string => entries.find(([, each]) => each === header)?.[0] ?? '';
  const shared = share(
    'headers',
    entries.map(([, header]) => nodeOf(header)),
    nameOf,
  );
  for (const headers of holders) {
    for (const [name, header] of Object.entries(headers)) headers[name] = shared.refer(nodeOf(header));
  }
  return shared.components;
}

/** The answers of receivers of events. */
function shareResponses(operations: readonly Node[]): Node {
  const holders = operations.map(({ responses }) => nodeOf(responses));
  const entries = holders.flatMap((responses) => Object.entries(responses));
  const nameOf = (response: Node): string => `Event${entries.find(([, each]) => each === response)?.[0] ?? ''}`;
  const shared = share(
    'responses',
    entries.map(([, response]) => nodeOf(response)),
    nameOf,
  );
  for (const responses of holders) {
    for (const [status, response] of Object.entries(responses)) responses[status] = shared.refer(nodeOf(response));
  }
  return shared.components;
}

/** Names the things that occur more than once; the most used of one name has it without a number. */
function share(kind: string, things: readonly Node[], nameOf: (thing: Node) => string) {
  const groups = [...Map.groupBy(things, (thing) => JSON.stringify(thing))].filter(([, same]) => same.length > 1);
  const names = new Map<string, string>();
  const components: Node = {};
  for (const [text, same] of groups.toSorted(([, a], [, b]) => b.length - a.length)) {
    const [thing = {}] = same;
    const plain = nameOf(thing);
    const taken = Object.keys(components).filter((name) => name.replace(/-\d+$/, '') === plain).length;
    const name = taken === 0 ? plain : `${plain}-${taken + 1}`;
    names.set(text, name);
    components[name] = thing;
  }
  const refer = (thing: Node): Node => {
    const name = names.get(JSON.stringify(thing));
    return name === undefined ? thing : { $ref: `#/components/${kind}/${name}` };
  };
  return { components, refer };
}
