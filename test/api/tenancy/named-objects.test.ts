import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { expireHolds } from '../../../db/media/storage.ts';
import { routes } from '../../../api/routes.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { ago, changeRows } from '../../support/rows.ts';
import { DOORS, nameOf, opensToTenants } from './doors.ts';
import type { Entrance, Objects } from './doors.ts';
import { aNeighbour, objectsOf } from './tenancy-scene.ts';

const Refusal = z.object({ errors: z.array(z.object({ pointer: z.string(), message: z.string() })).default([]) });

/** The doors of all routes; of a path that names the tenant, the agency alone is to be found out. */
const CASES = routes
  .filter(opensToTenants)
  .flatMap((route) => Object.keys(DOORS[nameOf(route)] ?? {}).map((names) => ({ name: nameOf(route), names, route })));

/** No route takes this parameter, so each request is refused as soon as it is known whose object it names. */
const UNKNOWN = 'colourful';

describe('an object that a request names', () => {
  let engine: TestEngine;
  let ours: Agency;
  let stranger: Agency;
  let objects: Objects;

  beforeAll(async () => {
    engine = await startEngine();
    ours = await anAgencyWithScopedKey(engine, { agencyId: 'ours', tenantId: 'one' });
    const neighbour = await aNeighbour(engine, ours, 'two');
    stranger = await anAgencyWithScopedKey(engine, { agencyId: 'strangers', tenantId: 'one' });
    objects = await objectsOf(engine, neighbour);
  });
  afterAll(() => engine.close());

  async function ask(
    { route, names }: { route: Entrance; names: string },
    key: string,
    more: Record<string, string> = {},
  ) {
    const { id, in: inPath, query, body = {} } = DOORS[nameOf(route)]?.[names]?.(objects) ?? {};
    const named = new Map(
      Object.entries({ tenantId: 'two', automation: 'ask-satisfaction', ...objects, id, ...inPath }),
    );
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => named.get(name) ?? '');
    const search = new URLSearchParams({ ...query, ...more, [UNKNOWN]: '1' }).toString();
    const answer = await call(engine, route.method, `${path}?${search}`, {
      key,
      ...(['GET', 'DELETE'].includes(route.method) ? {} : { body }),
    });
    const pointers = Refusal.parse(answer.body).errors.map(({ pointer }) => pointer);
    return { status: answer.status, isKnown: pointers.includes(`query/${UNKNOWN}`) };
  }

  const FOUND = { status: 422, isKnown: true };

  it.each(CASES)(
    "tells the tenant to the dashboard's key, and the agency to the master key: $name names $names",
    async (door) => {
      expect(await ask(door, ours.dashboardKey)).toEqual(FOUND);
      expect(await ask(door, MASTER_KEY)).toEqual(FOUND);
    },
  );

  it('tells its tenant where it is an uploaded file, too', async () => {
    const file = Buffer.from('a file of the second tenant');
    const uploaded = await call(engine, 'POST', '/api/v1/files?tenantId=two', { key: ours.dashboardKey, file });
    const attachments = [{ kind: 'document', fileId: uploaded.body['fileId'] }];
    const send = (key: string, more: object) =>
      call(engine, 'POST', '/api/v1/messages/send', { key, body: { to: '+15550100790', attachments, ...more } });
    expect([(await send(ours.dashboardKey, {})).status, (await send(MASTER_KEY, {})).status]).toEqual([202, 202]);
    expect((await send(ours.dashboardKey, { session: ours.session.id })).status).toBe(404);
    expect((await send(stranger.dashboardKey, { agencyId: 'strangers' })).status).toBe(422);
  });

  it('tells its tenant to a repeated request, too, when it has gone since', async () => {
    const file = Buffer.from('a file that is sent once');
    const uploaded = await call(engine, 'POST', '/api/v1/files?tenantId=two', { key: ours.dashboardKey, file });
    const attachments = [{ kind: 'document', fileId: uploaded.body['fileId'] }];
    const send = (key: string, more: object = {}) =>
      call(engine, 'POST', '/api/v1/messages/send', {
        key,
        body: { to: '+15550100791', attachments, ...more },
        headers: { 'idempotency-key': 'once' },
      });
    const first = await send(ours.dashboardKey);
    expect(first.status).toBe(202);
    await changeRows(
      engine.database,
      'fileHold',
      { heldUntil: ago({ seconds: 1 }) },
      { id: String(uploaded.body['id']) },
    );
    await engine.database.transaction((tx) => expireHolds(tx, 1_000));
    for (const key of [ours.dashboardKey, MASTER_KEY]) {
      const again = await send(key);
      expect(again).toMatchObject({ status: 202, body: first.body });
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    // Another request with the key tells no tenant, nor does the same of another agency.
    expect((await send(ours.dashboardKey, { text: 'more' })).status).toBe(404);
    expect((await send(stranger.dashboardKey)).status).not.toBe(202);
    expect((await send(MASTER_KEY, { agencyId: 'strangers' })).status).not.toBe(202);
    expect((await send(ours.scopedKey)).status).toBe(422);
  });

  it.each(CASES)('is nobody’s beside the name of another tenant: $name names $names', async (door) => {
    const { query = {} } = DOORS[door.name]?.[door.names]?.(objects) ?? {};
    // The other name must not replace the first one.
    const name = 'sessionId' in query ? 'session' : 'sessionId';
    expect((await ask(door, MASTER_KEY, { [name]: stranger.session.id })).status).toBe(404);
    // Agency and tenant are named by their ids, or there is nothing to derive.
    if (door.route.auth !== 'tenant' || door.route.path.includes(':tenantId')) return;
    expect((await ask(door, ours.dashboardKey, { [name]: ours.session.id })).status).toBe(404);
  });
});
