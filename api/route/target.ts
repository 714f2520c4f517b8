import { invalid } from '../../domain/error.ts';
import type { EngineError } from '../../domain/error.ts';
import { ExternalId } from '../../domain/scope.ts';
import { objectInPath } from './object-in-path.ts';
import type { NamedObject } from './object-in-path.ts';
import type { RawInput } from './parse-input.ts';

type Name = 'agencyId' | 'tenantId';

/** The agency and tenant that the request names, and where it should have named them. */
export interface NamedTarget {
  agencyId: string | undefined;
  tenantId: string | undefined;
  /** The object in the path, whose tenant is meant when none is named. */
  object: NamedObject | undefined;
  pointer(name: Name): string;
}

/** Reads agency and tenant from path, query or body, and refuses different values for one of them. */
export function namedTarget(
  raw: RawInput,
  { template, takesBody }: { template: string; takesBody: boolean },
): NamedTarget {
  return {
    object: objectInPath(template, raw.params),
    agencyId: named('agencyId', raw),
    tenantId: named('tenantId', raw),
    pointer: (name) => (takesBody ? `/${name}` : `query/${name}`),
  };
}

export function missingTarget(target: NamedTarget, name: Name): EngineError {
  const wrong = { pointer: target.pointer(name), message: 'is required with this key' };
  return invalid(wrong, `This key needs ${name} in the request.`);
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
  if (other !== undefined) {
    throw invalid({ pointer: other[0], message: `differs from the ${name} given elsewhere in the request` });
  }
  return typeof first?.[1] === 'string' ? first[1] : undefined;
}

function bodyField(body: unknown, name: Name): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined;
}
