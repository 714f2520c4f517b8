import { answersOf, contentTypes, pascal } from './document.ts';
import type { Call, Operation, Parameter, Schema } from './document.ts';
import { comment, TypeWriter } from './types.ts';

/** The parts of a resource's file of calls. */
export interface Method {
  text: string;
  /** The types that it speaks of: schemas of the document, and those that `types` declares. */
  names: Set<string>;
  /** Types of its own: its query, and an answer that has no name in the document. */
  types: { name: string; schema: Schema; isGiven: boolean }[];
  /** The imports from the runtime. */
  runtime: string[];
}

interface Input {
  /** The parameter of the method; empty where it takes none. */
  parameter: string;
  /** Before the call: takes apart what belongs into the query and into the body. */
  before: string;
  fields: string[];
  runtime?: string[];
}

/** Writes the method of an operation. Its name is the verb of the operationId. */
export function methodOf(call: Call): Method {
  const { operation, method, path } = call;
  const [, verb = ''] = operation.operationId.split('.');
  const own: Method['types'] = [];
  const writer = new TypeWriter({ isGiven: true });
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const input = inputOf(operation, own, writer);
  const answer = answerOf(operation, own, writer);
  const options = waits(operation) ? 'WaitOptions' : 'CallOptions';
  const parameters = [
    ...ids.map((id) => `${id}: string`),
    ...(input.parameter === '' ? [] : [input.parameter]),
    `options?: ${options}`,
  ];
  const fields = [
    `method: '${method}'`,
    `path: ${ids.length === 0 ? `'${path}'` : `path\`${path.replaceAll('{', '${')}\``}`,
    ...input.fields,
    ...flagsOf(call),
  ];
  const words = operation.deprecated ? `${operation.summary}. @deprecated` : operation.summary;
  const text = `${comment(words)}${verb}(${parameters.join(', ')}): ${answer.type} {
    ${input.before}return this.caller.${answer.how}({ ${fields.join(', ')} }, ${answer.selector}options);
  }`;
  return {
    text,
    names: writer.names,
    types: own,
    runtime: [options, ...(ids.length === 0 ? [] : ['path']), ...(input.runtime ?? []), ...answer.runtime],
  };
}

const queryOf = ({ parameters = [] }: Operation): Parameter[] =>
  parameters.filter((parameter) => parameter.in === 'query');

const takesHeader = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((parameter) => parameter.in === 'header' && parameter.name === name);

const waits = (operation: Operation): boolean => takesHeader(operation, 'Prefer');

/** The same file has the same place, so it may be uploaded again. */
const takesFile = ({ requestBody }: Operation): boolean =>
  requestBody?.content['application/octet-stream'] !== undefined;

function inputOf(operation: Operation, own: Method['types'], writer: TypeWriter): Input {
  const query = queryOf(operation);
  const body = operation.requestBody?.content['application/json']?.schema;
  const name = pascal(operation.operationId);
  if (query.length > 0) own.push({ name: `${name}Query`, schema: querySchema(query), isGiven: true });
  if (query.length > 0) writer.names.add(`${name}Query`);
  if (takesFile(operation)) {
    const asked = query.length === 0 ? [] : [parameter('query', `${name}Query`, isOptional(querySchema(query)))];
    return {
      parameter: ['file: GivenFile', ...asked].join(', '),
      before: '',
      fields: ['file', ...(query.length === 0 ? [] : ['query'])],
      runtime: ['type GivenFile'],
    };
  }
  if (body === undefined) {
    if (query.length === 0) return { parameter: '', before: '', fields: [] };
    return {
      parameter: parameter('query', `${name}Query`, isOptional(querySchema(query))),
      before: '',
      fields: ['query'],
    };
  }
  const type = named(body, `${name}Body`, { own, writer, isGiven: true });
  const isFree = bodyIsFree(body);
  if (query.length === 0) return { parameter: parameter('body', type, isFree), before: '', fields: ['body'] };
  const names = query.map((each) => each.name);
  return {
    parameter: parameter('input', `${type} & ${name}Query`, isFree && isOptional(querySchema(query))),
    before: `const { ${names.join(', ')}, ...body } = input;\n`,
    fields: [`query: { ${names.join(', ')} }`, 'body'],
  };
}

/** Set while a document is read: whether a named body requires anything. */
let schemas: Record<string, Schema> = {};
export function knowSchemas(known: Record<string, Schema>): void {
  schemas = known;
}

function bodyIsFree(body: Schema): boolean {
  const schema = body.$ref === undefined ? body : (schemas[body.$ref.slice(body.$ref.lastIndexOf('/') + 1)] ?? body);
  return schema.type === 'object' && isOptional(schema);
}

const isOptional = ({ required = [] }: Schema): boolean => required.length === 0;

const parameter = (name: string, type: string, isFree: boolean): string =>
  isFree ? `${name}: ${type} = {}` : `${name}: ${type}`;

/** A caller gives a boolean for a parameter that an address writes as `true` or `false`. */
function querySchema(query: readonly Parameter[]): Schema {
  const properties = query.map(({ name, schema }): [string, Schema] => {
    const isBoolean = schema.enum?.length === 2 && schema.enum.includes('true') && schema.enum.includes('false');
    if (!isBoolean) return [name, schema];
    return [
      name,
      { type: 'boolean', ...(schema.description === undefined ? {} : { description: schema.description }) },
    ];
  });
  const required = query.filter((each) => each.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

interface Naming {
  own: Method['types'];
  writer: TypeWriter;
  isGiven: boolean;
}

/** The type of a schema: its name, or one that it is given here. */
function named(schema: Schema, name: string, { own, writer, isGiven }: Naming): string {
  if (schema.$ref !== undefined || (schema.type === 'array' && schema.items?.$ref !== undefined))
    return writer.type(schema);
  own.push({ name, schema, isGiven });
  writer.names.add(name);
  return name;
}

interface Answer {
  type: string;
  how: 'call' | 'list' | 'file' | 'silent';
  /** Selects a list's rows in its page. */
  selector: string;
  runtime: string[];
}

function answerOf(operation: Operation, own: Method['types'], writer: TypeWriter): Answer {
  const types = contentTypes(operation);
  if (types.length === 0) return { type: 'Promise<void>', how: 'silent', selector: '', runtime: [] };
  if (types.some((type) => type !== 'application/json')) {
    return { type: 'Promise<Response>', how: 'file', selector: '', runtime: [] };
  }
  const schema = answersOf(operation)[0]?.content?.['application/json']?.schema ?? {};
  const type = named(schema, `${pascal(operation.operationId)}Answer`, { own, writer, isGiven: false });
  const paging = operation['x-pagination'];
  if (!paging) return { type: `Promise<${type}>`, how: 'call', selector: '', runtime: [] };
  const row = paging.items === null ? schema.items : schema.properties?.[paging.items]?.items;
  const rows =
    row?.$ref === undefined
      ? `${type}[${paging.items === null ? 'number' : `'${paging.items}'][number`}]`
      : writer.type(row);
  const find = paging.items === null ? '(page) => page' : `(page) => page.${paging.items}`;
  return { type: `Listed<${type}, ${rows}>`, how: 'list', selector: `${find}, `, runtime: ['type Listed'] };
}

/** Returns the facts that the runtime needs beyond the address. */
function flagsOf({ operation, method }: Call): string[] {
  const body = operation.requestBody?.content['application/json']?.schema;
  const inBody = body?.$ref === undefined ? body : schemas[body.$ref.slice(body.$ref.lastIndexOf('/') + 1)];
  const accepted = new Set([
    ...Object.keys(inBody?.properties ?? {}),
    ...(body ? [] : queryOf(operation).map(({ name }) => name)),
  ]);
  const [, verb = ''] = operation.operationId.split('.');
  const isKeyed = takesHeader(operation, 'Idempotency-Key');
  const isRepeatable = ['GET', 'PUT', 'DELETE'].includes(method) || verb === 'read' || isKeyed || takesFile(operation);
  return [
    ...(accepted.has('tenantId') ? ["takes: 'tenant'"] : accepted.has('agencyId') ? ["takes: 'agency'"] : []),
    ...(isKeyed ? ['keyed: true'] : []),
    ...(isRepeatable ? [] : ['once: true']),
    ...(operation.security?.some((scheme) => 'psk' in scheme) ? ['psk: true'] : []),
  ];
}
