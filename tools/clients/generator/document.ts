import { createOpenApiDocument } from '../../../api/openapi.ts';
import { routes } from '../../../api/routes.ts';

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: (string | number | null)[];
  const?: string | number | boolean | null;
}

export interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

export interface Content {
  schema: Schema;
  'x-frames'?: Record<string, Schema>;
}

interface Pagination {
  style: 'cursor' | 'offset' | 'none';
  items: string | null;
  nextHeader?: string;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  deprecated?: boolean;
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
  'x-pagination'?: Pagination;
}

export interface OpenApi {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
}

export interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** Takes the whole document: in `openapi.json`, fields of one type share a schema with a name of its own. */
export function readDocument(): OpenApi {
  return JSON.parse(JSON.stringify(createOpenApiDocument(routes)));
}

/**
 * The operations that become methods. The messaging backend's own route is no call of a client, and a stream of events
 * is read by hand (`packages/typescript/src/events.ts`).
 */
export function callsOf(document: OpenApi): Call[] {
  return Object.entries(document.paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
    )
    .filter(({ operation }) => !operation.security?.some((scheme) => 'backendSignature' in scheme))
    .filter(({ operation }) => !contentTypes(operation).includes('text/event-stream'));
}

/** The good answers. */
export const answersOf = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([, answer]) => answer);

export const contentTypes = (operation: Operation): string[] => [
  ...new Set(answersOf(operation).flatMap(({ content = {} }) => Object.keys(content))),
];

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** `conversations.listMessages` → `ConversationsListMessages`. */
export const pascal = (text: string): string =>
  text.replaceAll(/(?:^|[.\-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
