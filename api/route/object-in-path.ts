import type { ImplyingObject } from '../../db/tenants/implied-tenant.ts';

/** An object of a tenant that a path names. */
export type NamedObject = ImplyingObject;

/** Maps the parameter of a path, with the segment before it where the name alone does not tell, to what it names. */
const NAMED: readonly (readonly [pattern: RegExp, kind: NamedObject['kind']])[] = [
  [/:(messageId)\b/, 'message'],
  [/:(conversationId)\b/, 'conversation'],
  [/\/:(session)\b/, 'session'],
  [/\/sessions\/:(id)\b/, 'session'],
  [/\/memories\/:(id)\b/, 'memory'],
  [/\/rehearsals\/:(id)\b/, 'rehearsal'],
  [/\/automation-executions\/:(id)\b/, 'execution'],
  [/\/api\/v1\/files\/:(id)\b/, 'upload'],
  [/\/(?:contacts|opt-outs)\/:(ref|id|contactId)\b/, 'contact'],
];

/** A contact may also be named by an address, which says nothing of the tenant: several may know the person. */
const ID_OF_CONTACT = /^con_/;

export function objectInPath(template: string, params: Readonly<Record<string, string>>): NamedObject | undefined {
  for (const [pattern, kind] of NAMED) {
    const name = pattern.exec(template)?.[1];
    const ref = name === undefined ? undefined : params[name];
    if (ref !== undefined && (kind !== 'contact' || ID_OF_CONTACT.test(ref))) return { kind, ref };
  }
  return undefined;
}
