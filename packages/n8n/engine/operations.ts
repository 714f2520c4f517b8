/** One setting of an operation, as n8n shows it, and where the request has it. */
export interface Field {
  name: string;
  displayName: string;
  description: string;
  /** `attachment` is a field of the only attachment, and `file` names the file that is uploaded for it. */
  in: 'path' | 'body' | 'query' | 'attachment' | 'file';
  type: 'string' | 'number' | 'boolean' | 'json' | 'dateTime' | 'options';
  options?: readonly string[];
  /** The choices of an `options` field that the node reads from the engine. */
  listed?: 'workflows';
  required?: true;
}

export interface Operation {
  value: string;
  name: string;
  action: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the address of the engine, with its parameters as the API's document writes them. */
  path: string;
  /** The engine knows a repeated request by its Idempotency-Key, or does the same thing once anyway. */
  keyed?: true;
  /** The field of the answer that has the rows of a list, each of which becomes an item. */
  rows?: string;
  fields: readonly Field[];
}

export interface Resource {
  value: string;
  name: string;
  operations: readonly Operation[];
}

export interface EngineRequest {
  method: Operation['method'];
  path: string;
  query: Record<string, string | number | boolean>;
  body: Record<string, unknown>;
  keyed: boolean;
}

/** Writes the request of an operation. Empty fields are omitted; a file has its id at the engine by now. */
export function requestOf(
  operation: Operation,
  values: Readonly<Record<string, unknown>>,
  tenantId: string | undefined,
): EngineRequest {
  const { method, path, fields, keyed = false } = operation;
  const target = tenantId === undefined || tenantId === '' ? {} : { tenantId };
  const request: EngineRequest = { method, path, query: {}, body: {}, keyed };
  const attachment: Record<string, unknown> = {};
  Object.assign(method === 'POST' ? request.body : request.query, target);
  for (const field of fields) {
    const value = values[field.name];
    if (isEmpty(value)) {
      if (field.required) throw new Error(`Fill in "${field.displayName}".`);
      continue;
    }
    if (field.in === 'path') {
      request.path = request.path.replace(`{${field.name}}`, encodeURIComponent(plain(value)));
    } else if (field.in === 'query') {
      request.query[field.name] = typeof value === 'number' || typeof value === 'boolean' ? value : plain(value);
    } else if (field.in === 'attachment') {
      attachment[field.name] = value;
    } else if (field.in === 'file') {
      attachment['fileId'] = value;
    } else {
      request.body[field.name] = field.type === 'json' ? objectOf(field, value) : value;
    }
  }
  if (Object.keys(attachment).length > 0) request.body['attachments'] = [attachment];
  return request;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function objectOf({ displayName }: Field, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parsed = parsedOf(value);
  if (parsed === undefined) throw new Error(`"${displayName}" is no JSON.`);
  return parsed;
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The rows of an answer: those of a list, else the answer itself. GET /sessions is a list without a name. */
export function rowsOf({ rows }: Operation, answer: unknown): Record<string, unknown>[] {
  if (Array.isArray(answer)) return answer.filter(isObject);
  if (!isObject(answer)) return [{ success: true }];
  const named = rows === undefined ? undefined : answer[rows];
  return Array.isArray(named) ? named.filter(isObject) : [answer];
}

/** The routes that list the choices of a field with `listed`. */
export const LISTS = { workflows: '/api/v1/automation-definitions' } as const;

/** The workflows and automations of an answer, each as n8n shows a choice. */
export function choicesOf(answer: unknown): { name: string; value: string; description: string }[] {
  const listed = isObject(answer) ? answer['definitions'] : undefined;
  const definitions = Array.isArray(listed) ? listed.filter(isObject) : [];
  return definitions.flatMap(({ name, title, description }) =>
    typeof name === 'string' && typeof title === 'string'
      ? [{ name: title, value: name, description: typeof description === 'string' ? description : '' }]
      : [],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
