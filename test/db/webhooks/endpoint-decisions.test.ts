import { describe, expect, it, jest } from '@jest/globals';
import { createWebhookActivities } from '../../../activities/webhooks/webhooks.ts';
import { listEndpointsToTell, tellEndpointWorkflow } from '../../../db/webhooks/endpoint-workflow.ts';
import { changeRows, databaseNow, findRows } from '../../support/rows.ts';
import { inActivity } from '../../activities/in-activity.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anEndpoint, receivers, tellMessage } from '../../activities/webhooks/a-drained-endpoint.ts';
import { drainsTo } from '../../activities/webhooks/an-owner.ts';

const { database, sessionId } = await databaseOfThisFile();

describe('pauseEndpoint, resumeEndpoint, retryEndpointNow, replayEndpoint: what an operator decides about an endpoint', () => {
  const by = { actor: 'operator', reason: 'tried out' };

  const historyOf = (endpointId: string) => findRows(database, 'endpointHistory', { endpointId }, ['action'], 'id');

  it('is in its history each time, and once where the activity runs again', async () => {
    const endpointId = await anEndpoint(database);
    const activities = createWebhookActivities({ database });
    const decide = (requestId: string) => ({ endpointId, ...by, requestId });
    await activities.resumeEndpoint(decide('1'));
    await activities.pauseEndpoint(decide('2'));
    await activities.resumeEndpoint(decide('3'));
    expect(await activities.pauseEndpoint(decide('2'))).toMatchObject({ status: 'active' });
    await activities.retryEndpointNow(decide('4'));
    await activities.retryEndpointNow(decide('4'));
    await changeRows(database, 'endpoint', { status: 'disabled' }, { id: endpointId });
    expect(await activities.pauseEndpoint(decide('5'))).toMatchObject({ status: 'disabled' });
    expect((await historyOf(endpointId)).map(({ action }) => action)).toEqual([
      'resume',
      'pause',
      'resume',
      'retry_now',
      'pause',
    ]);
  });

  it('replays what had ended when it was decided, and not what the replay itself has delivered', async () => {
    const endpointId = await anEndpoint(database);
    const world = receivers();
    const drains = drainsTo(database, world);
    for (const text of ['one', 'two']) await tellMessage(database, sessionId, 'a', text);
    await drains.drain(endpointId);
    const { replayEndpoint } = createWebhookActivities({ database });
    const again = () =>
      inActivity(replayEndpoint, { endpointId, ...by, requestId: 'r', since: '2020-01-01T00:00:00Z' });
    expect(await again()).toEqual({ count: 2 });
    database.clock.advance(1_000);
    await drains.drain(endpointId);
    expect(await again()).toEqual({ count: 0 });
    expect(world.textsTaken()).toEqual(['one', 'two', 'one', 'two']);
    expect(await historyOf(endpointId)).toHaveLength(1);
  });

  it('goes on where an attempt that was lost had come to, and posts nothing twice', async () => {
    const endpointId = await anEndpoint(database);
    const world = receivers();
    const drains = drainsTo(database, world);
    await tellMessage(database, sessionId, 'a', 'one');
    await drains.drain(endpointId);
    const { replayEndpoint } = createWebhookActivities({ database });
    const replay = { endpointId, ...by, requestId: 'r', since: '2020-01-01T00:00:00Z' };
    const place = { order: '9'.repeat(18), id: '9'.repeat(18), asOf: database.clock.now().toISOString() };
    const told = { heartbeatDetails: { count: 7, continueFrom: place } };
    expect(await inActivity(replayEndpoint, replay, told)).toEqual({ count: 7 });
    database.clock.advance(1_000);
    await drains.drain(endpointId);
    expect(world.textsTaken()).toEqual(['one']);
  });

  it('is refused about an endpoint that has been deleted, which lookAtEndpoint says', async () => {
    const endpointId = await anEndpoint(database);
    const activities = createWebhookActivities({ database });
    await changeRows(database, 'endpoint', { deletedAt: databaseNow }, { id: endpointId });
    expect(await activities.lookAtEndpoint({ endpointId })).toMatchObject({ status: 'deleted', nextInMs: null });
    const decision = { endpointId, ...by, requestId: '1' };
    for (const decide of [activities.pauseEndpoint, activities.resumeEndpoint, activities.retryEndpointNow]) {
      await expect(decide(decision)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await historyOf(endpointId)).toEqual([]);
  });

  it('lookAtEndpoint: counts what is pending and its lanes, and says when the next attempt is due', async () => {
    const endpointId = await anEndpoint(database);
    const { lookAtEndpoint } = createWebhookActivities({ database });
    for (const conversation of ['a', 'b', 'b']) await tellMessage(database, sessionId, conversation, 'hello');
    expect(await lookAtEndpoint({ endpointId })).toMatchObject({
      pending: 3,
      lanes: 2,
      nextAttemptAt: expect.any(String),
    });
    await drainsTo(database, receivers()).drain(endpointId);
    expect(await lookAtEndpoint({ endpointId })).toMatchObject({ pending: 0, lanes: 0, nextInMs: null });
  });

  it('resumeEndpoint: posts at once what waited for its next attempt, also where the endpoint was active', async () => {
    const endpointId = await anEndpoint(database, { retryLadderMs: [0, 300_000, 300_000] });
    const world = receivers(() => 500);
    const drains = drainsTo(database, world);
    await tellMessage(database, sessionId, 'a', 'one');
    expect(await drains.drain(endpointId)).toMatchObject({ delivered: 0 });
    world.answer = () => 204;
    expect(await drains.drain(endpointId)).toMatchObject({ delivered: 0 });
    await createWebhookActivities({ database }).resumeEndpoint({ endpointId, ...by, requestId: 'mended' });
    await drains.drain(endpointId);
    expect(world.textsTaken()).toEqual(['one']);
  });

  it('is told to its execution, also where whoever had to died before', async () => {
    const endpointId = await anEndpoint(database);
    const toTell = async () =>
      (await database.read((queries) => listEndpointsToTell(queries, 100))).includes(endpointId);
    expect(await toTell()).toBe(false);
    await changeRows(database, 'endpointHealth', { breaker: 'open' }, { endpointId });
    expect(await toTell()).toBe(true);
    await database.transaction((tx) => tellEndpointWorkflow(tx, endpointId));
    expect(await toTell()).toBe(false);
  });

  it('a look that fails does not keep an endpoint from being drained the next time', async () => {
    const endpointId = await anEndpoint(database);
    await tellMessage(database, sessionId, 'a', 'one');
    const world = receivers();
    const drains = drainsTo(database, world);
    jest.spyOn(database, 'read').mockRejectedValueOnce(new Error('The connection broke.'));
    await expect(drains.drain(endpointId)).rejects.toThrow('broke');
    await drains.drain(endpointId);
    expect(world.textsTaken()).toEqual(['one']);
  });
});
