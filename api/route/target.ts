import { invalid, notFound } from '../../domain/error.ts';
import type { EngineError } from '../../domain/error.ts';
import { ExternalId } from '../../domain/scope.ts';
import { namedObjects } from './named-objects.ts';
import type { NamedHere } from './named-objects.ts';
import type { RawInput } from './parse-input.ts';

type Name = 'agencyId' | 'tenantId';

/** The agency and tenant that the request names, and where it should have named them. */
export interface NamedTarget {
  agencyId: string | undefined;
  tenantId: string | undefined;
  /** The objects that the request names; their agency and tenant are meant when none is named. */
  objects: readonly NamedHere[];
  pointer(name: Name): string;
}

/** Reads agency and tenant from path, query or body. Different values for one of them name nothing that exists. */
export function namedTarget(
  raw: RawInput,
  { template, takesBody }: { template: string; takesBody: boolean },
): NamedTarget {
  return {
    objects: namedObjects(template, raw),
    agencyId: named('agencyId', raw),
    tenantId: named('tenantId', raw),
    pointer: (name) => (takesBody ? `/${name}` : `query/${name}`),
  };
}

export function missingTarget(target: NamedTarget, name: Name): EngineError {
  const wrong = { pointer: target.pointer(name), message: 'is required with this key' };
  return invalid(wrong, `This key needs ${name} in the request, or an id that belongs to one.`);
}

function named(name: Name, raw: RawInput): string | undefined {
  const places: [pointer: string, value: unknown][] = [
    [`path/${name}`, raw.params[name]],
    [`query/${name}`, raw.query[name]],
    [`/${name}`, bodyField(raw.body, name)],
  ];
  const given = places.filter(([, value]) => value !== undefined);
  for (const [pointer, value] of given) {
    const checked = ExternalId.safeParse(value);
    if (!checked.success) throw invalid({ pointer, message: checked.error.issues[0]?.message ?? 'is not valid' });
  }
  const [first] = given;
  const other = given.find(([, value]) => value !== first?.[1]);
  if (other !== undefined) throw notFound(name === 'agencyId' ? 'agency' : 'tenant', other[0]);
  return typeof first?.[1] === 'string' ? first[1] : undefined;
}

function bodyField(body: unknown, name: Name): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}
