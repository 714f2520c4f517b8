import { doorsOf } from './doors.ts';
import type { Entrance, Objects } from './doors.ts';

/** A request that names objects of somebody else. */
export interface Attack {
  method: string;
  path: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: Record<string, unknown> | null;
}

/** A tenant of an agency. */
export interface Target {
  agencyId: string;
  tenantId: string;
}

/** The request of one door before an attack changes it. */
interface Knock extends Attack {
  route: Entrance;
  /** The ids that the request names, by their place. */
  named: { path: string[]; query: [string, string][]; body: Record<string, unknown> };
  of: Objects;
}

/** A way to name an object, or its tenant, beside the one that the route documents; null where a door has no place for it. */
type Place = (knock: Knock, whose: Target) => Attack | null;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function withQuery(knock: Knock, more: [string, string][]): Attack {
  return { ...knock, query: [...knock.query, ...more] };
}

function renamed(knock: Knock, rename: (name: string) => string): Attack | null {
  if (knock.named.query.length === 0) return null;
  const others = knock.query.filter(([name]) => !knock.named.query.some(([named]) => named === name));
  return {
    ...knock,
    query: [...others, ...knock.named.query.map(([name, value]): [string, string] => [rename(name), value])],
  };
}

function inPath(knock: Knock, write: (id: string) => string): Attack | null {
  if (knock.named.path.length === 0) return null;
  return { ...knock, path: knock.named.path.reduce((path, id) => path.replace(`/${id}`, `/${write(id)}`), knock.path) };
}

function inBody(knock: Knock, write: (body: Record<string, unknown>) => Record<string, unknown>): Attack | null {
  return knock.body === null ? null : { ...knock, body: write(knock.body) };
}

/** Every place where a selector can stand. */
export const PLACES: Readonly<Record<string, Place>> = {
  'as documented': (knock) => knock,
  'encoded in the path': (knock) => inPath(knock, (id) => `%${(id.codePointAt(0) ?? 0).toString(16)}${id.slice(1)}`),
  'encoded twice in the path': (knock) =>
    inPath(knock, (id) => `%25${(id.codePointAt(0) ?? 0).toString(16)}${id.slice(1)}`),
  'in capitals in the path': (knock) => inPath(knock, (id) => id.toUpperCase()),
  'behind a step up in the path': (knock) => inPath(knock, (id) => `nobody/../${id}`),
  'in capitals in the query': (knock) => renamed(knock, capital),
  'bracketed in the query': (knock) => renamed(knock, (name) => `[${name}]`),
  'as a list in the query': (knock) => renamed(knock, (name) => `${name}[]`),
  'nested in the query': (knock) => renamed(knock, (name) => `filter[${name}]`),
  'repeated in the query': (knock) =>
    knock.named.query.length === 0 ? null : withQuery(knock, [...knock.named.query, ['session', 'mine']]),
  'of each name in the query': (knock) => withQuery(knock, Object.entries(knock.of)),
  'in the headers': (knock) => ({
    ...knock,
    headers: Object.fromEntries(
      Object.entries(knock.of).flatMap(([name, id]) => [
        [name.toLowerCase(), id],
        [`x-${name.toLowerCase().replace('id', '-id')}`, id],
      ]),
    ),
  }),
  'in capitals in the body': (knock) =>
    inBody(knock, (body) => Object.fromEntries(Object.entries(body).map(([name, value]) => [capital(name), value]))),
  'nested in the body': (knock) => inBody(knock, (body) => ({ data: body, filter: { ...knock.of } })),
  'as a list in the body': (knock) =>
    inBody(knock, (body) => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, [value]]))),
  'of each name in the body': (knock) => inBody(knock, (body) => ({ ...knock.of, ...body })),
  'under its prototype in the body': (knock) =>
    inBody(knock, (body) => ({ ...body, constructor: { prototype: { ...knock.of } } })),
  'with its tenant in the query': (knock, { agencyId, tenantId }) =>
    withQuery({ ...knock, query: knock.named.query }, [
      ['agencyId', agencyId],
      ['tenantId', tenantId],
    ]),
  'with its tenant after the own': (knock, { agencyId, tenantId }) =>
    withQuery(knock, [
      ['agencyId', agencyId],
      ['tenantId', tenantId],
    ]),
  'with its tenant in the body': (knock, target) => inBody(knock, (body) => ({ ...body, ...target })),
  'with its tenant in the headers': (knock, { agencyId, tenantId }) => ({
    ...knock,
    headers: { 'x-agency-id': agencyId, 'x-tenant-id': tenantId, agencyid: agencyId, tenantid: tenantId },
  }),
};

/** Places that name the tenant, which is no attack by whoever may act for that tenant. */
export const isOfTenant = (place: string): boolean => place.startsWith('with its tenant');

/** Fills a route in with the objects that a door names. */
export function knockAt(route: Entrance, door: string, of: Objects, own: [string, string][]): Knock {
  const { id, in: inPath = {}, query = {}, body = {} } = doorsOf(route)[door]?.(of) ?? {};
  const values = new Map(Object.entries({ tenantId: 'one', ...Object.fromEntries(own), ...of, id, ...inPath }));
  const ids = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => values.get(name) ?? '');
  const named = { path: ids, query: Object.entries(query), body: { ...body } };
  return {
    route,
    of,
    named,
    method: route.method,
    path: route.path.replaceAll(/:(\w+)/g, (_, name: string) => values.get(name) ?? ''),
    query: [...named.query, ...own],
    headers: {},
    body: ['GET', 'DELETE'].includes(route.method) ? null : { ...body },
  };
}
