import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { createReconcileActivities } from '../../../activities/reconcile.ts';
import type { Tx } from '../../../db/tx.ts';
import { cancelDelivery, resendDelivery } from '../../../db/webhooks/redelivery.ts';
import { replayEvents } from '../../../db/webhooks/replay.ts';
import { requeue } from '../../../db/webhooks/requeue.ts';
import { eventually } from '../../support/eventually.ts';
import { countOf, rowsOf } from '../../support/rows.ts';
import { SCOPE } from '../../db/a-database.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { anEndpoint, deliveriesOf, drainsTo, receivers, tellMessage } from './a-drained-endpoint.ts';

const BY = { actor: 'a test', reason: null, keyId: null };

const { database, sessionId } = await databaseOfThisFile();

describe('the lanes of an endpoint', () => {
  const tell = (text: string) => tellMessage(database, sessionId, 'cnv_lane', text);
  const idsOf = async (endpointId: string) =>
    (
      await rowsOf(
        database,
        sql<{ id: string }>`select id::text as id from delivery where endpoint_id = ${endpointId} order by delivery.id`,
      )
    ).map(({ id }) => id);
  const waitsForLock = () =>
    countOf(
      database,
      sql`pg_locks l join pg_stat_activity a on a.pid = l.pid
        where not l.granted and a.datname = current_database()`,
    );
  const end = (tx: Tx, id: string | undefined) =>
    sql`update delivery set status = 'delivered', done_at = now() where id = ${id}::bigint`.execute(tx.sql);

  it.each([
    { name: 'cancels', act: cancelDelivery, left: ['third'] },
    { name: 'sends again', act: resendDelivery, left: ['second', 'third'] },
  ])('go on when somebody $name the next just as the head is over', async ({ act, left }) => {
    const id = await anEndpoint(database);
    for (const text of ['first', 'second', 'third']) await tell(text);
    const [first, second] = await idsOf(id);
    let promoting: Promise<unknown> = Promise.resolve();
    await database.transaction(async (tx) => {
      await act(tx, { agencyId: SCOPE.agencyId, id: second ?? '' }, BY);
      promoting = database.transaction(async (other) => {
        await end(other, first);
        await sql`select promote_lanes(${id}, array['cnv_lane'])`.execute(other.sql);
      });
      await eventually(async () => (await waitsForLock()) > 0);
    });
    await promoting;
    const pending = (await deliveriesOf(database, id)).filter(({ status }) => status === 'pending');
    expect(pending.map(({ text }) => text)).toEqual(left);
    expect(pending.every(({ ready }) => ready)).toBe(true);
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
    const become = (id: string, status: string) =>
      rowsOf(database, sql<object>`update endpoint set status = ${status} where id = ${id}`);
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
    for (const id of [older, younger])
      await rowsOf(database, sql<object>`update endpoint set deleted_at = now() where id = ${id}`);
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
    const pending = (await deliveriesOf(database, id)).map(({ text, status, ready }) => ({ text, status, ready }));
    expect(pending).toEqual([
      { text: 'a', status: 'pending', ready: true },
      { text: 'b', status: 'pending', ready: false },
    ]);
  });

  it('are mended by the reconcile where nothing of them is ready', async () => {
    const id = await anEndpoint(database);
    for (const text of ['x', 'y']) await tell(text);
    await rowsOf(database, sql`update delivery set ready = false where endpoint_id = ${id}`);
    await createReconcileActivities({ database }).reconcileRows({ all: false });
    expect((await deliveriesOf(database, id)).map(({ ready }) => ready)).toEqual([true, false]);
  });
});
