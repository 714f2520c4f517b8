import { describe, expect, it } from '@jest/globals';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { changeRows } from '../../support/rows.ts';
import { aScene, deliveriesOf, end } from './a-webhook-scene.ts';

const api = await apiOfThisFile('webhook-resume');
const acme = await aScene(api, 'acme');

describe('a dashboard whose endpoint was away', () => {
  it('pauses an endpoint, which keeps its events, and resumes it', async () => {
    const { id } = await acme.endpoint();
    expect((await acme.post(`/endpoints/${id}/pause`, { reason: 'deploy' })).body).toMatchObject({ status: 'paused' });
    await acme.message('paused');
    expect((await acme.get(`/endpoints/${id}`)).body).toMatchObject({
      health: { pending: 1, nextAttemptAt: null },
      history: [{ action: 'pause', reason: 'deploy', actor: 'api' }, { action: 'create' }],
    });
    expect((await acme.post(`/endpoints/${id}/resume`)).body).toMatchObject({ status: 'active', recovered: 0 });
    expect(await deliveriesOf(api, id)).toMatchObject([{ status: 'pending', ready: true }]);
  });

  it('resumes one that was disabled and recovers what it lost since it began to fail', async () => {
    const { id } = await acme.endpoint();
    for (const conversation of ['d1', 'd2', 'd3']) await acme.message(conversation);
    const rows = await deliveriesOf(api, id);
    await end(
      api,
      rows.slice(0, 1).map((row) => row.id),
      'failed',
    );
    api.database.clock.advance(60_000);
    const failing = { failingSince: api.database.clock.now(), consecutiveFailures: 9 };
    await changeRows(api.database, 'endpointHealth', failing, { endpointId: id });
    await changeRows(api.database, 'endpoint', { status: 'disabled', disabledReason: 'gone' }, { id });
    expect((await acme.get(`/endpoints/${id}`)).body).toMatchObject({
      disabledReason: 'gone',
      health: { state: 'disabled' },
    });
    expect((await acme.post(`/endpoints/${id}/pause`)).body).toMatchObject({ status: 'disabled' });
    api.database.clock.advance(60_000);
    await end(
      api,
      rows.slice(1, 2).map((row) => row.id),
      'failed',
    );
    const resumed = await acme.post(`/endpoints/${id}/resume`, { recover: true });
    expect(resumed.body).toMatchObject({
      status: 'active',
      disabledReason: null,
      recovered: 1,
      health: { state: 'healthy' },
    });
    expect((await deliveriesOf(api, id)).map((row) => row.status)).toEqual(['failed', 'pending', 'pending']);
    // A repeated request, or one after a crash, looks from the same time.
    await end(
      api,
      rows.slice(1, 2).map((row) => row.id),
      'failed',
    );
    api.database.clock.advance(60_000);
    expect((await acme.post(`/endpoints/${id}/resume`, { recover: true })).body).toMatchObject({ recovered: 1 });
  });
});
