import { describe, expect, it } from '@jest/globals';
import { cancelDelivery, resendDelivery } from '../../../db/webhooks/redelivery.ts';
import { replayEvents } from '../../../db/webhooks/replay.ts';
import { requeue } from '../../../db/webhooks/requeue.ts';
import { changeRows, databaseNow, findRows } from '../../support/rows.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { anEndpoint, deliveriesOf, receivers, tellMessage } from './a-drained-endpoint.ts';
import { drainsTo } from './an-owner.ts';

const BY = { actor: 'a test', reason: null, keyId: null };

const { database, sessionId } = await databaseOfThisFile();

describe('the lanes of an endpoint', () => {
  const tell = (text: string) => tellMessage(database, sessionId, 'cnv_lane', text);
  const idsOf = async (endpointId: string) =>
    (await findRows(database, 'delivery', { endpointId }, ['id'], 'id')).map(({ id }) => id);
  it.each([
    { name: 'cancels', act: cancelDelivery, isTaken: false },
    // A delivery that is sent again goes by itself, before or after its successors.
    { name: 'sends again', act: resendDelivery, isTaken: true },
  ])('go on when somebody $name the next just as the head is over', async ({ act, isTaken }) => {
    const id = await anEndpoint(database);
    for (const text of ['first', 'second', 'third']) await tell(text);
    const [, second = ''] = await idsOf(id);
    const world = receivers();
    const drains = drainsTo(database, {
      async post(message) {
        const answer = await world.post(message);
        if (world.posted.length === 1) {
          await database.transaction<unknown>((tx) => act(tx, { agencyId: SCOPE.agencyId, id: second }, BY));
          // The owner hears of it by its next reading.
          await drains.read(id);
        }
        return answer;
      },
    });
    await drains.drain(id);
    const taken = world.textsTaken();
    expect(taken.filter((text) => text !== 'second')).toEqual(['first', 'third']);
    expect(taken.filter((text) => text === 'second')).toHaveLength(isTaken ? 1 : 0);
  });

  it('bring a replay in the order of the events, also of those that were before the endpoint', async () => {
    await anEndpoint(database);
    for (const text of ['one', 'two']) await tell(text);
    const id = await anEndpoint(database);
    for (const text of ['three', 'four']) await tell(text);
    const world = receivers();
    await drainsTo(database, world).drain(id);
    await tell('five');
    const since = new Date(0);
    await replayEvents(database, { endpointId: id, since, until: null, only: 'all' }, BY);
    world.taken.length = 0;
    await drainsTo(database, world).drain(id);
    const known = ['one', 'two', 'three', 'four', 'five'];
    expect(world.textsTaken().filter((text) => known.includes(text))).toEqual(known);
  });

  it('stay with their endpoint while it is paused, where another one has the same URL', async () => {
    const url = 'http://shared.test/hook';
    const [older, younger] = [await anEndpoint(database, { url }), await anEndpoint(database, { url })];
    const shared = (text: string, lane = 'cnv_shared') => tellMessage(database, sessionId, lane, text);
    const become = (id: string, status: string) => changeRows(database, 'endpoint', { status }, { id });
    const world = receivers();
    const drainAll = async () => {
      for (const id of [younger, older]) await drainsTo(database, world).drain(id);
    };
    await shared('waits');
    await become(older, 'paused');
    await shared('waits behind it');
    await shared('of another lane', 'cnv_other');
    await drainAll();
    expect(world.textsTaken()).toEqual(['of another lane']);
    await become(older, 'active');
    await drainAll();
    expect(world.textsTaken()).toEqual(['of another lane', 'waits', 'waits behind it']);
    await become(older, 'disabled');
    await shared('goes on');
    await drainAll();
    expect(world.textsTaken().at(-1)).toBe('goes on');
    for (const id of [older, younger]) await changeRows(database, 'endpoint', { deletedAt: databaseNow }, { id });
  });

  it('let what is put back go before what was under way, once that has failed', async () => {
    const id = await anEndpoint(database);
    for (const text of ['a', 'b']) await tell(text);
    const [first = ''] = await idsOf(id);
    const world = receivers(({ text }) => (text === 'b' ? 503 : 204));
    let putBack = false;
    const post = world.post;
    const drains = drainsTo(database, {
      async post(message) {
        const answer = await post(message);
        if (answer.outcome === 'answered' && answer.status === 503 && !putBack) {
          putBack = true;
          await database.transaction((tx) => requeue(tx, id, [first]));
          world.answer = () => 503;
        }
        return answer;
      },
    });
    await drains.drain(id);
    expect((await deliveriesOf(database, id)).map(({ status }) => status)).toEqual(['pending', 'pending']);
    world.answer = () => 204;
    world.taken.length = 0;
    database.clock.advance(60_000);
    await drains.drain(id);
    expect(world.textsTaken()).toEqual(['a', 'b']);
  });
});
