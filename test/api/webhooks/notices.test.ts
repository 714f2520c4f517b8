import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { changeEndpointStatus } from '../../../db/webhooks/endpoint-state.ts';
import { listEndpointsToNote, noteEndpoint } from '../../../db/webhooks/notices.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { changeRows } from '../../support/rows.ts';
import { anEndpointWith, deliveriesOf, end, idsOf } from './a-webhook-scene.ts';
import type { Scene, Waiting } from './a-webhook-scene.ts';

const HOUR = 3_600_000;

const api = await apiOfThisFile('webhook-notices');

let acme: Scene;

async function anEndpoint(conversations: string[], options: object = {}): Promise<{ id: string; rows: Waiting[] }> {
  const made = await anEndpointWith(api, conversations, options);
  acme = made.scene;
  return made;
}

describe('an agency whose endpoint fails', () => {
  const Notices = z.object({
    notices: z.array(z.object({ type: z.string(), reason: z.string(), agencyId: z.string() })),
  });
  const told = async () => {
    const { notices } = Notices.parse((await acme.get('/notices')).body);
    return notices.map(({ type, reason }) => `${type} ${reason}`).toReversed();
  };
  const note = async () => {
    for (const id of await api.database.read((queries) => listEndpointsToNote(queries, 100))) {
      await api.database.transaction((tx) => noteEndpoint(tx, id));
      await api.database.transaction((tx) => noteEndpoint(tx, id));
    }
  };
  const health = (id: string, { since = null, error = null }: { since?: Date | null; error?: string | null }) =>
    changeRows(api.database, 'endpointHealth', { failingSince: since, lastError: error }, { endpointId: id });

  it('is told after an hour, a day and three days, of the disabling and that it does well again, once each', async () => {
    const { id } = await anEndpoint(['a']);
    const ops = await acme.endpoint({ events: ['endpoint.failing', 'endpoint.disabled', 'endpoint.recovered'] });
    await acme.patch(`/endpoints/${id}`, { events: ['endpoint.failing'] });
    await health(id, { since: api.database.clock.now(), error: 'server_error' });
    await note();
    expect(await told()).toEqual([]);
    for (const hours of [1, 1, 22, 48]) {
      api.database.clock.advance(hours * HOUR);
      await note();
    }
    const failing = 'endpoint.failing failing_for';
    expect(await told()).toEqual([failing, failing, failing]);
    await changeRows(api.database, 'endpoint', { status: 'disabled', disabledReason: 'failing_for_days' }, { id });
    await note();
    await api.database.transaction((tx) =>
      changeEndpointStatus(tx, id, 'active', { actor: 'ops', reason: null, keyId: null }),
    );
    await note();
    const end = ['endpoint.disabled failing_for_days', 'endpoint.recovered by_request'];
    expect(await told()).toEqual([failing, failing, failing, ...end]);
    expect(await deliveriesOf(api, ops.id)).toHaveLength(5);
    // The dashboard's own endpoint is told without asking, beside its message.
    expect(await deliveriesOf(api, acme.dashboardEndpoint)).toHaveLength(6);
    expect(await deliveriesOf(api, id)).toHaveLength(1);
    const event = await acme.get('/events?type=endpoint.disabled');
    expect(event.body['events']).toMatchObject([{ tenantId: null, sessionId: null, sequence: 0 }]);
  });

  it('is told that it does well again only if it was told that it fails', async () => {
    const { id } = await anEndpoint([]);
    await health(id, { since: api.database.clock.now() });
    api.database.clock.advance(HOUR / 2);
    await note();
    await health(id, {});
    await note();
    expect(await told()).toEqual([]);
    await health(id, { since: api.database.clock.now() });
    api.database.clock.advance(2 * HOUR);
    await note();
    await health(id, {});
    await note();
    expect(await told()).toEqual(['endpoint.failing failing_for', 'endpoint.recovered answers_again']);
  });

  it('is told of events that have used up their attempts, once an hour', async () => {
    const { rows } = await anEndpoint(['a', 'b', 'c']);
    await end(api, idsOf(rows, 0), 'failed');
    await note();
    api.database.clock.advance(HOUR / 2);
    await end(api, idsOf(rows, 1), 'failed');
    await note();
    expect(await told()).toEqual(['endpoint.failing events_exhausted']);
    api.database.clock.advance(HOUR);
    await note();
    await note();
    expect(await told()).toHaveLength(2);
  });

  it('reads its own notices in pages; the operator reads all', async () => {
    const mine = acme.agencyId;
    const first = await acme.get('/notices?limit=1');
    expect(first.body).toMatchObject({ hasMore: true });
    const second = await acme.get(`/notices?limit=1&cursor=${String(first.body['nextCursor'])}`);
    expect(second.body).toMatchObject({ hasMore: false, notices: [{ agencyId: mine }] });
    const all = Notices.parse((await call(api, 'GET', '/api/v1/admin/notices?limit=100', { key: MASTER_KEY })).body);
    expect(new Set(all.notices.map(({ agencyId }) => agencyId)).size).toBeGreaterThan(1);
    const one = Notices.parse(
      (await call(api, 'GET', `/api/v1/admin/notices?agencyId=${mine}`, { key: MASTER_KEY })).body,
    );
    expect(one.notices).toHaveLength(2);
    expect((await call(api, 'GET', '/api/v1/admin/notices', { key: acme.key })).status).toBe(403);
  });
});
