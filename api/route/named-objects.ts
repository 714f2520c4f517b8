import type { NamedObject } from '../../db/tenants/implied-tenant.ts';
import type { RawInput } from './parse-input.ts';

/** An object of a tenant that a request names, and its place there; a path has no pointer. */
export type NamedHere = NamedObject & { pointer?: string };

/** Maps the parameter of a path, with the segment before it where the name alone does not tell, to what it names. */
const IN_PATH: readonly (readonly [pattern: RegExp, kind: NamedObject['kind']])[] = [
  [/:(messageId)\b/, 'message'],
  [/:(conversationId)\b/, 'conversation'],
  [/\/:(session)\b/, 'session'],
  [/\/sessions\/:(id)\b/, 'session'],
  [/\/memories\/:(id)\b/, 'memory'],
  [/\/rehearsals\/:(id)\b/, 'rehearsal'],
  [/\/automation-executions\/:(id)\b/, 'execution'],
  [/\/endpoints\/:(id)\b/, 'endpoint'],
  [/\/erasures\/:(id)\b/, 'erasure'],
  [/\/api\/v1\/files\/:(id)\b/, 'upload'],
  [/\/(?:contacts|opt-outs)\/:(ref|id|contactId)\b/, 'contact'],
];

/** The fields of queries and bodies that hold an id of the engine; its prefix tells the kind. */
const FIELDS = [
  'to',
  'contactId',
  'conversationId',
  'messageId',
  'replyTo',
  'around',
  'upTo',
  'evidenceMessageId',
  'supersedes',
  'endpointId',
  'defaultRecipient',
];
const SESSION_FIELDS = ['session', 'sessionId'];
/** Routes whose `id` in the body is the session's, as in the contract. */
const ID_IS_SESSION = new Set(['/api/v1/media/send']);

const KINDS: Readonly<Record<string, NamedObject['kind']>> = {
  msg: 'message',
  cnv: 'conversation',
  con: 'contact',
  mem: 'memory',
  whe: 'endpoint',
};

/**
 * Lists the objects that a request names in its path, query and body, the path's first. A contact may also be named by
 * an address, which says nothing of the tenant: several may know the person.
 */
export function namedObjects(template: string, { params, query, body }: RawInput): NamedHere[] {
  return [
    ...inPath(template, params),
    ...inFields(query, 'query/', SESSION_FIELDS),
    ...inFields(body, '/', ID_IS_SESSION.has(template) ? [...SESSION_FIELDS, 'id'] : SESSION_FIELDS),
    ...inFields(fieldOf(body, 'forward'), '/forward/', []),
  ];
}

function inPath(template: string, params: Readonly<Record<string, string>>): NamedHere[] {
  for (const [pattern, kind] of IN_PATH) {
    const name = pattern.exec(template)?.[1];
    const ref = name === undefined ? undefined : params[name];
    if (ref !== undefined && (kind !== 'contact' || kindOf(ref) === 'contact')) return [{ kind, ref }];
  }
  return [];
}

function inFields(fields: unknown, base: string, ofSession: readonly string[]): NamedHere[] {
  const found: NamedHere[] = [];
  for (const name of [...ofSession, ...FIELDS]) {
    const ref = fieldOf(fields, name);
    // An id that no column could hold is refused by the route's schema.
    if (typeof ref !== 'string' || ref === '' || ref.includes('\u0000')) continue;
    const kind = ofSession.includes(name) ? 'session' : kindOf(ref);
    if (kind !== undefined) found.push({ kind, ref, pointer: base + name });
  }
  return found;
}

function kindOf(ref: string): NamedObject['kind'] | undefined {
  return ref.charAt(3) === '_' ? KINDS[ref.slice(0, 3)] : undefined;
}

function fieldOf(fields: unknown, name: string): unknown {
  return typeof fields === 'object' && fields !== null && Object.hasOwn(fields, name)
    ? Reflect.get(fields, name)
    : undefined;
}
