import type { NamedObject } from '../../db/tenants/implied-tenant.ts';
import { nameOfUpload } from '../../db/media/upload-name.ts';
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
  [/\/notes\/:(id)\b/, 'note'],
  [/\/rehearsals\/:(id)\b/, 'rehearsal'],
  [/\/automation-executions\/:(id)\b/, 'execution'],
  [/\/endpoints\/:(id)\b/, 'endpoint'],
  [/\/erasures\/:(id)\b/, 'erasure'],
  [/\/api\/v1\/files\/:(id)\b/, 'upload'],
  [/\/exports\/:(id)\b/, 'export'],
  [/\/api-keys\/:(id)\b/, 'key'],
  [/\/console\/links\/:(id)\b/, 'link'],
  [/\/console\/logins\/:(id)\b/, 'login'],
  [/\/events\/streams\/:(id)\b/, 'stream'],
  [/\/webhooks\/events\/:(id)\b/, 'event'],
  [/\/webhooks\/deliveries\/:(id)\b/, 'delivery'],
  [/\/workflows\/:(id)\b/, 'workflow'],
  [/:(endpointId)\b/, 'endpoint'],
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
  'eventId',
  'deliveryId',
  'keyId',
  'objectId',
];
/** The kinds of objects whose ids have no prefix, by the field that names them. */
const KINDS_OF_FIELDS: Readonly<Record<string, NamedObject['kind']>> = { deliveryId: 'delivery', keyId: 'key' };
const SESSION_FIELDS = ['session', 'sessionId'];
/** Routes whose `id` in the body is the session's, as in the contract. */
const ID_IS_SESSION = new Set(['/api/v1/media/send']);

const KINDS: Readonly<Record<string, NamedObject['kind']>> = {
  msg: 'message',
  cnv: 'conversation',
  con: 'contact',
  mem: 'memory',
  nte: 'note',
  whe: 'endpoint',
  ses: 'session',
  evt: 'event',
  clk: 'link',
  clg: 'login',
  str: 'stream',
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
    ...inAttachments(fieldOf(body, 'attachments')),
  ];
}

/** More than a message may have, and few enough to look for before the body is judged. */
const MAX_ATTACHMENTS = 20;

function inAttachments(attachments: unknown): NamedHere[] {
  if (!Array.isArray(attachments)) return [];
  return attachments.slice(0, MAX_ATTACHMENTS).flatMap((attachment: unknown, index) => {
    const fileId = fieldOf(attachment, 'fileId');
    if (typeof fileId !== 'string') return [];
    return [{ kind: 'upload' as const, ref: nameOfUpload(fileId), pointer: `/attachments/${index}/fileId` }];
  });
}

function inPath(template: string, params: Readonly<Record<string, string>>): NamedHere[] {
  return IN_PATH.flatMap(([pattern, kind]) => {
    const name = pattern.exec(template)?.[1];
    const ref = name === undefined ? undefined : params[name];
    return ref !== undefined && isIdOf(kind, ref) ? [{ kind, ref }] : [];
  });
}

function inFields(fields: unknown, base: string, ofSession: readonly string[]): NamedHere[] {
  const found: NamedHere[] = [];
  for (const name of [...ofSession, ...FIELDS]) {
    const ref = fieldOf(fields, name);
    // An id that no column could hold is refused by the route's schema.
    if (typeof ref !== 'string' || ref === '' || ref.includes('\u0000')) continue;
    const kind = ofSession.includes(name) ? 'session' : (kindOf(ref) ?? KINDS_OF_FIELDS[name]);
    if (kind !== undefined && isIdOf(kind, ref)) found.push({ kind, ref, pointer: base + name });
  }
  return found;
}

/** Ids that stand for the operator's secrets in the audit. They belong to no agency. */
const OPERATORS_KEYS: ReadonlySet<string> = new Set(['master', 'psk']);

/** A contact may be named by an address, too, and a column of numbers takes nothing else. */
function isIdOf(kind: NamedObject['kind'], ref: string): boolean {
  if (kind === 'contact') return kindOf(ref) === 'contact';
  if (kind === 'key') return !OPERATORS_KEYS.has(ref);
  return kind !== 'delivery' || /^\d{1,18}$/.test(ref);
}

function kindOf(ref: string): NamedObject['kind'] | undefined {
  return ref.charAt(3) === '_' ? KINDS[ref.slice(0, 3)] : undefined;
}

function fieldOf(fields: unknown, name: string): unknown {
  return typeof fields === 'object' && fields !== null && Object.hasOwn(fields, name)
    ? Reflect.get(fields, name)
    : undefined;
}
