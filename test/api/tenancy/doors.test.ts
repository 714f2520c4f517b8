import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { above, countRows } from '../../support/rows.ts';
import { DOORS, nameOf, opensToTenants, TEXT } from './doors.ts';
import { wrongDoors } from './wrong-doors.ts';
import type { Entrance, Objects } from './doors.ts';
import { aNeighbour, MISSING, objectsOf } from './tenancy-scene.ts';

const CASES = routes
  .filter(opensToTenants)
  .flatMap((route) => Object.keys(DOORS[nameOf(route)] ?? {}).map((names) => ({ name: nameOf(route), names, route })));

/** That every door is closed to everybody else, `isolation.test.ts` shows; this, that they open at all. */
describe('tenants', () => {
  let engine: TestEngine;
  let ours: Agency;
  const owners = new Map<string, { agency: Agency; objects: Objects }>();

  beforeAll(async () => {
    engine = await startEngine();
    ours = await anAgencyWithScopedKey(engine, { agencyId: 'ours', tenantId: 'one' });
    const neighbour = await aNeighbour(engine, ours, 'two');
    const stranger = await anAgencyWithScopedKey(engine, { agencyId: 'strangers', tenantId: 'one' });
    for (const [name, agency] of Object.entries({ neighbour, stranger })) {
      owners.set(name, { agency, objects: await objectsOf(engine, agency) });
    }
  });
  afterAll(() => engine.close());

  function ownerOf(whose: string): { agency: Agency; objects: Objects } {
    const owner = owners.get(whose);
    if (!owner) throw new Error('There is no such owner.');
    return owner;
  }

  /** Asks with the dashboard's key for the tenant, or with that key alone. */
  async function knock(
    { route, names }: { route: Entrance; names: string },
    of: Objects,
    by: Agency,
    key: 'dashboardKey' | 'dashboardKeyAlone',
  ): Promise<Answer> {
    const { id, in: inPath, query, body = {} } = DOORS[nameOf(route)]?.[names]?.(of) ?? {};
    const named = new Map(Object.entries({ tenantId: by.tenantId, ...of, id, ...inPath }));
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => named.get(name) ?? '');
    const { agencyId, tenantId } = by;
    const target = key !== 'dashboardKey' ? {} : route.auth === 'agency' ? { agencyId } : { agencyId, tenantId };
    const search = new URLSearchParams({ ...query, ...target }).toString();
    return call(engine, route.method, `${path}?${search}`, {
      key: by.dashboardKey,
      headers: { prefer: 'respond-async' },
      ...(['GET', 'DELETE'].includes(route.method) ? {} : { body }),
    });
  }

  const nameless = ({ status, body, headers }: Answer): object => ({
    status,
    body: { ...body, requestId: 'r' },
    headers: [...headers.keys()].toSorted(),
  });

  // An automation's name is the same for all, so it tells no tenant.
  const namesInPath = ({ path }: { path: string }) => path.replace('/:automation', '').includes('/:');
  const inPath = CASES.filter(({ route }) => route.auth === 'tenant' && namesInPath(route));

  it.each(inPath)("a stranger's is not found by a key that names no tenant: $name names $names", async (door) => {
    const found = await knock(door, ownerOf('stranger').objects, ours, 'dashboardKeyAlone');
    const missing = await knock(door, MISSING, ours, 'dashboardKeyAlone');
    expect(nameless(found)).toEqual(nameless(missing));
    expect(found.status).toBe(404);
  });

  it('the master key names the agency alone where the path names an object of it', async () => {
    const { agency, objects } = ownerOf('neighbour');
    const ask = (agencyId: string) =>
      call(engine, 'GET', `/api/v1/sessions/${objects['sessionId']}?agencyId=${agencyId}`, { key: MASTER_KEY });
    expect(await ask(agency.agencyId)).toMatchObject({ status: 200, body: { tenantId: agency.tenantId } });
    const elsewhere = await ask('strangers');
    expect([elsewhere.status, elsewhere.body['code']]).toEqual([404, 'not_found']);
  });

  it('nothing was sent, assigned or replied by any of that', async () => {
    expect(await countRows(engine.database, 'message', { body: TEXT })).toBe(0);
    expect(await countRows(engine.database, 'memory', { fact: TEXT })).toBe(0);
    expect(await countRows(engine.database, 'conversation', { mode: 'human_takeover' })).toBe(0);
    expect(await countRows(engine.database, 'conversation', { epoch: above(0) })).toBe(0);
  });

  const namesNoTenant = inPath.filter(({ route }) => !route.path.includes(':tenantId'));

  it.each(namesNoTenant.filter(({ route }) => route.method === 'GET'))(
    "a neighbour's is found by the key of their dashboard, which names no tenant: $name names $names",
    async (door) => {
      const { objects } = ownerOf('neighbour');
      // A session that works has no code to scan.
      expect([200, 409]).toContain((await knock(door, objects, ours, 'dashboardKeyAlone')).status);
    },
  );

  // A door that its owner cannot open either would prove nothing. Deletions come last, then the erasure of a person,
  // and a session with its keys at the very end.
  const ends = ({ method, path }: Entrance): boolean => method === 'DELETE' || path.endsWith('/rotate');
  const last = ({ route }: { route: Entrance }) =>
    route.path.endsWith('/erase') ? 2 : ends(route) ? (route.path === '/api/v1/sessions/:id' ? 3 : 1) : 0;

  it.each(CASES.toSorted((one, other) => last(one) - last(other)))(
    "a stranger's is there for its owner: $name names $names",
    async (door) => {
      const { agency, objects } = ownerOf('stranger');
      const found = await knock(door, objects, agency, 'dashboardKey');
      const missing = await knock(door, MISSING, agency, 'dashboardKey');
      // The sandbox's engine blocks nobody.
      expect([200, 201, 202, 204, 409, 501]).toContain(found.status);
      expect(nameless(found)).not.toEqual(nameless(missing));
    },
  );
});

describe('the table of doors', () => {
  it('has the door of every route that opens to tenants', () => {
    expect(wrongDoors(routes)).toEqual([]);
  });

  it.each([
    {
      fault: 'a new route without a door',
      faulty: [...routes, { method: 'GET', path: '/api/v1/notes/:id', auth: 'tenant', scope: 'read' } as const],
      says: "GET /api/v1/notes/:id has no door: say in DOORS of test/api/tenancy/doors.ts how it names a tenant's object.",
    },
    {
      fault: 'a door whose route is gone',
      faulty: routes.filter(({ path }) => path !== '/api/v1/sessions/me'),
      says: 'GET /api/v1/sessions/me opens to no tenant: take it out of test/api/tenancy/doors.ts.',
    },
  ])('refuses $fault', ({ faulty, says }) => {
    expect(wrongDoors(faulty)).toEqual([says]);
  });
});
