import { describe, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { createWebhookActivities } from '../../../activities/webhooks/webhooks.ts';
import { changeEndpointStatus } from '../../../db/webhooks/endpoint-state.ts';
import { listEndpointsToTell, tellEndpointWorkflow } from '../../../db/webhooks/endpoint-workflow.ts';
import { replayEvents } from '../../../db/webhooks/replay.ts';
import { eventually } from '../../support/eventually.ts';
import { rowsOf } from '../../support/rows.ts';
import { databaseOfThisFile } from '../database-of-this-file.ts';
import { anEndpoint, drainsTo, receivers, tellMessage } from '../../activities/webhooks/a-drained-endpoint.ts';

const { database, sessionId } = await databaseOfThisFile();

describe('what an operator decides about an endpoint', () => {
  const by = { actor: 'operator', reason: 'tried out' };

  const historyOf = (endpointId: string) =>
    rowsOf(
      database,
      sql<{ action: string }>`select action from endpoint_history where endpoint_id = ${endpointId} order by id`,
    );

  it('is in its history each time, and once where the activity runs again', async () => {
    const endpointId = await anEndpoint(database);
    const activities = createWebhookActivities({ database }, () => Promise.resolve(null));
    const decide = (requestId: string) => ({ endpointId, ...by, requestId });
    await activities.resumeEndpoint(decide('1'));
    await activities.pauseEndpoint(decide('2'));
    await activities.resumeEndpoint(decide('3'));
    expect(await activities.pauseEndpoint(decide('2'))).toMatchObject({ status: 'active' });
    await activities.retryEndpointNow(decide('4'));
    await activities.retryEndpointNow(decide('4'));
    await rowsOf(database, sql`update endpoint set status = 'disabled' where id = ${endpointId}`);
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
    const replay = { endpointId, since: new Date(0), until: null, only: 'all' } as const;
    const again = () => replayEvents(database, replay, { ...by, keyId: null, requestId: 'r' });
    expect(await again()).toBe(2);
    database.clock.advance(1_000);
    await drains.drain(endpointId);
    expect(await again()).toBe(0);
    expect(world.textsTaken()).toEqual(['one', 'two', 'one', 'two']);
    expect(await historyOf(endpointId)).toHaveLength(1);
  });

  it('holds for what was claimed ahead: a pause gives it back', async () => {
    const endpointId = await anEndpoint(database, { concurrency: 1 });
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const world = receivers();
    const drains = drainsTo(database, {
      post: async (message) => {
        const posted = world.post(message);
        await answered;
        return posted;
      },
    });
    for (const lane of ['a', 'b', 'c']) await tellMessage(database, sessionId, lane, lane);
    const drained = drains.drain(endpointId);
    await eventually(() => world.posted.length === 1);
    const leased = () =>
      rowsOf(database, sql`select 1 from delivery where endpoint_id = ${endpointId} and lease_token is not null`);
    expect(await leased()).toHaveLength(2);
    await database.transaction((tx) => changeEndpointStatus(tx, endpointId, 'paused', { ...by, keyId: null }));
    await eventually(async () => (await leased()).length === 1);
    answer();
    expect(await drained).toMatchObject({ delivered: 1, rests: true });
    expect(world.posted).toHaveLength(1);
  });

  it('is told to its execution, also where whoever had to died before', async () => {
    const endpointId = await anEndpoint(database);
    const toTell = async () =>
      (await database.read((queries) => listEndpointsToTell(queries, 100))).includes(endpointId);
    expect(await toTell()).toBe(false);
    await rowsOf(database, sql`update endpoint_health set breaker = 'open' where endpoint_id = ${endpointId}`);
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
