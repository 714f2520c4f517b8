import { describe, expect, it } from '@jest/globals';
import { passFailingHeads } from '../../../db/webhooks/delivery.ts';
import { changeRows, countRows, databaseNow, findRows } from '../../support/rows.ts';
import { emitTrial } from '../../../db/webhooks/trial.ts';
import { SCOPE } from '../../db/a-database.ts';
import { deliveriesOf, healthOf } from './a-drained-endpoint.ts';
import { drainsOfThisFile } from './drains-of-this-file.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const { database, world, advance, endpoint, drain, tell, tellMany } = await drainsOfThisFile();

describe('an endpoint that does not do well', () => {
  it('lets an endpoint rest that says 429, with everything, and does not hold it against it', async () => {
    const id = await endpoint({ concurrency: 1 });
    world.answer = (_posted, place) => (place === 1 ? { status: 429, retryAfter: '30' } : 204);
    await tellMany(5);
    // The clock goes on meanwhile, too; a step of the ladder would be much less.
    expect((await drain(id)).nextInMs).toBeGreaterThan(20_000);
    expect(world.posted).toHaveLength(1);
    expect(await healthOf(database, id)).toMatchObject({ failures: 0, breaker: 'closed', lastError: 'throttled' });
    advance(30_000);
    await drain(id);
    expect(world.taken).toHaveLength(5);
  });

  it('posts half as much at a time after 502, and all again when it goes well', async () => {
    const id = await endpoint({ concurrency: 8 });
    world.answer = (_posted, place) => (place === 1 ? 502 : 204);
    await tell('first', 'first');
    expect((await drain(id)).nextInMs).toBeGreaterThan(35_000);
    expect(await healthOf(database, id)).toMatchObject({ concurrency: 4, lastError: 'gateway_error' });
    await tellMany(12);
    await drain(id);
    expect(await healthOf(database, id)).toMatchObject({ concurrency: null, lastError: null, failures: 0 });
    expect(world.taken).toHaveLength(12);
  });

  it('disables an endpoint that says 410, and keeps what is pending', async () => {
    const id = await endpoint({ concurrency: 1 });
    world.answer = () => 410;
    await tellMany(3);
    expect((await drain(id)).nextInMs).toBeNull();
    expect(world.posted).toHaveLength(1);
    expect(await healthOf(database, id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    expect((await deliveriesOf(database, id)).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
    const told = await findRows(database, 'endpointNotice', { endpointId: id }, ['type']);
    expect(told).toEqual([{ type: 'endpoint.disabled' }]);
  });

  it('opens the breaker after ten failures, posts nothing but probes, and closes it step by step', async () => {
    const id = await endpoint({ concurrency: 4 });
    world.answer = () => 500;
    await tellMany(12);
    await drain(id);
    // Many at once are one moment of weakness.
    expect(await healthOf(database, id)).toMatchObject({ breaker: 'closed', failures: 12 });
    advance(31_000);
    await drain(id);
    expect(await healthOf(database, id)).toMatchObject({ breaker: 'open', probes: 0 });
    const steps = (await deliveriesOf(database, id)).map(({ step }) => step);
    const { length: tried } = world.posted;
    world.answer = () => 504;

    expect((await drain(id)).nextInMs).toBeGreaterThan(20_000);
    expect(world.posted).toHaveLength(tried);
    for (const [probes, pauseMs] of [30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000].entries()) {
      advance(pauseMs);
      await drain(id);
      expect(world.posted).toHaveLength(tried + probes + 1);
    }
    expect((await deliveriesOf(database, id)).map(({ step }) => step)).toEqual(steps);
    expect(await countRows(database, 'deliveryAttempt', { endpointId: id, probe: true })).toBe(7);

    world.answer = () => 204;
    advance(900_000);
    await drain(id);
    expect(world.taken).toHaveLength(12);
    expect(await healthOf(database, id)).toMatchObject({
      breaker: 'closed',
      concurrency: null,
      failures: 0,
      lastError: null,
    });
  });

  it('finds out by its probes that a receiver is back, whatever single event it never takes', async () => {
    const id = await endpoint({ concurrency: 10 });
    world.answer = () => 500;
    await tellMany(12);
    await drain(id);
    advance(31_000);
    await drain(id);
    expect(await healthOf(database, id)).toMatchObject({ breaker: 'open' });
    let poison: string | undefined;
    world.answer = ({ text }) => {
      poison ??= text;
      return text === poison ? 400 : 204;
    };
    for (let minutes = 0; minutes < 20 && world.taken.length < 11; minutes += 1) {
      advance(MINUTE);
      await drain(id);
    }
    expect(world.taken).toHaveLength(11);
    expect(world.textsTaken()).not.toContain(poison);
    for (let hours = 0; hours < 100; hours += 1) {
      advance(HOUR);
      await drain(id);
    }
    expect(await healthOf(database, id)).toMatchObject({ status: 'active' });
    const left = (await deliveriesOf(database, id)).filter(({ status }) => status !== 'delivered');
    expect(left).toMatchObject([{ text: poison, status: 'failed', step: 12 }]);
  });

  it('lets the one event of a single lane use up its attempts, and then goes on behind it', async () => {
    const id = await endpoint({ ordering: 'fifo' });
    world.answer = ({ text }) => (text === 'poison' ? 400 : 204);
    await tell('a', 'poison', 'second', 'third');
    for (let hours = 0; hours < 120 && world.taken.length < 2; hours += 1) {
      await drain(id);
      advance(HOUR);
    }
    expect(await healthOf(database, id)).toMatchObject({ status: 'active' });
    expect(world.textsTaken()).toEqual(['second', 'third']);
  });

  it('holds neither a 429 nor our own fault against a probe', async () => {
    const id = await endpoint();
    await tell('a', 'one');
    await changeRows(database, 'endpointHealth', { breaker: 'open', probeAt: databaseNow }, { endpointId: id });
    for (const reply of [429, { failure: 'engine_error' as const }]) {
      world.answer = () => reply;
      await drain(id);
      expect(await healthOf(database, id)).toMatchObject({ breaker: 'open', probes: 0, failures: 0 });
      advance(MINUTE);
    }
    expect(world.posted).toHaveLength(2);
  });

  it('rests as long as a 429 asks, not until an old event is due again', async () => {
    const id = await endpoint({ concurrency: 1 });
    await tell('a', 'old');
    await changeRows(database, 'delivery', { ladderStep: 9 }, { endpointId: id });
    await tell('b', 'new');
    world.answer = ({ text }) => (text === 'old' ? 429 : 204);
    const { nextInMs } = await drain(id);
    expect(nextInMs).toBeGreaterThan(20_000);
    expect(nextInMs).toBeLessThanOrEqual(60_000);
    advance(MINUTE);
    expect((await drain(id)).nextInMs).toBeGreaterThan(10 * HOUR);
    expect(world.textsTaken()).toEqual(['new']);
  });

  it('ends a trial that is told 410, and the endpoint goes on', async () => {
    const id = await endpoint();
    world.answer = () => 410;
    await database.transaction((tx) => {
      emitTrial(tx, { id, agencyId: SCOPE.agencyId, tenantIds: [SCOPE.tenantId] }, 'message');
      return Promise.resolve();
    });
    await drain(id);
    expect(await healthOf(database, id)).toMatchObject({ status: 'active' });
    expect(await deliveriesOf(database, id)).toMatchObject([{ status: 'failed', class: 'gone' }]);
  });

  it('opens the breaker where seven of ten fail, and again at a failure while it is half open', async () => {
    const id = await endpoint({ concurrency: 2, ordering: 'parallel' });
    world.answer = (_posted, place) => (place % 4 === 0 ? 204 : 500);
    await tellMany(30);
    await drain(id);
    expect(await healthOf(database, id)).toMatchObject({ breaker: 'open' });
    expect(world.posted.length).toBeLessThan(30);
    let first = true;
    world.answer = () => {
      if (!first) return 500;
      first = false;
      return 204;
    };
    advance(31_000);
    await drain(id);
    expect(await healthOf(database, id)).toMatchObject({ breaker: 'open', probes: 1 });
  });

  it('disables what has failed for five days, and not what had one bad night', async () => {
    const [ill, quiet] = [await endpoint(), await endpoint()];
    world.answer = () => 500;
    await tell('a', 'never taken');
    await drain(ill);
    await drain(quiet);
    const days = async (id: string, hours: number[]) => {
      for (const hour of hours) {
        advance(hour * HOUR);
        await drain(id);
      }
    };
    await days(quiet, [1]);
    await days(ill, [13, 24, 24, 24, 24]);
    expect(await healthOf(database, ill)).toMatchObject({ status: 'active' });
    await days(ill, [24]);
    expect(await healthOf(database, ill)).toMatchObject({ status: 'disabled', disabledReason: 'failing_for_days' });
    await drain(quiet);
    expect(await healthOf(database, quiet)).toMatchObject({ status: 'active' });
  });

  it('passes a head that fails for a quarter of an hour while the endpoint takes others, and says so', async () => {
    const id = await endpoint();
    world.answer = ({ text }) => (text === 'poison' ? 500 : 204);
    await tell('a', 'poison', 'second', 'third');
    const pass = () => database.transaction((tx) => passFailingHeads(tx, 100));
    for (const waited of [0, 7_000, 37_000, 3 * MINUTE, 7 * MINUTE]) {
      advance(waited);
      await drain(id);
    }
    advance(6 * MINUTE);
    // Nothing else was taken: it is not the event's fault.
    expect(await pass()).toBe(0);
    await tell('b', 'another');
    await drain(id);
    expect(await pass()).toBe(1);
    await drain(id);
    expect(world.textsTaken()).toEqual(['another', 'second', 'third']);
    await tell('a', 'fourth');
    await drain(id);
    expect(world.textsTaken().at(-1)).toBe('fourth');
    expect(await deliveriesOf(database, id)).toMatchObject([
      { text: 'poison', status: 'pending', outOfOrder: true },
      { text: 'second', outOfOrder: false },
      { text: 'third' },
      { text: 'another' },
      { text: 'fourth', status: 'delivered' },
    ]);
    world.answer = () => 204;
    advance(HOUR);
    await drain(id);
    expect(world.textsTaken().at(-1)).toBe('poison');
  });

  it('delivers everything, in order and once, to a receiver that was down for three days', async () => {
    const id = await endpoint();
    world.answer = () => ({ failure: 'connection_refused' });
    const lanes = ['a', 'b', 'c'];
    for (let hour = 0; hour < 72; hour += 3) {
      for (const lane of hour < 12 ? lanes : lanes.slice(0, 1)) await tell(lane, `${lane} ${hour}`);
      await drain(id);
      advance(3 * HOUR);
    }
    expect(await healthOf(database, id)).toMatchObject({ status: 'active', breaker: 'open' });
    world.answer = () => 204;
    for (let minutes = 0; minutes < 30 && (await drain(id)).nextInMs !== null; minutes += 1) advance(MINUTE);
    expect(world.taken).toHaveLength(4 * 3 + 20);
    expect(new Set(world.taken.map(({ eventId }) => eventId)).size).toBe(world.taken.length);
    for (const lane of lanes) {
      const hours = world.taken.filter((posted) => posted.lane === lane).map(({ text }) => Number(text.split(' ')[1]));
      expect(hours).toEqual(hours.toSorted((one, other) => one - other));
    }
  });
});
