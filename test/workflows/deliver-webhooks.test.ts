import { describe, expect, it } from '@jest/globals';
import { DELETED } from '../../db/webhooks/endpoint-progress.ts';
import type { EndpointProgress } from '../../db/webhooks/endpoint-progress.ts';
import { SIGNALS, STATE_QUERY, UPDATES } from '../../domain/names.ts';
import { eventually } from '../support/eventually.ts';
import { DECISION, detailsOf, HOUR_MS, inTurn, timersOf, workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene('webhooks');

const rests: EndpointProgress = {
  ...DELETED,
  asOf: '2026-01-31T00:00:00.000Z',
  status: 'active',
};
const deleted: EndpointProgress = { ...rests, status: 'deleted' };
const paused: EndpointProgress = { ...rests, status: 'paused' };
const looks = () => scene.calls('lookAtEndpoint').length;

/** An endpoint that has been looked at for the first time. */
async function anEndpoint() {
  const endpoint = await scene.start('deliverWebhooks', 'whk_1');
  await eventually(async () => (await endpoint.query(STATE_QUERY)) !== null, { what: 'the first look' });
  return endpoint;
}

describe('deliverWebhooks: an endpoint', () => {
  it('is looked at when it begins, when it is told of a change, and not when nothing happens', async () => {
    scene.mock({ lookAtEndpoint: inTurn(rests, rests, deleted) });
    const endpoint = await anEndpoint();
    await scene.pass(48 * HOUR_MS);
    expect(looks()).toBe(1);
    await endpoint.signal(SIGNALS.changed);
    await eventually(() => looks() === 2);
    await endpoint.signal(SIGNALS.changed);
    await endpoint.result();
    expect(await timersOf(endpoint)).toEqual([]);
  });

  it('shows the decisions that fit how it is, with their input to paste', async () => {
    const input = '`{"actor":"your name","reason":"why"}`';
    scene.mock({ lookAtEndpoint: inTurn({ ...rests, pending: 3 }, { ...paused, pending: 3 }) });
    const endpoint = await anEndpoint();
    expect(await detailsOf(endpoint)).toContain(`Updates \`pause\`, \`retryNow\`: ${input}`);
    await endpoint.signal(SIGNALS.changed);
    await eventually(async () => (await detailsOf(endpoint)).includes(`Updates \`resume\`: ${input}`));
  });

  it('due: is drained when it is told that deliveries are due', async () => {
    scene.mock({ lookAtEndpoint: inTurn(rests), drainEndpoint: inTurn(deleted) });
    const endpoint = await anEndpoint();
    await endpoint.signal(SIGNALS.due);
    await endpoint.result();
    expect(scene.calls('drainEndpoint')).toEqual([{ endpointId: 'whk_1' }]);
  });

  it('sleeps until the next attempt is due, then it is drained', async () => {
    const nextInMs = 6 * HOUR_MS;
    scene.mock({ lookAtEndpoint: inTurn({ ...rests, pending: 1, nextInMs }), drainEndpoint: inTurn(deleted) });
    const endpoint = await anEndpoint();
    await scene.pass(5 * HOUR_MS);
    expect(scene.calls('drainEndpoint')).toEqual([]);
    await endpoint.result();
    expect(await timersOf(endpoint)).toEqual([{ summary: 'wait for the next attempt', ms: nextInMs }]);
  });

  it('is drained at once when something is due and nobody is at it', async () => {
    scene.mock({ lookAtEndpoint: inTurn({ ...rests, pending: 1, nextInMs: 0 }), drainEndpoint: inTurn(deleted) });
    await (await scene.start('deliverWebhooks', 'whk_1')).result();
    expect(scene.calls('drainEndpoint')).toHaveLength(1);
  });

  it('state: shows whoever asks how its deliveries went at the last look', async () => {
    scene.mock({ lookAtEndpoint: inTurn({ ...rests, pending: 7, lanes: 2 }) });
    const endpoint = await anEndpoint();
    expect(await endpoint.query(STATE_QUERY)).toMatchObject({ pending: 7, lanes: 2 });
  });

  it('goes on in a new run when its history has grown long', async () => {
    scene.mock({ lookAtEndpoint: inTurn(rests) });
    const endpoint = await anEndpoint();
    await scene.fillHistory(endpoint, SIGNALS.changed);
    const first = scene.firstRun(endpoint);
    await eventually(async () => (await first.describe()).status.name === 'CONTINUED_AS_NEW');
    scene.mock({ lookAtEndpoint: inTurn(deleted) });
    await scene.latestRun(endpoint).signal(SIGNALS.changed);
    await endpoint.result();
  });
});

describe('pause, resume, retryNow, replaySince: what an operator decides about an endpoint', () => {
  it.each([
    [UPDATES.pause, 'pauseEndpoint'],
    [UPDATES.resume, 'resumeEndpoint'],
    [UPDATES.retryNow, 'retryEndpointNow'],
  ] as const)('%s is done once, under the id of the request, and then looked at', async (update, activity) => {
    scene.mock({ lookAtEndpoint: inTurn(rests, deleted), [activity]: inTurn(paused) });
    const endpoint = await anEndpoint();
    const answer = await endpoint.executeUpdate(update, { args: [DECISION], updateId: 'upd_1' });
    expect(answer).toEqual(paused);
    await endpoint.result();
    const requestId = `${endpoint.firstExecutionRunId}/upd_1`;
    expect(scene.calls(activity)).toEqual([{ endpointId: 'whk_1', ...DECISION, requestId }]);
  });

  it.each([
    ['since a time', { since: '2026-01-31T00:00:00Z' }, '2026-01-31T00:00:00Z'],
    ['that have used up their attempts', {}, null],
  ])('replaySince posts the events %s once more', async (_, asked, since) => {
    scene.mock({ lookAtEndpoint: inTurn(rests, deleted), replayEndpoint: inTurn({ count: 5 }) });
    const endpoint = await anEndpoint();
    const replayed = await endpoint.executeUpdate(UPDATES.replaySince, { args: [{ ...DECISION, ...asked }] });
    expect(replayed).toEqual({ count: 5 });
    expect(scene.calls('replayEndpoint')).toEqual([expect.objectContaining({ endpointId: 'whk_1', since })]);
    await endpoint.result();
  });

  it.each(['2026-01-31T00:00:00', 'yesterday', 17])('replaySince refuses %s, which names no moment', async (since) => {
    scene.mock({ lookAtEndpoint: inTurn(rests) });
    const endpoint = await anEndpoint();
    const replay = endpoint.executeUpdate(UPDATES.replaySince, { args: [{ ...DECISION, since }] });
    await expect(replay).rejects.toMatchObject({ cause: { message: expect.stringContaining('with its zone') } });
    expect(scene.calls('replayEndpoint')).toEqual([]);
  });

  it('is heard while a replay takes its time, and the endpoint goes on meanwhile', async () => {
    const replay = Promise.withResolvers<{ count: number }>();
    scene.mock({ lookAtEndpoint: inTurn(rests), replayEndpoint: () => replay.promise, drainEndpoint: inTurn(rests) });
    const endpoint = await anEndpoint();
    const replaying = endpoint.executeUpdate(UPDATES.replaySince, { args: [DECISION] });
    await eventually(() => scene.calls('replayEndpoint').length === 1);
    await endpoint.signal(SIGNALS.due);
    await eventually(() => scene.calls('drainEndpoint').length === 1);
    replay.resolve({ count: 1 });
    expect(await replaying).toEqual({ count: 1 });
  });
});
