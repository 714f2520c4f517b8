import { afterEach, describe, expect, it } from '@jest/globals';
import { createAttemptSlots } from '../../../../activities/webhooks/attempt-slots.ts';
import { eventually } from '../../../support/eventually.ts';
import { aSimulatedDeliverer, stopDeliverers } from './a-simulated-deliverer.ts';

describe('deliveries beside what cannot be read', () => {
  afterEach(stopDeliverers);

  it('stand still in the lane of an event that cannot be read, and nowhere else', async () => {
    const scene = aSimulatedDeliverer();
    scene.endpoint('one');
    scene.endpoint('other');
    const poison = scene.rows.add('one', 'poisoned');
    scene.rows.add('one', 'poisoned');
    scene.rows.add('one', 'sound');
    scene.rows.add('other', 'poisoned');
    const { bodies } = scene.store;
    scene.store.bodies = async (events) => {
      const found = await bodies(events);
      found.delete(poison.eventId);
      return found;
    };
    await scene.begin();
    await eventually(() => scene.posted.length === 2);
    await scene.untilIdle();
    expect(scene.posted.map(({ eventId }) => eventId).toSorted()).toEqual(['evt_3', 'evt_4']);
  });

  it('get their bodies although the body of another that is read with them cannot be read', async () => {
    const scene = aSimulatedDeliverer();
    const ids = ['poisoned', 'one', 'other'].map((id) => scene.endpoint(id));
    const [poison] = ids.map((id) => scene.rows.add(id, 'a'));
    const { bodies } = scene.store;
    let statements = 0;
    scene.store.bodies = (events) => {
      statements += 1;
      const hasPoison = events.some(({ id }) => id === poison?.eventId);
      return hasPoison ? Promise.reject(new Error('It cannot be read.')) : bodies(events);
    };
    await scene.begin();
    await eventually(() => statements >= 4);
    await scene.untilIdle();
    expect(scene.posted.map(({ eventId }) => eventId)).toEqual(['evt_2', 'evt_3']);
  });

  it('come without bodies after a reading of them has failed', async () => {
    const scene = aSimulatedDeliverer();
    await scene.begin();
    const asked: number[] = [];
    const { tail } = scene.store;
    scene.store.tail = (reading) => {
      asked.push(reading.bodies ?? 0);
      return asked.length === 1 ? Promise.reject(new Error('A body cannot be read.')) : tail(reading);
    };
    await expect(scene.tail.turn()).rejects.toThrow('A body');
    await scene.tail.turn();
    await scene.tail.turn();
    expect(asked).toEqual([expect.any(Number), 0, asked[0]]);
    expect(asked[0]).toBeGreaterThan(0);
  });

  it('leave a slot to others while the row of their endpoint cannot be read', async () => {
    const scene = aSimulatedDeliverer({ slots: createAttemptSlots(4) });
    for (const id of ['sound', 'odd']) scene.endpoint(id);
    const first = Promise.withResolvers<number>();
    scene.answers.post = () => (scene.posted.length === 1 ? first.promise : Promise.resolve(204));
    for (const id of ['sound', 'odd', 'sound']) scene.rows.add(id, `lane ${scene.rows.rows.size}`);
    await scene.begin();
    await eventually(() => scene.posted.length === 1);
    const waits = scene.postedTo('sound') === 1 ? 'odd' : 'sound';
    const { endpoints } = scene.store;
    const failed = scene.failures.length;
    scene.store.endpoints = (ids) =>
      ids.includes(waits) ? Promise.reject(new Error('Its row differs.')) : endpoints(ids);
    scene.deliverer.touch([waits]);
    await eventually(() => scene.failures.length > failed);
    first.resolve(204);
    const other = waits === 'odd' ? 'sound' : 'odd';
    await eventually(() => scene.rows.pending(other).length === 0);
    scene.rows.add(other, 'one more');
    await scene.tail.turn();
    await eventually(() => scene.rows.pending(other).length === 0);
    await eventually(() => scene.slots.inUse === 0);
  });

  it('go on although the row of one endpoint cannot be read', async () => {
    const scene = aSimulatedDeliverer();
    scene.endpoint('sound');
    for (const id of ['odd', 'sound']) scene.rows.add(id, 'a');
    const { endpoints } = scene.store;
    scene.store.endpoints = (ids) =>
      ids.includes('odd') ? Promise.reject(new Error('The row of odd differs.')) : endpoints(ids);
    await scene.begin();
    await eventually(() => scene.rows.pending('sound').length === 0);
    expect(scene.failures).toContain('endpoints could not be read; they are read again');
  });
});
