import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { nextDeliveryAt } from '../../../db/webhooks/delivery.ts';
import { retryNow } from '../../../db/webhooks/endpoint-health.ts';
import { rotateSecrets, sealSecret } from '../../../db/webhooks/endpoint-secrets.ts';
import { changeRows, databaseNow, findRows, json } from '../../support/rows.ts';
import { deliveriesOf, healthOf } from './a-drained-endpoint.ts';
import { drainsOfThisFile } from './drains-of-this-file.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const { database, world, change, advance, endpoint, drain, tell, tellMany } = await drainsOfThisFile();

describe('the deliveries of an endpoint', () => {
  it('posts each conversation in its order, several at a time', async () => {
    const id = await endpoint();
    for (const lane of ['a', 'b', 'c', 'd']) await tell(lane, `${lane}1`, `${lane}2`, `${lane}3`);
    expect(await drain(id)).toMatchObject({ delivered: 12, failed: 0, nextInMs: null });
    for (const lane of ['a', 'b', 'c', 'd']) {
      expect(world.textsTaken().filter((text) => text.startsWith(lane))).toEqual([`${lane}1`, `${lane}2`, `${lane}3`]);
    }
    expect(world.mostAtOnce).toBeGreaterThan(1);
    for (const row of await deliveriesOf(database, id)) {
      expect(row).toMatchObject({ status: 'delivered', attempts: 1, leased: false });
    }
  });

  it('posts an endpoint of one lane one after the other, whatever the conversation', async () => {
    const id = await endpoint({ ordering: 'fifo' });
    await tell('a', 'first');
    await tell('b', 'second');
    await tell('a', 'third');
    await drain(id);
    expect(world.textsTaken()).toEqual(['first', 'second', 'third']);
    expect(world.mostAtOnce).toBe(1);
  });

  it('keeps no order where the endpoint asks for none', async () => {
    const id = await endpoint({ ordering: 'parallel' });
    world.answer = ({ text }) => (text === 'stuck' ? 500 : 204);
    await tell('a', 'stuck', 'free', 'free too');
    await drain(id);
    expect(world.textsTaken().toSorted()).toEqual(['free', 'free too']);
  });

  it('tries again on the ladder, and lets the conversation go on when that is used up', async () => {
    const id = await endpoint({ retryLadderMs: [0, 1_000, 10_000] });
    world.answer = ({ text }) => (text === 'refused' ? 500 : 204);
    await tell('a', 'refused', 'behind');
    // The clock goes on meanwhile, too: some seconds are left until the third attempt.
    for (const waited of [0, 700, 500, 4_000]) {
      advance(waited);
      await drain(id);
    }
    expect(world.posted.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2']);
    expect(world.textsTaken()).toEqual([]);
    advance(9_000);
    await drain(id);
    expect(world.textsTaken()).toEqual(['behind']);
    expect(await deliveriesOf(database, id)).toMatchObject([
      { text: 'refused', status: 'failed', attempts: 3, step: 3, class: 'server_error' },
      { text: 'behind', status: 'delivered' },
    ]);
  });

  it.each([
    ['seconds', '90', 90_000],
    ['a fraction of seconds', '60.5', 60_500],
    ['more than a day, which is a day', '999999', DAY],
    ['less than the ladder, which counts', '1', 4_000],
  ])('does what a receiver asks for that says %s', async (_how, retryAfter, afterMs) => {
    const id = await endpoint();
    world.answer = () => ({ status: 503, retryAfter });
    await tell('a', 'later');
    const { nextInMs } = await drain(id);
    // The clock goes on meanwhile, too; a step of the ladder would be much less.
    expect(nextInMs).toBeGreaterThan(afterMs / 2);
    expect(nextInMs).toBeLessThan(Math.max(afterMs, 6_100));
  });

  it.each([
    ['paused', () => changeRows(database, 'endpoint', { status: 'paused' })],
    ['deleted', () => changeRows(database, 'endpoint', { deletedAt: databaseNow })],
    ['of a suspended agency', () => changeRows(database, 'agency', { status: 'suspended' })],
  ])('posts nothing to an endpoint that is %s', async (_how, stop) => {
    const id = await endpoint();
    await tell('a', 'kept');
    await stop();
    expect(await drain(id)).toMatchObject({ delivered: 0, nextInMs: null });
    expect(world.posted).toEqual([]);
    expect(await deliveriesOf(database, id)).toMatchObject([{ status: 'pending', attempts: 0 }]);
    await changeRows(database, 'agency', { status: 'active' });
  });

  it('posts no faster than the rate of the endpoint, and fails nothing for it', async () => {
    const id = await endpoint({ ratePerSecond: 5 });
    await tellMany(40);
    const startedAt = database.clock.now().getTime();
    for (let tenth = 0; tenth < 20; tenth += 1) {
      await drain(id);
      advance(100);
    }
    // The clock goes on meanwhile, too.
    const seconds = (database.clock.now().getTime() - startedAt) / 1_000;
    expect(world.taken.length).toBeGreaterThanOrEqual(9);
    expect(world.taken.length).toBeLessThanOrEqual(seconds * 5 + 2);
    for (const { attempts } of await deliveriesOf(database, id)) expect(attempts).toBeLessThanOrEqual(1);
  });

  it('charges nobody for a secret that does not open, nor for a process without descriptors', async () => {
    const id = await endpoint();
    const flip = sql`update endpoint set secret = set_byte(secret, 20, get_byte(secret, 20) # 255) where id = ${id}`;
    await tell('a', 'sealed');
    await change(flip);
    await drain(id);
    expect(await healthOf(database, id)).toMatchObject({ lastError: 'secret_unreadable', failures: 0 });
    await change(flip);
    advance(30_000);
    const post = world.post;
    const noDescriptors = { durationMs: 1, connectMs: null, firstByteMs: null, reused: false } as const;
    world.post = () => Promise.resolve({ outcome: 'failed', failure: 'engine_error', ...noDescriptors });
    await drain(id);
    expect(await deliveriesOf(database, id)).toMatchObject([
      { attempts: 0, step: 0, status: 'pending', leased: false },
    ]);
    world.post = post;
    advance(5_000);
    await drain(id);
    expect(world.textsTaken()).toEqual(['sealed']);
    expect(await findRows(database, 'deliveryAttempt', { endpointId: id }, ['class'])).toEqual([
      { class: 'delivered' },
    ]);
  });

  it('signs with the new and the old secret while both are valid, and lets no header of the endpoint stand for ours', async () => {
    const id = await endpoint({
      headers: { 'X-Shop': 'one', 'Content-Type': 'text/plain', 'webhook-id': 'mine', Host: 'elsewhere' },
    });
    const [row] = await findRows(database, 'endpoint', { id }, ['secret']);
    const now = database.clock.now();
    const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const old = rotateSecrets(database.secrets, { id, secret: row?.secret ?? Buffer.alloc(0), oldSecrets: [] }, next, {
      until: new Date(now.getTime() + DAY),
      now,
    });
    await changeRows(
      database,
      'endpoint',
      { secret: sealSecret(database.secrets, id, next), oldSecrets: json(old) },
      { id },
    );
    await tell('a', 'during');
    await drain(id);
    advance(DAY + MINUTE);
    await tell('a', 'after');
    await drain(id);
    const [during, after] = world.posted.map(({ headers }) => headers);
    expect(during).toMatchObject({
      'x-shop': 'one',
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^evt_/),
    });
    expect(Object.keys(during ?? {})).not.toContain('host');
    expect(during?.['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(after?.['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('has nothing wait any more that somebody wants tried now', async () => {
    const id = await endpoint();
    world.answer = () => 500;
    await tellMany(3);
    await drain(id);
    world.answer = () => 204;
    expect(await database.transaction((tx) => retryNow(tx, id))).toBe(3);
    await drain(id);
    expect(world.taken).toHaveLength(3);
    expect(await database.read((queries) => nextDeliveryAt(queries, id))).toBeNull();
  });
});
